// SPDX-License-Identifier: Apache-2.0
#include "algorithms/validation.h"

#include "algorithms/predict.h"
#include "metrics/row_figures.h"

namespace xylem {

double validation_figure(const LabelLists& truth, const TopLabels& predictions) {
  return ndcg(truth, predictions, kFigureDepth);
}

double validation_figure(const Model& model, const Dataset& valid, const Run& run) {
  return validation_figure(valid.labels,
                           predict_rows(model, valid.features.rows(), RowScale::kAsGiven, kFigureDepth, run));
}

}  // namespace xylem
