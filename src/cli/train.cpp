// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "cli/commands.h"
#include "cli/config.h"
#include "cli/date_option.h"
#include "cli/output_checks.h"
#include "cli/read_input.h"
#include "cli/session.h"
#include "cli/streams.h"
#include "core/checkpoints.h"
#include "core/fail.h"
#include "core/file.h"
#include "core/memory.h"
#include "core/numbers.h"
#include "core/stopwatch.h"
#include "core/text.h"
#include "tagger/card.h"
#include "tagger/date.h"
#include "xylem/tagger.h"

namespace xylem::cli {
namespace {

struct TrainArguments {
  CommonOptions common;
  InputOptions input;
  std::string model;
  std::string method = TrainOptions().method;
  std::string valid;
  std::uint64_t seed = 1;
  std::vector<std::string> set;
  std::string config;
  bool print_config = false;
  bool force = false;
  std::string max_memory;
  bool no_refit = false;
  std::string date;
  std::string checkpoint;
  bool resume = false;
};

// The share in --valid; nothing where it names a file, which must be there. A pipe is left alone: it opens only once.
std::optional<double> parse_valid_fraction(const std::string& text) {
  const auto fraction = parse_number<double>(text);
  std::error_code ignored;
  if (!fraction && !text.empty() && !std::filesystem::is_other(text, ignored)) open_for_reading(text);
  if (fraction && (*fraction <= 0 || *fraction >= 1)) {
    fail(ErrorKind::kUsage, "--valid {}: expected a file, or a share between 0 and 1", text);
  }
  return fraction;
}

struct TrainingCosts {
  Cost read, train, save;
};

std::string report_json(const TrainArguments& arguments, const Tagger& tagger, const TrainingCosts& costs) {
  const nlohmann::json report = {
      {"model", arguments.model},
      {"method", tagger.method().name},
      {"model_bytes", std::filesystem::file_size(arguments.model)},
      {"wall_seconds",
       {{"read", costs.read.wall_seconds}, {"train", costs.train.wall_seconds}, {"save", costs.save.wall_seconds}}},
      {"cpu_seconds",
       {{"read", costs.read.cpu_seconds}, {"train", costs.train.cpu_seconds}, {"save", costs.save.cpu_seconds}}},
      {"planned_bytes", tagger.plan().training},
      {"peak_bytes", peak_memory()},
      {"card", nlohmann::json::parse(tagger.card())},
  };
  return report.dump(2) + "\n";
}

std::string report_text(const TrainArguments& arguments, const Tagger& tagger, const TrainingCosts& costs) {
  const Card& card = tagger.card_fields();
  std::string text = fmt::format("trained {}", tagger.method().name);
  // What was set and what was chosen; the rest are the method's defaults.
  Settings defaults = tagger.method().parse({}).values();
  for (const OptionInfo& option : text_options()) defaults[option.name] = option.default_value;
  for (const auto& [name, value] : card.settings) {
    if (value != defaults[name] || card.chosen.contains(name)) text += fmt::format(" {}={}", name, value);
  }
  text += fmt::format(" in {:.1f} s\n", costs.train.wall_seconds);
  if (card.validation) {
    text += fmt::format("on {} validation rows:", card.validation->rows);
    for (const char* name : {"P@1", "P@3", "P@5", "nDCG@5", "PSP@5"}) {
      text += fmt::format(" {} {:.2f}", name, card.validation->figures.at(name));
    }
    text += "\n";
  }
  const std::uint64_t bytes = std::filesystem::file_size(arguments.model);
  return text + fmt::format("wrote {}, {}", arguments.model, format_bytes(bytes));
}

// What was written, for whoever asked to stop.
std::string interruption_text(const Tagger& tagger) {
  const std::uint64_t held_out = tagger.card_fields().held_out;
  std::string text = "interrupted: wrote the best model so far, " + tagger.interrupted();
  if (held_out > 0) text += fmt::format(", trained without the {} held-out rows", held_out);
  return text;
}

std::string data_text(const Input& input) {
  if (const Corpus* corpus = std::get_if<Corpus>(&input.data)) {
    return fmt::format("read {} texts, {} labels", corpus->labels.size(), corpus->label_names.size());
  }
  const Dataset& data = std::get<Dataset>(input.data);
  std::string text =
      fmt::format("read {} rows, {} features, {} labels", data.size(), data.features.n_columns, data.n_labels);
  if (data.first_ids.feature == 1) text += ", features counted from 1";
  if (data.first_ids.label == 1) text += ", labels counted from 1";
  if (data.label_names.size() > 0) text += ", labels with names";
  return text;
}

struct ValidRows {
  std::optional<Dataset> rows;
  std::optional<Corpus> texts;
};

// The validation file is of the same kind as the training file.
ValidRows read_valid(const TrainArguments& arguments, const Input& train, std::uint64_t max_bytes, Session& session) {
  if (const Dataset* data = std::get_if<Dataset>(&train.data)) {
    const TrainingSpace space{data->features.n_columns, data->n_labels, data->first_ids};
    return {read_beside(space, arguments.valid, arguments.input, session), {}};
  }
  InputOptions as_written = arguments.input;
  as_written.label_names.clear();  // the tagger knows numbers and names by then
  Input valid = read_input(arguments.valid, as_written, max_bytes, session);
  if (!std::holds_alternative<Corpus>(valid.data)) {
    fail(ErrorKind::kData, "{}: found sparse rows, expected texts, as in {}", arguments.valid, arguments.input.path);
  }
  return {{}, std::move(std::get<Corpus>(valid.data))};
}

// Everything that can be wrong without reading a row is found here.
TrainOptions make_options(const TrainArguments& arguments, const Settings& settings) {
  require(arguments.input.path, "-i FILE");
  require(arguments.model, "-m MODEL");
  if (arguments.resume && arguments.checkpoint.empty()) fail(ErrorKind::kUsage, "--resume needs --checkpoint FOLDER");
  TrainOptions options;
  options.method = arguments.method;
  options.settings = settings;
  options.refit = !arguments.no_refit;
  options.max_memory = parse_max_memory(arguments.max_memory);
  options.date = card_date(arguments.date);
  check_date(options.date);
  options.valid_fraction = parse_valid_fraction(arguments.valid);
  check_settings(options.method, settings);
  return options;
}

std::optional<FolderCheckpoints> open_checkpoints(const TrainArguments& arguments, Session& session) {
  if (arguments.checkpoint.empty()) return std::nullopt;
  FolderCheckpoints checkpoints(arguments.checkpoint, [&](const std::string& what) { session.warn(what); });
  if (!arguments.resume && !checkpoints.is_empty()) {
    if (!arguments.force) {
      fail(ErrorKind::kUsage, "{} holds a checkpoint already; --resume goes on from it, --force starts over",
           arguments.checkpoint);
    }
    session.warn(
        fmt::format("{} holds a checkpoint of an earlier run: --force replaces it and starts over, --resume "
                    "would go on from it",
                    arguments.checkpoint));
  }
  return checkpoints;
}

int run_train(CLI::App& app, TrainArguments& arguments) {
  Settings settings = parse_settings(arguments.set);
  if (!arguments.config.empty()) apply_config(arguments.config, app, arguments.method, settings);
  if (arguments.print_config) {
    check_settings(arguments.method, settings);
    print_result(config_text(app, find_method(arguments.method), settings));
    return 0;
  }
  TrainOptions options = make_options(arguments, settings);
  Session session(arguments.common);
  check_model_path("-m", arguments.model, arguments.input, {arguments.valid, arguments.config}, arguments.force);
  Run run = session.run(arguments.seed);
  std::optional<FolderCheckpoints> checkpoints = open_checkpoints(arguments, session);
  if (checkpoints) run.checkpoints = &*checkpoints;

  TrainingCosts costs;
  Stopwatch stopwatch;
  const std::uint64_t max_bytes = options.max_memory > 0 ? options.max_memory : kNoLimit;
  Input input = open_input(arguments.input, max_bytes, session);
  session.say(data_text(input));
  ValidRows valid;
  if (is_input(arguments.valid, arguments.input, {})) {
    session.warn(fmt::format("--valid {} is also a file of training rows, so the validation figures are too high",
                             arguments.valid));
  }
  if (!arguments.valid.empty() && !options.valid_fraction) valid = read_valid(arguments, input, max_bytes, session);
  if (valid.rows) options.valid = &*valid.rows;
  if (valid.texts) options.valid_texts = &*valid.texts;
  if (checkpoints && arguments.resume && checkpoints->is_empty()) session.say("no checkpoint to resume from");
  if (checkpoints && !arguments.resume) checkpoints->clear();  // not before the input is known to be right
  costs.read = stopwatch.lap();
  const Tagger tagger = std::holds_alternative<Dataset>(input.data)
                            ? Tagger::train(std::move(std::get<Dataset>(input.data)), options, run)
                            : Tagger::train(std::get<Corpus>(input.data), *input.texts, options, run);
  costs.train = stopwatch.lap();
  tagger.save(arguments.model, arguments.force);
  costs.save = stopwatch.lap();

  session.say(report_text(arguments, tagger, costs));
  if (arguments.common.json) print_result(report_json(arguments, tagger, costs));
  if (!tagger.interrupted().empty()) fail(ErrorKind::kInterrupted, "{}", interruption_text(tagger));
  return 0;
}

}  // namespace

Runner define_train(CLI::App& app) {
  auto arguments = std::make_shared<TrainArguments>();
  add_input_options(app, arguments->input, "training data; - is standard input", HowMany::kSeveral);
  add_label_names_option(app, arguments->input);
  app.add_option("-m,--model", arguments->model, "model file to write");
  app.add_option("--method", arguments->method, "a name from `xylem methods`")->capture_default_str();
  app.add_option("--valid", arguments->valid, "validation rows: a file, or a share of the training rows to hold out");
  app.add_option("--seed", arguments->seed, "same seed, same model")->capture_default_str()->check(whole_number());
  app.add_option("--set", arguments->set, "an option of the method, name=value; may be repeated")
      ->allow_extra_args(false);
  app.add_option("--config", arguments->config, "TOML file with the names of these options, and a table [options]");
  app.add_flag("--print-config", arguments->print_config, "print the configuration in force and stop");
  app.add_flag("--force", arguments->force, "replace an existing model");
  app.add_option("--max-memory", arguments->max_memory,
                 "stop before work that needs more, like 8G; default: what there is");
  app.add_flag("--no-refit", arguments->no_refit, "keep the model that never saw the held-out rows");
  app.add_option("--checkpoint", arguments->checkpoint, "folder for what must not be lost when training is killed");
  app.add_flag("--resume", arguments->resume, "go on from the checkpoint");
  add_date_option(app, arguments->date);
  add_common_options(app, arguments->common);
  add_json_option(app, arguments->common);
  app.footer("Example:\n  xylem train -i train.txt -m tags.xylem --method knn --set k=20 --valid 0.1");
  return [&app, arguments] { return run_train(app, *arguments); };
}

}  // namespace xylem::cli
