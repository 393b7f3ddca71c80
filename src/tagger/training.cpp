// SPDX-License-Identifier: Apache-2.0
#include "tagger/training.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "algorithms/predict.h"
#include "core/bytes.h"
#include "core/checkpoints.h"
#include "core/fail.h"
#include "core/hash.h"
#include "core/interruption.h"
#include "core/memory.h"
#include "core/text.h"
#include "tagger/held_out.h"

namespace xylem {
namespace {

constexpr const char* kChoiceCheckpoint = "choice";
constexpr const char* kOwnerCheckpoint = "run";

// None if somebody has asked to stop, who wants no more work, or asks meanwhile, and then the model says so.
std::optional<Validation> validate(Trained& trained, const Dataset& train, const Dataset& valid, const Run& run) {
  const EvalOptions options{.threshold = {}, .propensity = {}, .bootstrap = 0};
  const std::size_t most = std::ranges::max(options.ks);
  if (!trained.interrupted.empty()) return std::nullopt;
  TopLabels predictions;
  const auto predict = [&] {
    predictions = predict_rows(*trained.model, valid.features.rows(), RowScale::kAsGiven, most, run);
  };
  if (stopped_early(run, predict, [] { return true; })) {
    trained.interrupted = "not validated";
    return std::nullopt;
  }
  Validation validation{valid.size(), {}};
  const auto report = evaluate(valid.labels, predictions, {train.size(), label_counts(train)}, options);
  for (const Figure& figure : report.figures) validation.figures[figure.name] = figure.value;
  return validation;
}

CheckedOptions with_chosen(const TrainSettings& settings, const Settings& chosen) {
  if (chosen.empty()) return settings.options;
  Settings values = settings.options.values();
  for (const auto& [name, value] : chosen) values[name] = value;
  return settings.method.parse(values);
}

// What was chosen on held-out rows.
struct Choice {
  Settings chosen;
  Validation validation;
};

void write_choice(Checkpoints& checkpoints, const Choice& choice) {
  const nlohmann::json document = {
      {"chosen", choice.chosen}, {"rows", choice.validation.rows}, {"figures", choice.validation.figures}};
  checkpoints.write(kChoiceCheckpoint, document.dump());
}

std::optional<Choice> read_choice(const Checkpoints& checkpoints) {
  const auto bytes = checkpoints.read(kChoiceCheckpoint);
  if (!bytes) return std::nullopt;
  try {
    const nlohmann::json document = nlohmann::json::parse(*bytes);
    return Choice{document.at("chosen"), {document.at("rows"), document.at("figures")}};
  } catch (const nlohmann::json::exception&) {
    fail_foreign_checkpoint();
  }
}

// Nobody goes on from what another run has left, nor writes over it.
void claim(Checkpoints& checkpoints, const std::string& fingerprint) {
  const std::string mark = fmt::format("{:016x}", hash_bytes(fingerprint));
  const std::optional<std::string> found = checkpoints.read(kOwnerCheckpoint);
  if (found && *found != mark) {
    fail(ErrorKind::kUsage, "the checkpoint is of a run with other data, method, settings or seed");
  }
  if (!found) checkpoints.write(kOwnerCheckpoint, mark);
}

// The method's own checkpoints: of this run, and of this of the two data sets that it is trained on.
Trained train_scoped(const Method& method, const TrainingData& data, const CheckedOptions& options,
                     const std::string& scope, const Run& run) {
  if (run.checkpoints == nullptr) return method.train(data, options, run);
  ScopedCheckpoints checkpoints(*run.checkpoints, scope);
  Run scoped = run;
  scoped.checkpoints = &checkpoints;
  return method.train(data, options, scoped);
}

}  // namespace

std::size_t drop_rows_without_labels(Dataset& data) {
  std::vector<std::size_t> labelled;
  for (std::size_t row = 0; row < data.size(); ++row) {
    if (!data.labels[row].empty()) labelled.push_back(row);
  }
  if (labelled.empty()) fail(ErrorKind::kData, "none of the {} training rows has a label", data.size());
  const std::size_t dropped = data.size() - labelled.size();
  if (dropped > 0) data = select_rows(data, labelled);
  return dropped;
}

std::uint64_t data_bytes(const DataShape& shape) {
  return 2 * (shape.rows + 1) * sizeof(std::uint64_t) + shape.nonzeros * (sizeof(Feature) + sizeof(float)) +
         shape.label_pairs * sizeof(Label);
}

std::uint64_t training_bytes(const MemoryPlan& plan, const DataShape& shape, TrainingStages stages) {
  const std::uint64_t first = stages.holds_out ? data_bytes(shape) : 0;
  const std::uint64_t second = stages.holds_out && stages.refits ? plan.model : 0;
  return plan.training + shape.labels * sizeof(std::uint32_t) + std::max(first, second);
}

void check_memory(std::string_view work, const Method& method, std::uint64_t needed, std::uint64_t data,
                  std::uint64_t max_memory) {
  const std::uint64_t held = kProgramBytes + data;
  if (max_memory == 0) {  // what is held is not available any more
    const std::optional<std::uint64_t> available = available_memory();
    if (!available || needed <= *available) return;
    max_memory = *available + held;
  } else if (held <= max_memory && needed <= max_memory - held) {
    return;
  }
  fail(ErrorKind::kMemory, "{} {} needs {} beside {} of program and data, and {} are allowed in all", work, method.name,
       format_bytes(needed), format_bytes(held), format_bytes(max_memory));
}

TrainingResult train_method(const TrainSettings& settings, const Dataset& data, const TrainOptions& options,
                            const std::string& fingerprint, const Run& run) {
  const Method& method = settings.method;
  const bool chooses = method.chooses(settings.options);
  run.check();
  if (run.checkpoints != nullptr) claim(*run.checkpoints, fingerprint);
  const auto result = [&](Trained trained, const Settings& chosen, std::optional<Validation> validation,
                          std::size_t held_out) {
    return TrainingResult{
        std::move(trained.model), with_chosen(settings, chosen), chosen, std::move(validation), held_out,
        trained.interrupted};
  };
  const std::string all_rows = fingerprint + " all rows";
  const std::string without_held_out = fingerprint + " without held-out rows";
  if (options.valid != nullptr) {
    Trained trained = train_scoped(method, {data, options.valid}, settings.options, all_rows, run);
    std::optional<Validation> validation = validate(trained, data, *options.valid, run);
    const Settings chosen = trained.chosen;
    return result(std::move(trained), chosen, std::move(validation), 0);
  }
  if (!options.valid_fraction && data.size() == 1 && chooses) {
    run.remark("of a single row none can be held out: options are chosen on the row itself");
    Trained trained = train_scoped(method, {data, &data}, settings.options, all_rows, run);
    const Settings chosen = trained.chosen;
    return result(std::move(trained), chosen, std::nullopt, 0);
  }
  if (!options.valid_fraction && !chooses) {
    Trained trained = train_scoped(method, {data}, settings.options, all_rows, run);
    const Settings chosen = trained.interrupted.empty() ? Settings() : trained.chosen;
    return result(std::move(trained), chosen, std::nullopt, 0);
  }

  std::optional<ScopedCheckpoints> checkpoints;
  if (run.checkpoints != nullptr) checkpoints.emplace(*run.checkpoints, fingerprint);
  std::optional<Choice> choice;
  if (checkpoints && options.refit) choice = read_choice(*checkpoints);
  Trained first;  // the model is there unless an earlier run has chosen
  if (choice) {
    run.remark("resumed: what is chosen on held-out rows was found in the checkpoint");
  } else {
    const Split split = hold_out(data, options.valid_fraction, run.seed);
    first = train_scoped(method, {split.train, &split.valid}, settings.options, without_held_out, run);
    const Settings chosen = first.chosen;
    std::optional<Validation> validation = validate(first, split.train, split.valid, run);
    if (!options.refit || !first.interrupted.empty()) {
      return result(std::move(first), chosen, std::move(validation), split.valid.size());
    }
    choice = {chosen, std::move(*validation)};
    if (checkpoints) write_choice(*checkpoints, *choice);
  }

  const bool has_first = first.model != nullptr;
  Run second_run = run;
  if (has_first) second_run.keep_unfinished = false;  // the first is finished, and validated
  Trained second;
  const auto train_again = [&] {
    second = train_scoped(method, {data}, with_chosen(settings, choice->chosen), all_rows, second_run);
  };
  if (stopped_early(run, train_again, [&] { return has_first; })) {
    first.interrupted = "not trained again on all rows";
    return result(std::move(first), choice->chosen, choice->validation, choice->validation.rows);
  }
  if (!second.interrupted.empty()) {  // the figures are not of such a model
    Settings chosen = second.chosen;
    chosen.insert(choice->chosen.begin(), choice->chosen.end());
    return result(std::move(second), chosen, std::nullopt, 0);
  }
  return result(std::move(second), choice->chosen, std::move(choice->validation), 0);
}

}  // namespace xylem
