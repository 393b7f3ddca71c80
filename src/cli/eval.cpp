// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>
#include <optional>

#include "cli/commands.h"
#include "cli/eval_output.h"
#include "cli/eval_predictions.h"
#include "cli/eval_rows.h"
#include "cli/output_checks.h"
#include "cli/session.h"
#include "cli/streams.h"
#include "core/fail.h"
#include "core/numbers.h"
#include "core/parallel.h"
#include "core/stopwatch.h"
#include "core/text.h"
#include "xylem/metrics.h"
#include "xylem/tagger.h"

namespace xylem::cli {
namespace {

struct EvalArguments {
  CommonOptions common;
  InputOptions input;
  std::string model;
  std::string truth;
  std::string train;
  PredictionFile predictions{.label_names_option = "--label-names"};
  PredictionFile versus{.label_names_option = "--versus-label-names"};
  std::string versus_model;
  std::vector<std::size_t> at = EvalOptions().ks;
  std::optional<double> threshold;
  std::vector<double> propensity = {Propensity().a, Propensity().b};
  std::size_t bootstrap = EvalOptions().bootstrap;
  std::uint64_t seed = 1;
  std::string per_label;
  bool force = false;
  std::vector<std::string> minimum;

  bool compares() const { return !versus.path.empty() || !versus_model.empty(); }
};

// What is evaluated, wherever it came from.
struct Subject {
  TestRows rows;
  MatchedPredictions predictions;
  std::optional<PredictCost> cost;           // of a model
  std::optional<MatchReport> matched;        // of a file
  std::optional<MatchedPredictions> second;  // of a second file or model
};

// Test rows for a model, with its predictions unless these are in a file.
void read_for(const EvalArguments& arguments, SecondModel* second, Session& session, Subject& subject) {
  Stopwatch stopwatch;
  const Tagger tagger = Tagger::load(arguments.model, session.run());
  const Cost load = stopwatch.lap();
  subject.rows = rows_beside(tagger, arguments.input);
  if (second != nullptr) second->check_takes(subject.rows);
  const WantedLabels wanted = evaluated_labels(tagger, std::ranges::max(arguments.at), arguments.threshold);
  const bool tags = arguments.predictions.path.empty();
  Run quiet = session.run();
  quiet.on_progress = nullptr;  // that of the input says more
  Cost predict;
  const auto use = [&](const ModelRows& block) {
    stopwatch.lap();
    if (tags) {
      subject.predictions.top.append(tag(tagger, {block.features.rows(), views_of(block.texts)}, wanted, quiet));
    }
    predict += stopwatch.lap();
    if (second != nullptr) second->tag(block, session);
  };
  read_test_rows(tagger, arguments.input, use, session, subject.rows);
  if (tags) subject.cost = PredictCost{load, predict, subject.rows.known.n_rows};
}

void read_beside(const EvalArguments& arguments, SecondModel* second, Session& session, Subject& subject) {
  subject.rows = rows_beside(arguments.train, arguments.input, session);
  UseModelRows use;
  if (second != nullptr) {
    second->check_takes(subject.rows);
    use = [&](const ModelRows& block) { second->tag(block, session); };
  }
  read_test_rows(arguments.train, arguments.input, use, session, subject.rows);
}

Subject read_subject(EvalArguments& arguments, Session& session) {
  if (!arguments.truth.empty()) arguments.input.path = arguments.truth;
  Subject subject;
  std::optional<SecondModel> second;
  if (!arguments.versus_model.empty()) {
    second.emplace(arguments.versus_model, std::ranges::max(arguments.at), arguments.threshold, session);
  }
  (arguments.model.empty() ? read_beside : read_for)(arguments, second ? &*second : nullptr, session, subject);
  if (!arguments.predictions.path.empty()) {
    // Names of labels that are numbers in the data are those of the numbers in the predictions, too.
    const bool are_of_data = arguments.model.empty() && subject.rows.numbers;
    arguments.predictions.label_names = are_of_data ? "" : arguments.input.label_names;
    subject.predictions = predictions_in(arguments.predictions, subject.rows, arguments.input, session);
    subject.matched = subject.predictions.report;
  }
  if (second) subject.second = second->matched(subject.rows, session);
  if (!arguments.versus.path.empty()) {
    subject.second = predictions_in(arguments.versus, subject.rows, arguments.input, session);
  }
  return subject;
}

struct Gate {
  std::string figure;
  double least;
};

Gate parse_gate(const std::string& text) {
  const std::size_t equals = text.rfind('=');
  const auto least = equals == std::string::npos ? std::nullopt : parse_number<double>(text.substr(equals + 1));
  if (!least) fail(ErrorKind::kUsage, "--min {}: expected a figure and a number, like P@1=80", quote(text));
  return {text.substr(0, equals), *least};
}

// Also finds out, before any work, whether the options make sense: no rows have the same figures as many.
std::vector<Gate> parse_gates(const std::vector<std::string>& texts, EvalOptions options) {
  options.bootstrap = 0;
  const Evaluation empty = evaluate({}, {}, {}, options);
  std::vector<Gate> gates;
  for (const std::string& text : texts) {
    gates.push_back(parse_gate(text));
    empty.figure(gates.back().figure);
  }
  return gates;
}

void check_gates(const Evaluation& evaluation, const std::vector<Gate>& gates) {
  for (const Gate& gate : gates) {
    const double value = evaluation.figure(gate.figure).value;
    if (value < gate.least)
      fail(ErrorKind::kGate, "{} is {:.2f}, at least {} was asked for", gate.figure, value, gate.least);
  }
}

void check_sources(const EvalArguments& arguments) {
  const bool file = !arguments.predictions.path.empty();
  if (arguments.model.empty() && !file) {
    fail(ErrorKind::kUsage,
         "either -m MODEL -i FILE or --predictions FILE --truth FILE with --train FILE or -m MODEL is needed");
  }
  if (!file && !(arguments.truth.empty() && arguments.train.empty())) {
    fail(ErrorKind::kUsage,
         "--truth and --train go with --predictions; a model knows its training rows, -i names the test rows");
  }
  if (!file && !arguments.input.label_names.empty()) {
    fail(ErrorKind::kUsage,
         "--label-names goes with --predictions; a model knows the names it was trained with, and for the file of "
         "--versus there is --versus-label-names");
  }
  if (!arguments.truth.empty() && !arguments.input.path.empty()) {
    fail(ErrorKind::kUsage, "--truth and -i both name the test rows; expected one of them");
  }
  if (!arguments.model.empty() && !arguments.train.empty()) {
    fail(ErrorKind::kUsage, "-m and --train do not go together: a model knows its training rows");
  }
  if (arguments.truth.empty()) require(arguments.input.path, file ? "--truth FILE" : "-i FILE");
  if (file && arguments.model.empty()) require(arguments.train, "--train FILE or -m MODEL");
}

void check_standard_input(const EvalArguments& arguments) {
  std::vector<const char*> options;
  const auto note = [&](const char* option, const std::string& path) {
    if (path == "-") options.push_back(option);
  };
  for (const std::string& path : all_paths(arguments.input)) note("-i", path);
  note("--truth", arguments.truth);
  note("--train", arguments.train);
  note("--predictions", arguments.predictions.path);
  note("--versus", arguments.versus.path);
  note("--label-names", arguments.input.label_names);
  note("--versus-label-names", arguments.versus.label_names);
  if (options.size() < 2) return;
  fail(ErrorKind::kUsage, "{} - and {} -: standard input can be read only once", options[0], options[1]);
}

void check_comparison(const EvalArguments& arguments) {
  if (!arguments.versus.path.empty() && !arguments.versus_model.empty()) {
    fail(ErrorKind::kUsage, "--versus and --versus-model do not go together: one comparison at a time");
  }
  if (!arguments.versus.label_names.empty() && arguments.versus.path.empty()) {
    fail(ErrorKind::kUsage, "--versus-label-names goes with --versus FILE");
  }
  if (arguments.compares() && arguments.bootstrap == 0) {
    fail(ErrorKind::kUsage, "--versus compares on resamples, and --bootstrap 0 allows none");
  }
}

void check_table(const EvalArguments& arguments) {
  const std::string& path = arguments.per_label;
  if (path == "-") fail(ErrorKind::kUsage, "--per-label -: the table needs a file of its own");
  check_not_input(path, arguments.input,
                  {arguments.model, arguments.truth, arguments.train, arguments.predictions.path, arguments.versus.path,
                   arguments.versus.label_names, arguments.versus_model});
}

void write_table(const Evaluation& evaluation, const Subject& subject, OutputFile& out) {
  TextList names = subject.rows.known.label_names;
  for (std::size_t i = 0; names.size() > 0 && i < subject.predictions.new_labels.size(); ++i) {
    names.push_back(subject.predictions.new_labels[i]);
  }
  write_per_label(evaluation, subject.rows.first_ids.label, names, subject.rows.known.label_ids, out);
  out.commit();
}

int run_eval(EvalArguments& arguments) {
  std::ranges::sort(arguments.at);
  arguments.at.erase(std::unique(arguments.at.begin(), arguments.at.end()), arguments.at.end());
  check_sources(arguments);
  check_standard_input(arguments);
  check_comparison(arguments);
  check_table(arguments);
  const EvalOptions options{arguments.at,
                            arguments.threshold,
                            {arguments.propensity[0], arguments.propensity[1]},
                            arguments.bootstrap,
                            arguments.seed};
  const std::vector<Gate> gates = parse_gates(arguments.minimum, options);
  Session session(arguments.common);
  std::optional<OutputFile> per_label;
  if (!arguments.per_label.empty()) {
    per_label.emplace(arguments.per_label, output_policy(arguments.per_label, arguments.force));
  }

  const Subject subject = read_subject(arguments, session);
  const TestRows& rows = subject.rows;
  EvaluationReport report{.cost = subject.cost, .predictions = subject.matched, .unknown = unknown_labels(rows)};
  with_threads(arguments.common.threads, [&] {
    Evaluator first(rows.counts, options);
    first.add(rows.labels, subject.predictions.top, session.run());
    report.evaluation = first.result();
    if (!subject.second) return;
    report.versus = subject.second->report;
    Evaluator second(rows.counts, options);
    second.add(rows.labels, subject.second->top, session.run());
    report.paired = compare(first, second);
  });

  const Evaluation& evaluation = report.evaluation;
  if (evaluation.rows_without_labels == evaluation.rows) session.warn("no test row has a label: all figures are 0");
  warn_of(report.unknown, rows, arguments.predictions.path.empty(), session);
  if (per_label) write_table(evaluation, subject, *per_label);
  print_result(arguments.common.json ? evaluation_json(report) : evaluation_text(report, options));
  check_gates(evaluation, gates);
  return 0;
}

void add_prediction_format_option(CLI::App& app, const std::string& name, PredictionFile& file) {
  std::vector<std::string> formats = {"auto"};
  for (const std::string_view format : prediction_formats()) formats.emplace_back(format);
  app.add_option(name, file.format, "format of the predictions")->capture_default_str()->check(one_of(formats));
}

}  // namespace

Runner define_eval(CLI::App& app) {
  auto arguments = std::make_shared<EvalArguments>();
  app.add_option("-m,--model", arguments->model, "model to evaluate on the input");
  add_input_options(app, arguments->input, "test rows with their labels; - is standard input", HowMany::kSeveral);
  app.add_option("--predictions", arguments->predictions.path,
                 "file of predictions to evaluate: JSONL, `label:score` per row, or fastText's output");
  app.add_option("--truth", arguments->truth, "with --predictions: the test rows; -i does too");
  app.add_option("--train", arguments->train,
                 "with --predictions: the training rows, for label frequencies; or -m, a model that knows them");
  add_label_names_option(app, arguments->input);
  app.add_option("--versus", arguments->versus.path, "a second file of predictions to compare with, row by row");
  app.add_option("--versus-label-names", arguments->versus.label_names,
                 "file of names for the labels of --versus, if they are numbers");
  app.add_option("--versus-model", arguments->versus_model, "a second model to compare with, row by row");
  add_prediction_format_option(app, "--predictions-format", arguments->predictions);
  add_prediction_format_option(app, "--versus-format", arguments->versus);
  app.add_option("--at", arguments->at, "the k of P@k and the others")
      ->delimiter(',')
      ->capture_default_str()
      ->check(whole_number(1, 1'000'000));
  app.add_option("-t,--threshold", arguments->threshold, "also F1 of the labels that score at least this")
      ->check(finite_number());
  app.add_option("--propensity", arguments->propensity, "A,B of the propensity model")
      ->delimiter(',')
      ->expected(2)
      ->capture_default_str()
      ->check(finite_number());
  app.add_option("--bootstrap", arguments->bootstrap, "resamples for the 95 % intervals; 0: none")
      ->capture_default_str()
      ->check(whole_number(0, 1'000'000));
  app.add_option("--seed", arguments->seed, "of the resampling")->capture_default_str()->check(whole_number());
  app.add_option("--per-label", arguments->per_label, "file for a table of all labels");
  app.add_flag("--force", arguments->force, "replace an existing --per-label file");
  app.add_option("--min", arguments->minimum, "exit with 7 where a figure is lower, like P@1=80; may be repeated")
      ->allow_extra_args(false);
  add_common_options(app, arguments->common);
  add_json_option(app, arguments->common);
  app.footer(
      "Examples:\n  xylem eval -m tags.xylem -i test.txt --min P@1=60\n"
      "  xylem eval -m tags.xylem -i test.txt --versus-model other.xylem\n"
      "  xylem eval --predictions mine.txt --truth test.txt --train train.txt --versus theirs.txt");
  return [arguments] { return run_eval(*arguments); };
}

}  // namespace xylem::cli
