// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <span>

#include "xylem/dataset.h"

namespace xylem {

// Adds a row as a line of the sparse formats: `l1,l2 f:v f:v` and the end of the line.
void append_sparse_row(std::span<const Label> labels, SparseRow features, FirstIds first_ids, fmt::memory_buffer& out);

}  // namespace xylem
