// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>

#include "cli/commands.h"
#include "cli/eval_output.h"
#include "cli/session.h"
#include "cli/streams.h"
#include "core/fail.h"
#include "core/numbers.h"
#include "core/parallel.h"
#include "core/text.h"
#include "data/predictions.h"
#include "xylem/metrics.h"
#include "xylem/tagger.h"

namespace xylem::cli {
namespace {

struct EvalArguments {
  CommonOptions common;
  InputOptions input;
  std::string model;
  std::string predictions;
  std::string truth;
  std::string train;
  std::string versus;
  std::vector<std::size_t> at = EvalOptions().ks;
  std::optional<double> threshold;
  std::vector<double> propensity = {Propensity().a, Propensity().b};
  std::size_t bootstrap = EvalOptions().bootstrap;
  std::uint64_t seed = 1;
  std::string per_label;
  bool force = false;
  std::vector<std::string> minimum;
};

// What is evaluated, wherever it came from.
struct Subject {
  LabelLists truth;
  TopLabels predictions;
  TrainingCounts counts;
  Label first_label = 0;
  TextList names;  // of the labels, where they have any
  std::optional<PredictCost> cost;
};

constexpr std::uint64_t kNoLimit = std::numeric_limits<std::uint64_t>::max();

Subject from_model(const EvalArguments& arguments, Session& session) {
  require(arguments.input.path, "-i FILE");
  Stopwatch stopwatch;
  const Tagger tagger = Tagger::load(arguments.model, session.run());
  const Cost load = stopwatch.lap();
  Dataset data = session.read_for(tagger, arguments.input, true).rows;
  stopwatch.lap();
  Subject subject;
  // A threshold asks for all labels that reach it, however many there are.
  const std::size_t k = arguments.threshold ? tagger.n_labels() : std::ranges::max(arguments.at);
  subject.predictions = tagger.tag(data.features.rows(), k, session.run());
  subject.cost = PredictCost{load, stopwatch.lap(), data.size()};
  subject.truth = std::move(data.labels);
  subject.counts = tagger.training_counts();
  subject.first_label = tagger.first_ids().label;
  subject.names = tagger.takes_texts() ? std::move(data.label_names) : tagger.label_names();
  return subject;
}

// Predictions for the rows of the truth.
TopLabels read_for(const Subject& subject, const std::string& path) {
  TopLabels predictions = read_predictions(path, subject.first_label).top;
  if (predictions.size() != subject.truth.size()) {
    fail(ErrorKind::kData, "{}: found predictions for {} rows, expected {}, as many as there are test rows", path,
         predictions.size(), subject.truth.size());
  }
  return predictions;
}

Subject from_files(const EvalArguments& arguments, Session& session) {
  const std::string& truth = arguments.truth.empty() ? arguments.input.path : arguments.truth;
  require(truth, "--truth FILE");
  require(arguments.train, "--train FILE");
  Subject subject;
  Dataset train = session.read(arguments.train, arguments.input, std::nullopt, kNoLimit);
  session.name_labels(train, arguments.input);
  subject.counts = {train.size(), label_counts(train)};
  subject.first_label = train.first_ids.label;
  subject.truth = session.read_beside(space_of(train), truth, arguments.input).labels;
  subject.names = std::move(train.label_names);
  subject.predictions = read_for(subject, arguments.predictions);
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

int run_eval(EvalArguments& arguments) {
  std::ranges::sort(arguments.at);
  arguments.at.erase(std::unique(arguments.at.begin(), arguments.at.end()), arguments.at.end());
  if (arguments.model.empty() == arguments.predictions.empty()) {
    fail(ErrorKind::kUsage, "either -m MODEL -i FILE or --predictions FILE --truth FILE --train FILE is needed");
  }
  if (!arguments.model.empty() && !(arguments.truth.empty() && arguments.train.empty())) {
    fail(ErrorKind::kUsage,
         "--truth and --train go with --predictions; a model knows its training rows, -i names the test rows");
  }
  if (!arguments.model.empty() && !arguments.input.label_names.empty()) {
    fail(ErrorKind::kUsage, "--label-names goes with --predictions; a model knows the names it was trained with");
  }
  if (arguments.per_label == "-") fail(ErrorKind::kUsage, "--per-label -: the table needs a file of its own");
  const EvalOptions options{arguments.at,
                            arguments.threshold,
                            {arguments.propensity[0], arguments.propensity[1]},
                            arguments.bootstrap,
                            arguments.seed};
  if (!arguments.versus.empty() && arguments.bootstrap == 0) {
    fail(ErrorKind::kUsage, "--versus compares on resamples, and --bootstrap 0 allows none");
  }
  const std::vector<Gate> gates = parse_gates(arguments.minimum, options);
  Session session(arguments.common);
  std::optional<OutputFile> per_label;
  if (!arguments.per_label.empty()) {
    per_label.emplace(arguments.per_label, output_policy(arguments.per_label, arguments.force));
  }

  const Subject subject = arguments.model.empty() ? from_files(arguments, session) : from_model(arguments, session);
  Evaluation evaluation;
  std::vector<PairedFigure> paired;
  with_threads(arguments.common.threads, [&] {
    evaluation = evaluate(subject.truth, subject.predictions, subject.counts, options, session.run());
    if (!arguments.versus.empty()) {
      const TopLabels other = read_for(subject, arguments.versus);
      paired = compare(subject.truth, subject.predictions, other, subject.counts, options, session.run());
    }
  });

  if (evaluation.rows_without_labels == evaluation.rows) session.warn("no test row has a label: all figures are 0");
  if (per_label) {
    write_per_label(evaluation, subject.first_label, subject.names, *per_label);
    per_label->commit();
  }
  print_result(arguments.common.json ? evaluation_json(evaluation, paired, subject.cost)
                                     : evaluation_text(evaluation, paired, subject.cost, options));
  check_gates(evaluation, gates);
  return 0;
}

}  // namespace

Runner define_eval(CLI::App& app) {
  auto arguments = std::make_shared<EvalArguments>();
  app.add_option("-m,--model", arguments->model, "model to evaluate on the input");
  add_input_options(app, arguments->input, "test rows with their labels; - is standard input");
  app.add_option("--predictions", arguments->predictions, "instead of a model: a prediction file, `label:score` a row");
  app.add_option("--truth", arguments->truth, "with --predictions: the test rows; -i does too");
  app.add_option("--train", arguments->train, "with --predictions: the training rows, for label frequencies");
  add_label_names_option(app, arguments->input);
  app.add_option("--versus", arguments->versus, "a second prediction file to compare with, row by row");
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
      "  xylem eval --predictions mine.txt --truth test.txt --train train.txt --versus theirs.txt");
  return [arguments] { return run_eval(*arguments); };
}

}  // namespace xylem::cli
