// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/bf16.h"

namespace xylem {

// out[c] += Σ values[i] · table[ids[i]][c], for c below `width`, the rows of the table having that length. Sparse rows
// times a dense table, and the gradient of that table, are both this. The sum is taken in the order of the ids.
void add_weighted_rows(const float* table, std::size_t width, std::span<const std::uint32_t> ids,
                       std::span<const float> values, float* out);
// The same of a table that takes half the memory, of whose speed the time is made.
void add_weighted_rows(const Bf16* table, std::size_t width, std::span<const std::uint32_t> ids,
                       std::span<const float> values, float* out);

}  // namespace xylem
