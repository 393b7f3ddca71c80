// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "xylem/sparse.h"

namespace xylem {

// The rows of all parts, one after the other; the parts are used up.
SparseMatrix join_rows(std::vector<SparseMatrix>& parts, std::size_t n_columns);

// A row for each, with 1 for every label in it.
SparseMatrix label_sets(const LabelLists& labels, std::size_t n_labels);

// For every label the rows that have it, rising. Rows are numbered by their place in `order`, which names each once.
LabelLists rows_of_labels(const LabelLists& labels, std::size_t n_labels, std::span<const std::uint32_t> order);
LabelLists rows_of_labels(const LabelLists& labels, std::size_t n_labels);

}  // namespace xylem
