// SPDX-License-Identifier: Apache-2.0
#include "core/random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <vector>

namespace xylem {
namespace {

TEST(Random, RepeatsItselfForTheSameKeys) {
  Random first(5, {1, 2}), second(5, {1, 2});
  for (int i = 0; i < 100; ++i) EXPECT_EQ(first.bits(), second.bits());
}

TEST(Random, StartsElsewhereForOtherKeys) {
  std::set<std::uint64_t> starts;
  std::size_t n = 0;
  const auto add = [&](Random random) {
    starts.insert(random.bits());
    ++n;
  };
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    add(Random(seed, {}));
    for (std::uint64_t a = 0; a < 20; ++a) {
      add(Random(seed, {a}));
      for (std::uint64_t b = 0; b < 20; ++b) add(Random(seed, {a, b}));
    }
  }
  EXPECT_EQ(starts.size(), n);
}

TEST(Random, KeepsNeighbouringStreamsApart) {
  // The share of equal bits between streams with neighbouring keys.
  double equal = 0;
  const int n_streams = 200, n_words = 50;
  for (std::uint64_t key = 0; key < n_streams; ++key) {
    Random first(1, {key}), second(1, {key + 1});
    for (int i = 0; i < n_words; ++i) equal += 64 - std::popcount(first.bits() ^ second.bits());
  }
  EXPECT_NEAR(equal / (64.0 * n_words * n_streams), 0.5, 0.003);  // five standard deviations
}

// The sum of (observed - expected)^2 / expected.
double chi_square(const std::vector<double>& observed, double expected) {
  double sum = 0;
  for (const double count : observed) sum += (count - expected) * (count - expected) / expected;
  return sum;
}

TEST(Random, DrawsEveryNumberBelowEquallyOften) {
  for (const std::uint64_t n : {2U, 3U, 7U, 100U}) {
    Random random(1, {n});
    std::vector<double> counts(n);
    const double expected = 2000;
    for (std::uint64_t i = 0; i < n * 2000; ++i) {
      const std::uint64_t drawn = random.below(n);
      ASSERT_LT(drawn, n);
      counts[drawn] += 1;
    }
    // Mean n - 1, variance 2 (n - 1); four standard deviations.
    const auto freedom = static_cast<double>(n - 1);
    EXPECT_LT(chi_square(counts, expected), freedom + 4 * std::sqrt(2 * freedom)) << n;
  }
}

TEST(Random, IsUnbiasedForHugeBounds) {
  // Without refusal the lower half of 0 .. 3 * 2^62 would come twice as often as it should in places.
  Random random(2, {});
  const std::uint64_t bound = std::uint64_t{3} << 62;
  std::vector<double> thirds(3);
  for (int i = 0; i < 30'000; ++i) thirds[random.below(bound) >> 62] += 1;
  EXPECT_LT(chi_square(thirds, 10'000), 2 + 4 * 2);
}

TEST(Random, DrawsZeroBelowOne) {
  Random random(3, {});
  for (int i = 0; i < 10; ++i) EXPECT_EQ(random.below(1), 0U);
}

TEST(Random, StaysInTheUnitInterval) {
  Random random(4, {});
  std::vector<double> tenths(10);
  for (int i = 0; i < 20'000; ++i) {
    const double value = random.uniform();
    ASSERT_GE(value, 0);
    ASSERT_LT(value, 1);
    tenths[static_cast<std::size_t>(value * 10)] += 1;
  }
  EXPECT_LT(chi_square(tenths, 2000), 9 + 4 * std::sqrt(18.0));
}

TEST(Random, DrawsNormalsOfMeanZeroAndVarianceOne) {
  Random random(5, {});
  const int n = 100'000;
  double sum = 0, squares = 0, cubes = 0;
  for (int i = 0; i < n; ++i) {
    const double value = random.normal();
    sum += value;
    squares += value * value;
    cubes += value * value * value;
  }
  EXPECT_NEAR(sum / n, 0, 0.015);
  EXPECT_NEAR(squares / n, 1, 0.025);
  EXPECT_NEAR(cubes / n, 0, 0.06);
}

TEST(Random, ShufflesToAPermutation) {
  Random random(6, {});
  std::vector<int> values(100);
  std::iota(values.begin(), values.end(), 0);
  const std::vector<int> before = values;
  random.shuffle(std::span<int>(values));
  EXPECT_NE(values, before);
  EXPECT_TRUE(std::ranges::is_permutation(values, before));
}

TEST(Random, ShufflesToEveryOrderEquallyOften) {
  Random random(7, {});
  std::vector<double> counts(6);
  for (int i = 0; i < 6000; ++i) {
    std::vector<std::size_t> values{0, 1, 2};
    random.shuffle(std::span<std::size_t>(values));
    counts[values[0] * 2 + (values[1] > values[2])] += 1;
  }
  EXPECT_LT(chi_square(counts, 1000), 5 + 4 * std::sqrt(10.0));
}

TEST(Random, GivesTheNumbersItAlwaysGave) {
  // A change here changes every trained model.
  Random random(1, {2, 3});
  EXPECT_EQ(random.bits(), 3106975646374847983U);
  EXPECT_EQ(random.bits(), 11478482440874270757U);
}

}  // namespace
}  // namespace xylem
