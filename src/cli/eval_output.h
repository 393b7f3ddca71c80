// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/eval_rows.h"
#include "core/file.h"
#include "core/stopwatch.h"
#include "data/match_predictions.h"
#include "xylem/metrics.h"
#include "xylem/text_list.h"

namespace xylem::cli {

struct PredictCost {
  Cost load;
  Cost predict;
  std::size_t rows = 0;
};

struct EvaluationReport {
  Evaluation evaluation = {};
  std::optional<PredictCost> cost = {};         // of a model
  std::optional<MatchReport> predictions = {};  // of a file of predictions
  UnknownLabels unknown = {};                   // of the test rows
  // Of a second file or model:
  std::optional<MatchReport> versus = {};
  std::vector<PairedFigure> paired = {};
};

// Tables for people.
std::string evaluation_text(const EvaluationReport& report, const EvalOptions& options);

// One JSON object; every figure is a key of its own.
std::string evaluation_json(const EvaluationReport& report);

// One line per label, separated by tabs, with a heading. A label is its name, or its number if it has none; the last
// column is its identifier, if labels have any.
void write_per_label(const Evaluation& evaluation, Label first_label, const TextList& names, const TextList& ids,
                     OutputFile& out);

}  // namespace xylem::cli
