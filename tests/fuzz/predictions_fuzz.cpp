// SPDX-License-Identifier: Apache-2.0
// Files of predictions in any format, and matching them with rows and labels: with names, with numbers, or with
// neither.
#include <cstdlib>

#include "data/match_predictions.h"
#include "data/predictions.h"
#include "fuzz_file.h"
#include "xylem/error.h"

namespace {

using namespace xylem;

void check(const TopLabels& top) {
  for (std::size_t row = 0; row < top.size(); ++row) {
    const auto scores = top.row_scores(row);
    for (std::size_t i = 1; i < scores.size(); ++i) {
      if (!(scores[i - 1] >= scores[i])) std::abort();
    }
  }
}

// As many rows as there are predictions, the last without an id; labels called a, b and a.
EvaluatedRows rows_for(const Predictions& predictions, bool named) {
  EvaluatedRows rows;
  rows.n_rows = predictions.top.size();
  for (std::size_t row = 0; row < predictions.document_ids.size(); ++row) {
    rows.document_ids.push_back(predictions.document_ids[predictions.document_ids.size() - 1 - row]);
  }
  rows.n_labels = 3;
  if (!named) {
    rows.first_number = 0;
    return rows;
  }
  for (const char* name : {"a", "b", "a"}) rows.label_names.push_back(name);
  for (const char* id : {"u", "", "v"}) rows.label_ids.push_back(id);
  return rows;
}

void match(const Predictions& predictions, bool named) {
  const EvaluatedRows rows = rows_for(predictions, named);
  const MatchedPredictions matched = match_predictions(predictions, rows);
  check(matched.top);
  if (matched.top.size() != rows.n_rows) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  try {
    PredictionOptions options;
    if (size % 3 > 0) options.first_label = size % 3 - 1;
    Predictions predictions = read_predictions(fuzz::file_of(bytes, size), options);
    check(predictions.top);
    const bool numbers = predictions.format == "xmlrepo";
    if (numbers && options.first_label) match(predictions, false);
    if (numbers) {
      LabelNames names;
      for (const char* name : {"a", "", "c"}) names.names.push_back(name);
      name_predicted_labels(predictions, names, options.first_label);
    }
    match(predictions, size % 2 == 0);
  } catch (const Error&) {
  }
  return 0;
}
