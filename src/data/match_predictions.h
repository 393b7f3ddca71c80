// SPDX-License-Identifier: Apache-2.0
// Predictions from anywhere, in terms of the labels and rows that they are evaluated on.
#pragma once

#include <cstddef>
#include <optional>

#include "data/predictions.h"
#include "xylem/corpus.h"
#include "xylem/sparse.h"

namespace xylem {

// What predictions are evaluated on.
struct EvaluatedRows {
  std::size_t n_rows = 0;
  TextList document_ids;  // one for each row, empty for a row without; or none at all
  std::size_t n_labels = 0;
  TextList label_names, label_ids;    // one for each label, or none at all
  std::optional<Label> first_number;  // what data call the first label, if they have numbers for labels
};

struct MatchReport {
  bool by_document_id = false;          // else row by row
  bool ids_on_one_side = false;         // every row has a document id in the predictions, or in the truth, not in both
  std::size_t shared_names = 0;         // predicted names that several labels share: each is the first of them
  std::size_t unknown_labels = 0;       // labels that are predicted, and nobody knows: they count as wrong
  std::size_t unknown_predictions = 0;  // how often
  std::size_t repeated_labels = 0;      // predictions that name a label a second time for a row: they count as wrong
  std::size_t missing_rows = 0;         // rows without predictions, as none has their id
  std::size_t unknown_rows = 0;         // predictions for documents that are not evaluated: ignored
};

struct MatchedPredictions {
  TopLabels top;        // for every row; labels from n_labels on are the unknown ones
  TextList new_labels;  // what these are called, if labels have names
  MatchReport report;
};

// Labels are matched by identifier, by name, or by number if the data have numbers; numbers in `predictions` without
// label_keys are places among the labels. Rows are matched by document id if both sides have one for every row, else by
// position. Throws kData if rows or labels do not match at all.
MatchedPredictions match_predictions(const Predictions& predictions, const EvaluatedRows& rows);

// Gives predictions that have numbers for labels their names. `first_label` is the number of the first name if `names`
// has no numbers; without it, the only one of 0 and 1 that fits. Throws kUsage if both fit, and kData for a number
// without a name.
void name_predicted_labels(Predictions& predictions, const LabelNames& names, std::optional<Label> first_label);

// The reverse: names become the numbers that data have for these labels. `first_label` is that of the first name if
// `names` has no numbers. What is a number already stays one; throws kData for another name that is not there.
void number_predicted_labels(Predictions& predictions, const LabelNames& names, Label first_label);

}  // namespace xylem
