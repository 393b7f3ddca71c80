// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "cli/continued_file.h"
#include "cli/names_file.h"
#include "cli/output_checks.h"
#include "cli/prediction_sink.h"
#include "cli/read_for_model.h"
#include "cli/session.h"
#include "core/fail.h"
#include "core/file.h"
#include "core/hash.h"
#include "data/label_rules.h"
#include "data/lines.h"
#include "data/predictions.h"
#include "results/prediction_writer.h"
#include "tagger/label_lists.h"
#include "tagger/wanted_labels.h"
#include "xylem/tagger.h"
#include "xylem/version.h"

namespace xylem::cli {
namespace {

constexpr std::size_t kLabelsPerRow = 5;

struct PredictArguments {
  CommonOptions common;
  InputOptions input;
  std::string model;
  std::string output = "-";
  std::optional<std::size_t> k;  // 5; all where there is a threshold
  std::optional<double> threshold;
  std::string format;  // jsonl for texts, xmlrepo for rows
  std::string label_names_out;
  std::string only;
  std::string without;
  bool force = false;
  bool go_on = false;
};

std::optional<LabelFilter> read_filter(const PredictArguments& arguments, const Tagger& tagger) {
  if (!arguments.only.empty()) return filter_of(tagger, read_lines(arguments.only), Listed::kAllowed);
  if (!arguments.without.empty()) return filter_of(tagger, read_lines(arguments.without), Listed::kExcluded);
  return std::nullopt;
}

// Everything besides the model that decides what the rows of the output are.
std::string kept_options(const PredictArguments& arguments, const std::string& format, std::size_t k,
                         const std::optional<LabelFilter>& allowed) {
  const InputOptions& input = arguments.input;
  nlohmann::json options = {{"version", kVersion},
                            {"-k", k},
                            {"--format", format},
                            {"number of -i files", all_paths(input).size()},
                            {"--input-format", input.format},
                            {"--first-id", input.first_id},
                            {"--text-column", input.text_column},
                            {"--label-column", input.label_column},
                            {"--delimiter", input.delimiter},
                            {"--bad-utf8", input.bad_utf8},
                            {"--max-bad-lines", input.max_bad_lines}};
  if (input.label_separator) options["--label-separator"] = std::string(1, *input.label_separator);
  if (arguments.threshold) options["--threshold"] = *arguments.threshold;
  if (allowed) {
    std::string bits;
    for (const bool is_allowed : *allowed) bits += is_allowed ? '1' : '0';
    options["--only or --without"] =
        fmt::format("{} labels (hash {:016x})", std::ranges::count(*allowed, true), hash_bytes(bits));
  }
  // Reading refuses options that are not UTF-8, with a sentence; here they must only do no harm.
  return options.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

// What --write-label-names is to hold. Numbers of labels mean something only to whoever knows their names.
std::string label_names_of(const Tagger& tagger, const PredictArguments& arguments, const std::string& format) {
  if (arguments.label_names_out.empty()) {
    if (format != "xmlrepo" || !tagger.takes_texts()) return "";
    fail(ErrorKind::kUsage,
         "xmlrepo has numbers for labels, and which number is which label only this model knows: --write-label-names "
         "FILE writes their names beside the predictions, or --format jsonl has names");
  }
  if (!tagger.has_label_names()) {
    fail(ErrorKind::kUsage, "--write-label-names {}: the labels of the model are numbers without names",
         arguments.label_names_out);
  }
  return label_names_text(tagger.label_names(), tagger.label_ids(), tagger.first_ids().label);
}

// Everything that can be wrong without reading anything is found here.
void check(const PredictArguments& arguments) {
  require(arguments.input.path, "-i FILE");
  require(arguments.model, "-m MODEL");
  if (!arguments.only.empty() && !arguments.without.empty()) {
    fail(ErrorKind::kUsage, "--only and --without do not go together: what --only leaves out need not be listed");
  }
  const std::vector<std::string> inputs = all_paths(arguments.input);
  if (std::ranges::count(inputs, "-") > 0 && (arguments.only == "-" || arguments.without == "-")) {
    fail(ErrorKind::kUsage, "standard input can be the rows or the list of labels, not both");
  }
  for (const std::string& path : inputs) {
    if (!arguments.go_on || can_be_read_again(path)) continue;
    fail(ErrorKind::kUsage, "--continue: {} can be read only once; put it into a file first",
         path == "-" ? "standard input" : path);
  }
  if (arguments.go_on && arguments.output == "-") {
    fail(ErrorKind::kUsage, "--continue needs -o FILE: what has gone to standard output is not known");
  }
  if (!arguments.label_names_out.empty() && arguments.label_names_out == arguments.output) {
    fail(ErrorKind::kUsage, "{} is to be written twice", arguments.output);
  }
  const auto also_read = {arguments.model, arguments.only, arguments.without};
  for (const std::string& path : {arguments.output, arguments.label_names_out}) {
    check_not_input(path, arguments.input, also_read);
    output_policy(path, arguments.force);
  }
  if (arguments.output == "-") return;
  for (const std::string& path : ContinuedFile::working_files(arguments.output)) {
    if (!is_input(path, arguments.input, also_read)) continue;
    fail(ErrorKind::kUsage,
         "-o {} is written as {} until it is complete, and that is what is read: write to another file",
         arguments.output, path);
  }
}

int run_predict(const PredictArguments& arguments) {
  check(arguments);
  Session session(arguments.common);
  const Tagger tagger = Tagger::load(arguments.model, session.run());
  const std::optional<LabelFilter> allowed = read_filter(arguments, tagger);
  const std::size_t k = arguments.k.value_or(arguments.threshold ? tagger.n_labels() : kLabelsPerRow);
  const std::string format = !arguments.format.empty() ? arguments.format : tagger.takes_texts() ? "jsonl" : "xmlrepo";
  const PredictionWriter writer(format, tagger);
  if (format == "fasttext") {
    const std::string warning = shared_names_warning(tagger.label_names(), tagger.label_ids(), format);
    if (!warning.empty()) session.warn(warning);
  }
  const std::string label_names = label_names_of(tagger, arguments, format);
  PredictionSink sink({.path = arguments.output,
                       .force = arguments.force,
                       .go_on = arguments.go_on,
                       .can_be_continued = std::ranges::all_of(all_paths(arguments.input), can_be_read_again)},
                      writer, {tagger.checksum(), kept_options(arguments, format, k, allowed)});
  NamesFile names(arguments.label_names_out, label_names, arguments.force);
  if (sink.done().rows > 0) session.say(fmt::format("continuing after {} rows", sink.done().rows));

  Run quiet = session.run();
  quiet.on_progress = nullptr;  // that of the input says more
  std::size_t n_rows = 0, n_unknown = 0;
  const auto predict = [&](const ModelRows& block) {
    n_rows += block.size();
    for (std::size_t i = 0; i < block.size(); ++i) n_unknown += block.features[i].size() == 0 ? 1 : 0;
    sink.write(tag(tagger, {block.features.rows(), views_of(block.texts)}, {k, arguments.threshold}, quiet,
                   allowed ? &*allowed : nullptr),
               block);
  };
  try {
    read_for_model(session, tagger, arguments.input, LabelsMatter::kNo, "predict", predict, sink.done());
    sink.commit();
    names.commit();
  } catch (...) {
    if (sink.kept_rows() > 0) {
      session.say(fmt::format("{} has {} rows; --continue goes on with them",
                              ContinuedFile::working_files(arguments.output)[0], sink.kept_rows()));
    }
    throw;
  }
  if (n_unknown > 0) {
    session.say(fmt::format("{} without any {} that the model knows, which all get the same labels: {} of {}",
                            tagger.takes_texts() ? "texts" : "rows", tagger.takes_texts() ? "word" : "feature",
                            n_unknown, n_rows));
  }
  return 0;
}

}  // namespace

Runner define_predict(CLI::App& app) {
  auto arguments = std::make_shared<PredictArguments>();
  app.add_option("-m,--model", arguments->model, "model file");
  add_input_options(app, arguments->input, "rows to predict for; - is standard input", HowMany::kSeveral);
  app.add_option("-o,--output", arguments->output, "file to write; - is standard output")->capture_default_str();
  app.add_option("-k", arguments->k, "at most this many labels per row; 5, or all with --threshold")
      ->check(whole_number(1, 1'000'000));
  app.add_option("-t,--threshold", arguments->threshold, "only labels that score at least this")
      ->check(finite_number());
  app.add_option("--only", arguments->only, "file of labels, by name or identifier, one per line: the best of these");
  app.add_option("--without", arguments->without, "the same: the best of all others");
  std::vector<std::string> formats;
  for (const std::string_view format : prediction_formats()) formats.emplace_back(format);
  app.add_option("--format", arguments->format,
                 "how to write predictions: jsonl (for texts), xmlrepo (numbers; for sparse rows), fasttext")
      ->check(one_of(formats));
  app.add_option("--write-label-names", arguments->label_names_out,
                 "file for the numbers and names of the labels; texts are written as xmlrepo only with it");
  app.add_flag("--force", arguments->force, "replace existing output files");
  app.add_flag("--continue", arguments->go_on, "continue FILE.part, left by an interrupted run with the same options");
  add_common_options(app, arguments->common);
  app.footer("Example:\n  xylem predict -m tags.xylem -i test.txt -k 5 -o predictions.txt");
  return [arguments] { return run_predict(*arguments); };
}

}  // namespace xylem::cli
