// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "metrics/row_figures.h"
#include "xylem/metrics.h"

namespace xylem {

// Rows that have a label, and no label above the tail.
struct TailRowList {
  std::vector<std::size_t> rows;
  std::size_t rows_unseen = 0;  // of them, those whose labels are all unseen
};

TailRowList find_tail_rows(const LabelLists& truth, const TrainingCounts& counts);

// What these rows add to P, PSP and R: the part of `all` that tail figures are made of.
RowFigures tail_figures(const RowFigures& all, const std::vector<std::size_t>& rows);

}  // namespace xylem
