// SPDX-License-Identifier: Apache-2.0
#include "methods/parabel/pack_node.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <utility>

#include "core/parallel.h"
#include "core/random.h"

namespace xylem::parabel {
namespace {

using Sorted = std::map<std::pair<std::uint32_t, std::uint32_t>, float>;  // by rank and child

Sorted unpack(const PackedNode& node) {
  Sorted result;
  std::size_t weight = 0;
  for (std::size_t key = 0; key < node.ranks.size(); ++key) {
    for (const std::size_t end = weight + node.counts[key] + 1u; weight < end; ++weight) {
      result[{node.ranks[key], node.children[weight]}] = node.values[weight];
    }
  }
  EXPECT_EQ(weight, node.children.size());
  EXPECT_EQ(result.size(), node.values.size());
  return result;
}

TEST(PackNode, HoldsAllWeightsByRankAndChildForAnyNumberOfThreads) {
  for (const double share : {0.0, 0.001, 0.4}) {  // of weights; the last are enough for several parts
    Random random(7, {});
    constexpr std::uint32_t kRanks = 20'000, kChildrenAList = 16;
    std::vector<Weights> lists(4);
    Sorted expected;
    for (std::uint32_t list = 0; list < lists.size(); ++list) {
      for (std::uint32_t rank = 0; rank < kRanks; ++rank) {
        for (std::uint32_t i = 0; i < kChildrenAList; ++i) {
          if (random.uniform() * (1 + rank / 500) > share || list == 2) continue;  // as rare features have fewer
          const std::uint32_t child = list + 4 * i;
          const auto value = static_cast<float>(random.normal());
          lists[list].push_back({rank, child, value});
          expected[{rank, child}] = value;
        }
      }
    }
    PackedNode alone;
    with_threads(1, [&] { alone = pack_node(lists); });
    EXPECT_EQ(unpack(alone), expected) << share;
    EXPECT_TRUE(std::ranges::is_sorted(alone.ranks, std::less_equal{}));
    with_threads(3, [&] {
      const PackedNode node = pack_node(lists);
      EXPECT_EQ(node.ranks, alone.ranks);
      EXPECT_EQ(node.counts, alone.counts);
      EXPECT_EQ(node.children, alone.children);
      EXPECT_EQ(node.values, alone.values);
    });
  }
}

}  // namespace
}  // namespace xylem::parabel
