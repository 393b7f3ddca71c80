// SPDX-License-Identifier: Apache-2.0
#include "tagger/data_hash.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <set>
#include <vector>

#include "core/row_blocks.h"
#include "toy_data.h"

namespace xylem {
namespace {

Dataset rows_of(const Dataset& data, std::size_t first, std::size_t n) {
  std::vector<std::size_t> rows(n);
  std::iota(rows.begin(), rows.end(), first);
  return select_rows(data, rows);
}

// Each part is whole blocks that a machine of its own has read.
TEST(DataHash, IsThatOfTheHashesOfItsBlocks) {
  const Dataset data = test::toy_data(1, {.rows = 3 * kBlockRows + 17});
  for (const std::size_t blocks_a_part : {1u, 2u, 3u, 4u}) {
    std::vector<std::uint64_t> hashes;
    for (std::size_t begin = 0; begin < data.size(); begin += blocks_a_part * kBlockRows) {
      const Dataset part = rows_of(data, begin, std::min(blocks_a_part * kBlockRows, data.size() - begin));
      for (std::size_t first = 0; first < part.size(); first += kBlockRows)
        hashes.push_back(block_hash(part, first, std::min(kBlockRows, part.size() - first)));
    }
    EXPECT_EQ(hashes.size(), 4u);
    EXPECT_EQ(hash_of_blocks(hashes, shape_of(data)), data_hash(data));
  }
}

TEST(DataHash, TellsWhateverDiffersApart) {
  const Dataset data = test::toy_data(1, {.rows = kBlockRows + 5});
  std::set<std::string> seen{data_hash(data)};
  const auto add = [&](const std::function<void(Dataset&)>& change) {
    Dataset other = data;
    change(other);
    seen.insert(data_hash(other));
  };
  add([](Dataset& other) { other.features.values.back() += 1; });
  add([](Dataset& other) { other.features.ids.front() += 1; });
  add([](Dataset& other) { other.labels.ids.back() += 1; });
  add([](Dataset& other) { --other.features.offsets[7]; });
  add([](Dataset& other) { ++other.labels.offsets[7]; });
  add([](Dataset& other) { ++other.features.n_columns; });
  add([](Dataset& other) { ++other.n_labels; });
  add([&](Dataset& other) { other = rows_of(data, 0, kBlockRows); });
  add([&](Dataset& other) { other = rows_of(data, kBlockRows, 5); });
  add([](Dataset& other) { other = {}; });
  EXPECT_EQ(seen.size(), 11u);
}

}  // namespace
}  // namespace xylem
