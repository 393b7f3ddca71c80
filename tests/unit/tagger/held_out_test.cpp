// SPDX-License-Identifier: Apache-2.0
#include "tagger/held_out.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "model_surgery.h"
#include "toy_data.h"
#include "xylem/error.h"
#include "xylem/tagger.h"

namespace xylem {
namespace {

TEST(HeldOutCount, IsATenthAndAtMostFiveThousand) {
  EXPECT_EQ(held_out_count(2, {}), 1u);
  EXPECT_EQ(held_out_count(14, {}), 1u);
  EXPECT_EQ(held_out_count(15, {}), 2u);
  EXPECT_EQ(held_out_count(49'990, {}), 4999u);
  EXPECT_EQ(held_out_count(1'000'000, {}), 5000u);
  EXPECT_EQ(held_out_count(1'000'000, 0.1), 100'000u);
  EXPECT_EQ(held_out_count(3, 0.01), 1u);
  EXPECT_EQ(test::kind_of_error([] { held_out_count(1, {}); }), ErrorKind::kData);
  EXPECT_EQ(test::kind_of_error([] { held_out_count(3, 0.9); }), ErrorKind::kData);
}

// The slow twin: all rows sorted by their keys.
TEST(HeldOutRows, AreThoseWithTheLowestKeys) {
  constexpr std::size_t kRows = 1000, kHeld = 100;
  const HeldOutRows held_out(kRows, kHeld, 7);
  std::vector<RowKey> keys;
  for (std::size_t row = 0; row < kRows; ++row) keys.emplace_back(7, 0x686f6c64, row);
  std::ranges::sort(keys);
  for (std::size_t place = 0; place < kRows; ++place) EXPECT_EQ(held_out.has(keys[place].row), place < kHeld);
}

TEST(HeldOutRows, AreOthersForAnotherSeed) {
  const HeldOutRows first(1000, 100, 1), second(1000, 100, 2);
  int both = 0;
  for (std::size_t row = 0; row < 1000; ++row) both += first.has(row) && second.has(row);
  EXPECT_LT(both, 30);  // 10 by chance
}

// Whoever has a block knows which of its rows are held out; together that is the split of the whole.
TEST(HoldOut, OfBlocksGivesTheSplitOfTheWhole) {
  const Dataset data = test::toy_data(1, {.rows = 500});
  const Split whole = hold_out(data, {}, 3);
  EXPECT_EQ(whole.valid.size(), 50u);
  for (const std::size_t block : {1u, 64u, 333u}) {
    std::vector<std::size_t> train, valid;
    for (std::size_t begin = 0; begin < data.size(); begin += block) {
      const HeldOutRows held_out(data.size(), held_out_count(data.size(), {}), 3);
      for (std::size_t row = begin; row < std::min(begin + block, data.size()); ++row)
        (held_out.has(row) ? valid : train).push_back(row);
    }
    for (const auto& [rows, split] : {std::pair(train, whole.train), std::pair(valid, whole.valid)}) {
      const Dataset selected = select_rows(data, rows);
      EXPECT_EQ(selected.features.ids, split.features.ids);
      EXPECT_EQ(selected.features.values, split.features.values);
      EXPECT_EQ(selected.labels.ids, split.labels.ids);
    }
  }
}

}  // namespace
}  // namespace xylem
