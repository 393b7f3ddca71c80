// SPDX-License-Identifier: Apache-2.0
// What is made of all training rows can be made of parts of them: borders and random numbers of rows depend on nothing
// but row numbers, counts and the seed. Rows are numbered from 0.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>

#include "core/random.h"

namespace xylem {

// Sums and hashes over rows are made of those of blocks, in the order of the blocks. Other borders would change models
// and hashes.
inline constexpr std::size_t kBlockRows = 8192;

inline std::size_t block_of(std::size_t row) {
  return row / kBlockRows;
}

// A row's place in a random order. Equal keys, which hardly happen, are told apart by the row.
struct RowKey {
  std::uint64_t hash, row;

  RowKey(std::uint64_t seed, std::uint64_t stream, std::uint64_t number)
      : hash(Random(seed, {stream, number}).bits()), row(number) {}
  auto operator<=>(const RowKey&) const = default;
};

}  // namespace xylem
