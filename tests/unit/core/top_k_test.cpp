// SPDX-License-Identifier: Apache-2.0
#include "core/top_k.h"

#include <gtest/gtest.h>

#include <limits>

#include "core/random.h"

namespace xylem {
namespace {

std::vector<std::uint32_t> ids_of(std::span<const Scored> entries) {
  std::vector<std::uint32_t> ids;
  for (const Scored& entry : entries) ids.push_back(entry.id);
  return ids;
}

TEST(TopK, PutsTheBestFirst) {
  TopK top;
  top.reset(2);
  top.offer(0.1F, 0);
  top.offer(0.9F, 1);
  top.offer(0.5F, 2);
  EXPECT_EQ(ids_of(top.sorted()), (std::vector<std::uint32_t>{1, 2}));
}

TEST(TopK, KeepsTheLowerIdOfEqualScores) {
  TopK top;
  top.reset(2);
  for (const std::uint32_t id : {7U, 3U, 9U, 1U, 5U}) top.offer(1, id);
  EXPECT_EQ(ids_of(top.sorted()), (std::vector<std::uint32_t>{1, 3}));
}

TEST(TopK, KeepsNothingForZero) {
  TopK top;
  top.reset(0);
  top.offer(1, 0);
  EXPECT_TRUE(top.sorted().empty());
  EXPECT_EQ(top.threshold(), std::numeric_limits<float>::infinity());
}

TEST(TopK, KeepsAllWhenKIsLarger) {
  TopK top;
  top.reset(10);
  top.offer(1, 0);
  top.offer(2, 1);
  EXPECT_EQ(ids_of(top.sorted()), (std::vector<std::uint32_t>{1, 0}));
}

TEST(TopK, RaisesTheThresholdOnceItIsFull) {
  TopK top;
  top.reset(2);
  EXPECT_EQ(top.threshold(), -std::numeric_limits<float>::infinity());
  top.offer(3, 0);
  EXPECT_EQ(top.threshold(), -std::numeric_limits<float>::infinity());
  top.offer(1, 1);
  EXPECT_EQ(top.threshold(), 1);
  top.offer(2, 2);
  EXPECT_EQ(top.threshold(), 2);
}

TEST(TopK, ForgetsAtReset) {
  TopK top;
  top.reset(1);
  top.offer(5, 5);
  top.reset(1);
  top.offer(1, 1);
  EXPECT_EQ(ids_of(top.sorted()), (std::vector<std::uint32_t>{1}));
}

TEST(TopK, EqualsASortWithManyTies) {
  TopK top;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Random random(1, {seed});
    std::vector<Scored> entries;
    const std::uint64_t n = random.below(60);
    for (std::uint32_t id = 0; id < n; ++id) entries.push_back({static_cast<float>(random.below(8)) - 4, id});
    random.shuffle(std::span<Scored>(entries));
    const std::size_t k = random.below(70);
    top.reset(k);
    for (const Scored& entry : entries) top.offer(entry.score, entry.id);

    std::sort(entries.begin(), entries.end(),
              [](const Scored& a, const Scored& b) { return std::pair(-a.score, a.id) < std::pair(-b.score, b.id); });
    entries.resize(std::min(k, entries.size()));
    EXPECT_EQ(ids_of(top.sorted()), ids_of(entries)) << "seed " << seed;
  }
}

}  // namespace
}  // namespace xylem
