// SPDX-License-Identifier: Apache-2.0
// Which training rows are held out for validation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "core/row_blocks.h"
#include "xylem/dataset.h"

namespace xylem {

// How many of n rows are held out: `fraction` of them, or without one kHeldOutFraction, at most kMaxHeldOut; at
// least 1. Throws kData if no row would be left.
std::size_t held_out_count(std::size_t n_rows, std::optional<double> fraction);

// The rows with the lowest keys (core/row_blocks.h). It takes nothing but counts and the seed to tell them: whoever has
// some of the rows knows which of them are held out.
class HeldOutRows {
 public:
  // 0 < n_held <= n_rows.
  HeldOutRows(std::size_t n_rows, std::size_t n_held, std::uint64_t seed);
  bool has(std::size_t row) const { return key_of(row) <= last_; }

 private:
  RowKey key_of(std::size_t row) const;

  std::uint64_t seed_;
  RowKey last_;
};

struct Split {
  Dataset train;
  Dataset valid;
};
Split hold_out(const Dataset& data, std::optional<double> fraction, std::uint64_t seed);

}  // namespace xylem
