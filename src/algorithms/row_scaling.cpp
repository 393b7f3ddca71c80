// SPDX-License-Identifier: Apache-2.0
#include "algorithms/row_scaling.h"

#include <cmath>

#include "core/parallel.h"

namespace xylem {
namespace {

void scale_row(SparseMatrix& rows, std::size_t row) {
  const double scale = unit_scale(rows[row]);
  for (std::uint64_t i = rows.offsets[row]; i < rows.offsets[row + 1]; ++i) {
    rows.values[i] = static_cast<float>(rows.values[i] * scale);
  }
}

}  // namespace

double unit_scale(SparseRow row) {
  double squares = 0;  // no finite float overflows it
  for (const float value : row.values) squares += static_cast<double>(value) * value;
  return squares > 0 ? 1 / std::sqrt(squares) : 1;
}

void scale_to_unit(SparseMatrix& rows) {
  parallel_for(rows.size(), 1024, [&](std::size_t begin, std::size_t end) {
    for (std::size_t row = begin; row < end; ++row) scale_row(rows, row);
  });
}

void copy_as_unit(SparseRows rows, SparseMatrix& out) {
  out.offsets.assign(1, 0);
  out.ids.clear();
  out.values.clear();
  for (std::size_t row = 0; row < rows.size(); ++row) {
    out.push_back(rows[row]);
    scale_row(out, row);
  }
}

}  // namespace xylem
