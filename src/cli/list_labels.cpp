// SPDX-License-Identifier: Apache-2.0
// `xylem labels`.
#include <fmt/format.h>

#include <memory>
#include <optional>

#include "cli/commands.h"
#include "cli/options.h"
#include "cli/streams.h"
#include "core/fail.h"
#include "core/text.h"
#include "results/label_json.h"
#include "tagger/label_lists.h"

namespace xylem::cli {
namespace {

constexpr std::size_t kNearLabels = 10;

struct LabelsArguments {
  std::string model;
  std::optional<std::string> near;
  std::optional<std::size_t> k;
  bool json = false;
};

std::string counted_json(const Tagger& tagger, Label label) {
  return fmt::format("{},\"training_rows\":{}", label_members(tagger, label), tagger.training_counts().labels[label]);
}

std::string list(const Tagger& tagger, bool json) {
  std::string text;
  for (Label label = 0; label < tagger.n_labels(); ++label) {
    text += json ? fmt::format("{{{}}}\n", counted_json(tagger, label))
                 : fmt::format("{}\t{}\n", as_field(tagger.label_name(label)), tagger.training_counts().labels[label]);
  }
  return text;
}

std::string near_json(const Tagger& tagger, Label label, const TopLabels& near) {
  std::string text = fmt::format("{{{},\"near\":", counted_json(tagger, label));
  append_labels_json(tagger, near, 0, "cosine", text);
  return text + "}\n";
}

std::string near_text(const Tagger& tagger, const TopLabels& near) {
  std::string text;
  for (std::size_t i = 0; i < near.labels.size(); ++i) {
    text += fmt::format("{}\t{:.4f}\n", as_field(tagger.label_name(near.labels[i])), near.scores[i]);
  }
  return text;
}

// Of labels that share a name, those that the model knows something of, one after the other.
std::string neighbours(const Tagger& tagger, const LabelsArguments& arguments) {
  std::string text;
  std::size_t answered = 0, training_rows = 0;
  for (const Label label : named_labels(tagger, "--near", *arguments.near)) {
    training_rows += tagger.training_counts().labels[label];
    const TopLabels near = tagger.near_labels(label, arguments.k.value_or(kNearLabels));
    if (near.labels.empty()) continue;
    if (answered++ > 0 && !arguments.json) text += "\n";
    text += arguments.json ? near_json(tagger, label, near) : near_text(tagger, near);
  }
  if (answered == 0) {
    fail(ErrorKind::kUsage, "--near: the model knows no label near to {}: it {}", quote_name(*arguments.near),
         training_rows > 0 ? "has no training row that ties it to another" : "has no training row");
  }
  if (answered > 1 && !arguments.json) {
    print_remark(fmt::format("{} labels are called {}: the labels near to each, with an empty line between\n", answered,
                             quote_name(*arguments.near)));
  }
  return text;
}

int run_labels(const LabelsArguments& arguments) {
  require(arguments.model, "-m MODEL");
  if (arguments.k && !arguments.near) fail(ErrorKind::kUsage, "-k goes with --near: without it all labels are listed");
  const Tagger tagger = Tagger::load(arguments.model);
  print_result(arguments.near ? neighbours(tagger, arguments) : list(tagger, arguments.json));
  return 0;
}

}  // namespace

Runner define_labels(CLI::App& app) {
  auto arguments = std::make_shared<LabelsArguments>();
  app.add_option("-m,--model", arguments->model, "model file");
  app.add_option("--near", arguments->near,
                 "a label, by its name, its identifier or, if it has neither, its number: the labels whose vectors are "
                 "nearest to its");
  app.add_option("-k", arguments->k, fmt::format("so many of them; {}", kNearLabels))
      ->check(whole_number(1, 1'000'000'000));
  app.add_flag("--json", arguments->json, "as JSON, an object a line");
  app.footer(
      "Examples:\n  xylem labels -m tags.xylem\n"
      "  xylem train -i train.txt -m near.xylem --method dxml && xylem labels -m near.xylem --near 3 -k 5");
  return [arguments] { return run_labels(*arguments); };
}

}  // namespace xylem::cli
