// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "xylem/model.h"
#include "xylem/run.h"

namespace xylem {

enum class RowScale { kAsGiven, kUnit };

// The k best labels of all rows: the one loop over blocks and threads around Model::predict. With kUnit the model sees
// every row scaled to length 1.
TopLabels predict_rows(const Model& model, SparseRows rows, RowScale scale, std::size_t k, const Run& run);

}  // namespace xylem
