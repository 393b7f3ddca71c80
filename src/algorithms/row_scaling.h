// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "xylem/sparse.h"

namespace xylem {

// What a row must be multiplied with to have length 1; 1 for a row of zeros. A double: tiny rows need a scale that no
// float holds.
double unit_scale(SparseRow row);

// Scales every row to length 1; rows of zeros stay.
void scale_to_unit(SparseMatrix& rows);

// Makes `out` the rows scaled to length 1, reusing its memory.
void copy_as_unit(SparseRows rows, SparseMatrix& out);

}  // namespace xylem
