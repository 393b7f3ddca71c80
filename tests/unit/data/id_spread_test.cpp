// SPDX-License-Identifier: Apache-2.0
#include "data/id_spread.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/random.h"

namespace xylem {
namespace {

// All of them, sorted, one after the other.
std::optional<FarId> twin(std::vector<std::uint32_t> ids) {
  std::ranges::sort(ids);
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (ids[i] < 100'000 || (i > 0 && ids[i] < 10 * (std::uint64_t{ids[i - 1]} + 1))) continue;
    return FarId{ids[i], i > 0 ? std::optional(ids[i - 1]) : std::nullopt};
  }
  return std::nullopt;
}

TEST(FindFarId, DoesWhatSortingDoes) {
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    Random random(seed, {1});
    std::vector<std::uint32_t> ids;
    for (std::size_t i = 0; i < 1 + random.below(6); ++i) {
      std::uint64_t most = 10;
      for (std::size_t digits = random.below(9); digits > 0; --digits) most *= 10;
      ids.push_back(static_cast<std::uint32_t>(random.below(std::min<std::uint64_t>(most, 4'000'000'000))));
    }
    const auto found = find_far_id(ids), expected = twin(ids);
    ASSERT_EQ(found.has_value(), expected.has_value()) << seed;
    if (!found) continue;
    EXPECT_EQ(found->id, expected->id);
    EXPECT_EQ(found->next_smaller, expected->next_smaller);
  }
}

TEST(IdSpreads, OfChunksMakeThatOfTheFile) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Random random(seed, {2});
    const auto id = [&] { return static_cast<std::uint32_t>(random.below(random.below(2) == 0 ? 20 : 3'000'000)); };
    IdSpread whole, joined;
    std::size_t line = 0;
    for (std::size_t chunk = 0; chunk < 3; ++chunk) {
      IdSpread part;
      const std::size_t begin = line;
      for (std::size_t i = random.below(4); i > 0; --i, ++line) {
        const std::uint32_t next = id();
        whole.add(next, line);
        part.add(next, line - begin);
      }
      joined.add(part, begin);
    }
    const auto expected = whole.far_id(), found = joined.far_id();
    ASSERT_EQ(found.has_value(), expected.has_value()) << seed;
    if (!found) continue;
    EXPECT_EQ(found->id, expected->id);
    EXPECT_EQ(found->next_smaller, expected->next_smaller);
    EXPECT_EQ(found->line, expected->line);
  }
}

TEST(FindFarId, LeavesRealIdsAlone) {
  EXPECT_FALSE(find_far_id(std::vector<std::uint32_t>{0, 5, 99'999}));
  EXPECT_FALSE(find_far_id(std::vector<std::uint32_t>{3, 100'000, 20'000, 670'090}));
  EXPECT_FALSE(find_far_id({}));
  EXPECT_EQ(find_far_id(std::vector<std::uint32_t>{1, 20'000'000, 2})->id, 20'000'000U);
}

TEST(FindFarId, SaysWhatIsWrongAndWhere) {
  const auto far = find_far_id(std::vector<std::uint32_t>{1, 20'000'000, 2});
  EXPECT_EQ(far->line, 1U);
  EXPECT_EQ(far_id_problem(*far, "label", 1),
            "found label 20000001 far beyond the next smaller one, 3, so there are that many labels: is the number "
            "mistyped?");
  EXPECT_EQ(far_id_problem({200'000, {}, 0}, "feature", 0),
            "found feature 200000, so there are that many features: is the number mistyped?");
}

}  // namespace
}  // namespace xylem
