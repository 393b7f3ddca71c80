// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "cli/commands.h"
#include "cli/labels.h"
#include "cli/session.h"
#include "core/fail.h"
#include "core/file.h"
#include "data/lines.h"
#include "data/predictions.h"
#include "xylem/tagger.h"

namespace xylem::cli {
namespace {

constexpr std::size_t kLabelsARow = 5;

struct PredictArguments {
  CommonOptions common;
  InputOptions input;
  std::string model;
  std::string output = "-";
  std::optional<std::size_t> k;  // 5; all where there is a threshold
  std::optional<double> threshold;
  std::string format;  // jsonl for texts, xmlrepo for rows
  std::string only;
  std::string without;
  bool force = false;
};

// The labels in the file of --only or --without, a line each.
std::optional<LabelFilter> read_filter(const PredictArguments& arguments, const Tagger& tagger) {
  const bool only = !arguments.only.empty();
  const std::string& path = only ? arguments.only : arguments.without;
  if (path.empty()) return std::nullopt;
  const FileLines listed = read_lines(path);
  const LabelLists labels = tagger.labels_called(listed.lines);
  LabelFilter allowed(tagger.n_labels(), !only);
  for (std::size_t line = 0; line < labels.size(); ++line) {
    const std::string_view name = listed.lines[line];
    if (labels[line].empty() && !name.empty()) {
      fail(ErrorKind::kData, "{}:{}: {}", listed.file, line + 1, no_such_label(tagger, name));
    }
    for (const Label label : labels[line]) allowed[label] = only;
  }
  if (std::ranges::count(allowed, true) == 0) fail(ErrorKind::kData, "{} leaves no label to give", listed.file);
  return allowed;
}

// Compared as floats, so that a score of 0.7 is not below a threshold of 0.7.
TopLabels above_threshold(const TopLabels& all, float threshold) {
  TopLabels kept;
  for (std::size_t row = 0; row < all.size(); ++row) {
    for (std::size_t i = 0; i < all.row_labels(row).size(); ++i) {
      if (all.row_scores(row)[i] >= threshold) kept.push_back(all.row_labels(row)[i], all.row_scores(row)[i]);
    }
    kept.end_row();
  }
  return kept;
}

void write_jsonl(const TopLabels& top, const Tagger& tagger, const TextList& ids, OutputFile& out) {
  for (std::size_t row = 0; row < top.size(); ++row) {
    std::string line = "{";
    if (ids.size() > 0) line += fmt::format("\"id\":{},", nlohmann::json(ids[row]).dump());
    line += "\"labels\":[";
    for (std::size_t i = 0; i < top.row_labels(row).size(); ++i) {
      line += fmt::format("{}{{\"label\":{},\"score\":{}}}", i == 0 ? "" : ",",
                          label_json(tagger, top.row_labels(row)[i]).dump(), top.row_scores(row)[i]);
    }
    out.write(line + "]}\n");
  }
}

void write_fasttext(const TopLabels& top, const Tagger& tagger, OutputFile& out) {
  for (std::size_t row = 0; row < top.size(); ++row) {
    std::string line;
    for (std::size_t i = 0; i < top.row_labels(row).size(); ++i) {
      line += fmt::format("{}__label__{} {}", i == 0 ? "" : " ", tagger.label_name(top.row_labels(row)[i]),
                          top.row_scores(row)[i]);
    }
    out.write(line + "\n");
  }
}

int run_predict(const PredictArguments& arguments) {
  require(arguments.input.path, "-i FILE");
  require(arguments.model, "-m MODEL");
  if (!arguments.only.empty() && !arguments.without.empty()) {
    fail(ErrorKind::kUsage, "--only and --without do not go together: what --only leaves out need not be listed");
  }
  if (arguments.input.path == "-" && (arguments.only == "-" || arguments.without == "-")) {
    fail(ErrorKind::kUsage, "standard input can be the rows or the list of labels, not both");
  }
  Session session(arguments.common);
  check_not_input(arguments.output, {arguments.model, arguments.input.path, arguments.only, arguments.without});
  const IfExists policy = output_policy(arguments.output, arguments.force);
  const Tagger tagger = Tagger::load(arguments.model, session.run());
  const std::optional<LabelFilter> allowed = read_filter(arguments, tagger);
  const ModelRows input = session.read_for(tagger, arguments.input, false);
  OutputFile out(arguments.output, policy);  // while we wait for rows there is nothing that an interrupt could leave
  const std::size_t k = arguments.k.value_or(arguments.threshold ? tagger.n_labels() : kLabelsARow);
  TopLabels top = tagger.tag(input.rows.features.rows(), k, session.run(), allowed ? &*allowed : nullptr);
  if (arguments.threshold) top = above_threshold(top, static_cast<float>(*arguments.threshold));

  const std::string format = !arguments.format.empty() ? arguments.format : tagger.takes_texts() ? "jsonl" : "xmlrepo";
  if (format == "jsonl") write_jsonl(top, tagger, input.document_ids, out);
  if (format == "fasttext") write_fasttext(top, tagger, out);
  if (format == "xmlrepo") write_predictions_xmlrepo(top, tagger.n_labels(), tagger.first_ids().label, out);
  out.commit();
  return 0;
}

}  // namespace

Runner define_predict(CLI::App& app) {
  auto arguments = std::make_shared<PredictArguments>();
  app.add_option("-m,--model", arguments->model, "model file");
  add_input_options(app, arguments->input, "rows to predict for; - is standard input");
  app.add_option("-o,--output", arguments->output, "file to write; - is standard output")->capture_default_str();
  app.add_option("-k", arguments->k, "labels a row, at most; 5, or with --threshold all")
      ->check(whole_number(1, 1'000'000));
  app.add_option("-t,--threshold", arguments->threshold, "only labels that score at least this")
      ->check(finite_number());
  app.add_option("--only", arguments->only, "file of labels, one a line: the best of these");
  app.add_option("--without", arguments->without, "file of labels, one a line: the best of all others");
  app.add_option("--format", arguments->format,
                 "how to write predictions: jsonl (for texts), xmlrepo (numbers; for sparse rows), fasttext")
      ->check(CLI::IsMember({"xmlrepo", "jsonl", "fasttext"}));
  app.add_flag("--force", arguments->force, "replace an existing output file");
  add_common_options(app, arguments->common);
  app.footer("Example:\n  xylem predict -m tags.xylem -i test.txt -k 5 -o predictions.txt");
  return [arguments] { return run_predict(*arguments); };
}

}  // namespace xylem::cli
