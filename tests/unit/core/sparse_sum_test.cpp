// SPDX-License-Identifier: Apache-2.0
#include "core/sparse_sum.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace xylem {
namespace {

using Entries = std::vector<std::pair<Feature, float>>;

Entries take(SparseSum& sum) {
  Entries entries;
  sum.take([&](Feature column, float value) { entries.emplace_back(column, value); });
  return entries;
}

TEST(SparseSum, AddsUpRowsAndIsZeroAgain) {
  const std::vector<Feature> ids = {5, 0, 2}, more = {2, 1};
  const std::vector<float> values = {1, 2, 3}, more_values = {0.5f, 7};
  SparseSum sum;
  sum.set_columns(6);
  sum.add({ids, values});
  sum.add({more, more_values});
  EXPECT_EQ(take(sum), (Entries{{5, 1}, {0, 2}, {2, 3.5f}, {1, 7}}));
  EXPECT_EQ(take(sum), Entries());
}

TEST(SparseSum, LeavesOutWhatIsZero) {
  SparseSum sum;
  sum.set_columns(4);
  sum.add(3, 0);
  sum.add(1, 1);
  sum.add(2, 1);
  sum.add(1, -1);
  EXPECT_EQ(take(sum), (Entries{{2, 1}}));
  sum.add(1, 1);
  sum.add(1, -1);
  sum.add(1, 2);
  EXPECT_EQ(take(sum), (Entries{{1, 2}}));
}

}  // namespace
}  // namespace xylem
