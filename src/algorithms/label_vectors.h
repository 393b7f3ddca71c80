// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "xylem/model.h"

namespace xylem {

// The k labels other than `label` with the largest cosine to its vector, as one row. Vectors of zeros have no cosine:
// their labels are left out, and such a label itself has none.
TopLabels nearest_labels(const LabelVectors& vectors, Label label, std::size_t n_labels, std::size_t k);

}  // namespace xylem
