// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "xylem/model.h"
#include "xylem/run.h"

namespace xylem {

enum class RowScale { kAsGiven, kUnit };

// The k best labels of all rows: the one loop over blocks and threads around Model::predict. With kUnit the model sees
// every row scaled to length 1. `allowed` has an entry for each label: then the k best are of those that are true, and
// the model is asked for more and more labels until there are k of them, or it knows no further ones.
TopLabels predict_rows(const Model& model, const RowBlock& rows, RowScale scale, std::size_t k, const Run& run,
                       const std::vector<bool>* allowed = nullptr);

}  // namespace xylem
