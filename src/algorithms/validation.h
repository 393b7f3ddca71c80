// SPDX-License-Identifier: Apache-2.0
// The figure on validation rows by which methods choose: nDCG@5, in percent.
#pragma once

#include <cstddef>

#include "xylem/dataset.h"
#include "xylem/model.h"
#include "xylem/run.h"

namespace xylem {

inline constexpr std::size_t kFigureDepth = 5;  // labels of a row that count

// Of as many rows as were predicted.
double validation_figure(const LabelLists& truth, const TopLabels& predictions);
// Of a model whose rows are scaled as those of `valid` are.
double validation_figure(const Model& model, const Dataset& valid, const Run& run);

}  // namespace xylem
