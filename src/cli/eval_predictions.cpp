// SPDX-License-Identifier: Apache-2.0
#include "cli/eval_predictions.h"

#include <fmt/format.h>

#include <utility>

#include "core/fail.h"
#include "data/byte_source.h"
#include "data/label_table.h"

namespace xylem::cli {
namespace {

void name_labels(const PredictionFile& file, const TestRows& rows, const InputOptions& input,
                 Predictions& predictions) {
  const bool numbers = predictions.format == "xmlrepo";
  if (file.label_names.empty() && (!numbers || rows.numbers)) return;
  if (file.label_names.empty()) {
    fail(ErrorKind::kUsage,
         "{} has numbers for labels, and the texts have names: {} FILE says which number has which name; "
         "`xylem predict --write-label-names FILE` writes it beside the predictions",
         file.path, file.label_names_option);
  }
  if (!numbers && rows.numbers && rows.known.label_names.size() == 0) {
    number_predicted_labels(predictions, read_label_names(file.label_names),
                            first_id(input).value_or(rows.first_ids.label));
    return;
  }
  if (!numbers || rows.known.label_names.size() == 0) {
    fail(ErrorKind::kUsage, "{} {} is for predictions with numbers for labels that have names; {}",
         file.label_names_option, file.label_names,
         numbers ? "the labels of the test rows are numbers, too" : file.path + " has names");
  }
  name_predicted_labels(predictions, read_label_names(file.label_names), first_id(input));
}

void report(const std::string& path, const MatchReport& report, Session& session) {
  const auto count = [&](std::size_t n, const std::string& what) {
    if (n > 0) session.warn(fmt::format("{}: {}: {}", display_name(path), what, n));
  };
  if (report.ids_on_one_side) {
    session.warn(
        fmt::format("{}: rows are matched by position, because only the predictions or only the test rows have "
                    "document ids",
                    display_name(path)));
  }
  count(report.shared_names, "predicted names that several labels share, each taken for the first of them");
  count(report.unknown_labels,
        fmt::format("predicted labels that neither a training nor a test row has, wrong wherever they stand ({} times)",
                    report.unknown_predictions));
  count(report.repeated_labels, "labels predicted again for the same row, counted as wrong");
  count(report.missing_rows, "test rows without predictions, as none has their id");
  count(report.unknown_rows, "predictions for documents that are no test rows, ignored");
}

}  // namespace

MatchedPredictions predictions_in(const PredictionFile& file, const TestRows& rows, const InputOptions& input,
                                  Session& session) {
  PredictionOptions options{file.format, {}};
  if (rows.numbers && file.label_names.empty()) options.first_label = rows.first_ids.label;
  Predictions predictions = read_predictions(file.path, options);
  predictions.names_option = file.label_names_option;
  name_labels(file, rows, input, predictions);
  MatchedPredictions matched = match_predictions(predictions, rows.known);
  session.say(fmt::format("{}: read as {}, rows matched by {}{}", predictions.file, predictions.format,
                          matched.report.by_document_id ? "document id" : "position",
                          predictions.scored ? "" : ", labels without scores taken in the order of the file"));
  report(file.path, matched.report, session);
  return matched;
}

WantedLabels evaluated_labels(const Tagger& tagger, std::size_t k, std::optional<double> threshold) {
  return {.candidates = threshold ? tagger.n_labels() : k, .threshold = threshold, .at_least = k};
}

SecondModel::SecondModel(const std::string& path, std::size_t k, std::optional<double> threshold, Session& session)
    : path_(path), tagger_(Tagger::load(path, session.run())), wanted_(evaluated_labels(tagger_, k, threshold)) {}

void SecondModel::check_takes(const TestRows& rows) const {
  if (tagger_.takes_texts() != rows.are_texts) {
    fail(ErrorKind::kUsage, "{} was trained on {}, and {} has {}: both models must take the same kind of input", path_,
         tagger_.takes_texts() ? "texts" : "sparse rows", rows.path, rows.are_texts ? "texts" : "sparse rows");
  }
  const FirstIds first = tagger_.first_ids();
  if (!rows.are_texts && first != rows.first_ids) {
    fail(ErrorKind::kUsage,
         "{} counts features from {} and labels from {}, and the test rows count from {} and {}: their numbers mean "
         "different things",
         path_, first.feature, first.label, rows.first_ids.feature, rows.first_ids.label);
  }
}

void SecondModel::tag(const ModelRows& block, Session& session) {
  Run quiet = session.run();
  quiet.on_progress = nullptr;  // that of the input says more
  SparseMatrix own;             // the features of another model are others
  if (tagger_.takes_texts()) own = tagger_.features_of(block.texts, quiet);
  const SparseRows rows = tagger_.takes_texts() ? own.rows() : block.features.rows();
  top_.append(xylem::tag(tagger_, {rows, views_of(block.texts)}, wanted_, quiet));
}

MatchedPredictions SecondModel::matched(const TestRows& rows, Session& session) {
  Predictions predictions;
  predictions.file = path_;
  predictions.top = std::move(top_);
  predictions.document_ids = rows.known.document_ids;
  // Of sparse rows, the numbers are those of the test rows, whether labels have names or not.
  if (rows.are_texts) predictions.label_keys = label_keys(tagger_.label_names(), tagger_.label_ids());
  MatchedPredictions matched = match_predictions(predictions, rows.known);
  report(path_, matched.report, session);
  return matched;
}

}  // namespace xylem::cli
