// SPDX-License-Identifier: Apache-2.0
#include "core/row_blocks.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

namespace xylem {
namespace {

TEST(RowBlocks, HaveFixedBorders) {
  EXPECT_EQ(block_of(0), 0u);
  EXPECT_EQ(block_of(kBlockRows - 1), 0u);
  EXPECT_EQ(block_of(kBlockRows), 1u);
}

TEST(RowKey, DependsOnSeedStreamAndRow) {
  std::set<std::uint64_t> seen;
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    for (std::uint64_t stream = 0; stream < 5; ++stream) {
      for (std::uint64_t row = 0; row < 1000; ++row) seen.insert(RowKey(seed, stream, row).hash);
    }
  }
  EXPECT_EQ(seen.size(), 25'000u);
}

TEST(RowKey, IsEvenlySpread) {
  constexpr std::size_t kRows = 100'000, kBins = 64;
  std::vector<double> counts(kBins, 0);
  for (std::uint64_t row = 0; row < kRows; ++row) ++counts[RowKey(1, 2, row).hash >> 58];
  constexpr double kExpected = double{kRows} / kBins;
  for (const double count : counts) EXPECT_NEAR(count, kExpected, 5 * std::sqrt(kExpected));
}

}  // namespace
}  // namespace xylem
