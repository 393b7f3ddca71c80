// SPDX-License-Identifier: Apache-2.0
#include "algorithms/split.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "core/parallel.h"

namespace xylem {
namespace {

constexpr std::size_t kColumnsAPlant = 20;

void add_unit_row(SparseMatrix& matrix, const std::vector<Feature>& ids, std::vector<float> values) {
  double squares = 0;
  for (const float value : values) squares += static_cast<double>(value) * value;
  for (float& value : values) value = static_cast<float>(value / std::sqrt(squares));
  matrix.push_back({ids, values});
}

// Row i belongs to plant i % n_plants: it has the plant's first column and some of the others, and none of other
// plants.
SparseMatrix planted(std::size_t n_rows, std::size_t n_plants, std::uint64_t seed) {
  SparseMatrix matrix;
  matrix.n_columns = n_plants * kColumnsAPlant;
  Random random(seed, {});
  for (std::size_t row = 0; row < n_rows; ++row) {
    const auto first = static_cast<Feature>(row % n_plants * kColumnsAPlant);
    std::vector<Feature> ids = {first};
    std::vector<float> values = {2};
    for (Feature column = 1; column < kColumnsAPlant; ++column) {
      if (random.below(4) != 0) continue;
      ids.push_back(first + column);
      values.push_back(static_cast<float>(0.2 + random.uniform()));
    }
    add_unit_row(matrix, ids, values);
  }
  return matrix;
}

SparseMatrix random_vectors(std::size_t n_rows, std::size_t n_columns, std::uint64_t seed) {
  SparseMatrix matrix;
  matrix.n_columns = n_columns;
  Random random(seed, {});
  for (std::size_t row = 0; row < n_rows; ++row) {
    std::set<Feature> ids;
    for (int i = 0; i < 8; ++i) ids.insert(static_cast<Feature>(random.below(n_columns)));
    std::vector<float> values;
    for (std::size_t i = 0; i < ids.size(); ++i) values.push_back(static_cast<float>(random.uniform() + 0.1));
    add_unit_row(matrix, {ids.begin(), ids.end()}, values);
  }
  return matrix;
}

std::vector<std::uint32_t> all_rows(const SparseMatrix& matrix) {
  std::vector<std::uint32_t> members(matrix.size());
  std::iota(members.begin(), members.end(), 0u);
  return members;
}

void expect_same_members(std::vector<std::uint32_t> found, std::vector<std::uint32_t> expected) {
  std::ranges::sort(found);
  std::ranges::sort(expected);
  EXPECT_EQ(found, expected);
}

std::set<std::size_t> plants_of(std::span<const std::uint32_t> members, std::size_t n_plants) {
  std::set<std::size_t> plants;
  for (const std::uint32_t member : members) plants.insert(member % n_plants);
  return plants;
}

// The sum over all members of the cosine to the mean of their cluster.
double fit(const SparseMatrix& vectors, std::span<const std::uint32_t> members, std::span<const std::size_t> sizes) {
  double result = 0;
  for (const std::size_t size : sizes) {
    std::vector<double> sum(vectors.n_columns, 0.0);
    for (const std::uint32_t member : members.first(size)) {
      const SparseRow row = vectors[member];
      for (std::size_t i = 0; i < row.size(); ++i) sum[row.ids[i]] += static_cast<double>(row.values[i]);
    }
    // The members' products with their sum, divided by its length, are its length.
    result += std::sqrt(std::inner_product(sum.begin(), sum.end(), sum.begin(), 0.0));
    members = members.subspan(size);
  }
  return result;
}

TEST(SplitInTwo, ReordersMembersAndLetsThemRiseOnBothSides) {
  const SparseMatrix vectors = random_vectors(600, 100, 1);
  Random random(2, {});
  for (const std::size_t n : {2u, 3u, 50u, 600u}) {
    for (const std::size_t n_left : {std::size_t{1}, n / 3, n / 2, n - 1}) {
      if (n_left == 0) continue;
      std::vector<std::uint32_t> members = all_rows(vectors);
      random.shuffle(std::span(members));
      members.resize(n);
      const std::vector<std::uint32_t> given = members;
      SplitScratch scratch;
      split_in_two(vectors, members, n_left, Random(3, {n, n_left}), scratch);
      expect_same_members(members, given);
      EXPECT_TRUE(std::ranges::is_sorted(std::span(members).first(n_left)));
      EXPECT_TRUE(std::ranges::is_sorted(std::span(members).subspan(n_left)));
      EXPECT_TRUE(std::ranges::all_of(scratch.sums, [](float sum) { return sum == 0; }));
    }
  }
}

TEST(SplitInTwo, SidesThatHoldAllOrNothingNeedNoSplit) {
  const SparseMatrix vectors = random_vectors(10, 20, 1);
  SplitScratch scratch;
  for (const std::size_t n_left : {0u, 10u, 11u, 4000000u}) {
    std::vector<std::uint32_t> members = all_rows(vectors);
    split_in_two(vectors, members, n_left, Random(1, {}), scratch);
    EXPECT_EQ(members, all_rows(vectors));
  }
  split_in_two(vectors, {}, 0, Random(1, {}), scratch);
  split_in_two(vectors, {}, 1, Random(1, {}), scratch);
}

// From whatever members it starts.
TEST(SplitInTwo, FindsPlantedClusters) {
  const SparseMatrix vectors = planted(200, 2, 5);
  SplitScratch scratch;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    std::vector<std::uint32_t> members = all_rows(vectors);
    split_in_two(vectors, members, 100, Random(seed, {}), scratch);
    EXPECT_EQ(plants_of(std::span(members).first(100), 2).size(), 1u) << "seed " << seed;
    EXPECT_EQ(plants_of(std::span(members).subspan(100), 2).size(), 1u) << "seed " << seed;
  }
}

TEST(SplitInTwo, FitsBetterThanChance) {
  const SparseMatrix vectors = random_vectors(400, 60, 7);
  const std::vector<std::size_t> sizes = {150, 250};
  SplitScratch scratch;
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    std::vector<std::uint32_t> members = all_rows(vectors);
    const double before = fit(vectors, members, sizes);
    split_in_two(vectors, members, sizes[0], Random(seed, {}), scratch);
    EXPECT_GT(fit(vectors, members, sizes), 1.05 * before);
  }
}

// The cosines' difference decides, also where one side is much larger: another round would move next to nobody.
TEST(SplitInTwo, EndsWhereMembersLeanToTheirOwnMean) {
  const SparseMatrix vectors = random_vectors(1000, 60, 25);
  constexpr std::size_t kLeft = 150;
  SplitScratch scratch;
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    std::vector<std::uint32_t> members = all_rows(vectors);
    split_in_two(vectors, members, kLeft, Random(seed, {}), scratch);
    std::vector<double> means[2];
    for (std::size_t side = 0; side < 2; ++side) {
      means[side].assign(vectors.n_columns, 0.0);
      for (std::size_t i = side * kLeft; i < (side == 0 ? kLeft : members.size()); ++i) {
        const SparseRow row = vectors[members[i]];
        for (std::size_t j = 0; j < row.size(); ++j) means[side][row.ids[j]] += static_cast<double>(row.values[j]);
      }
      double squares = 0;
      for (const double value : means[side]) squares += value * value;
      for (double& value : means[side]) value /= std::sqrt(squares);
    }
    std::vector<std::pair<double, bool>> leanings;  // to the left, and whether the member is there
    for (std::size_t i = 0; i < members.size(); ++i) {
      const SparseRow row = vectors[members[i]];
      double leaning = 0;
      for (std::size_t j = 0; j < row.size(); ++j)
        leaning += static_cast<double>(row.values[j]) * (means[0][row.ids[j]] - means[1][row.ids[j]]);
      leanings.emplace_back(leaning, i < kLeft);
    }
    std::ranges::sort(leanings, std::greater());
    std::size_t misplaced = 0;
    for (std::size_t i = 0; i < kLeft; ++i) misplaced += !leanings[i].second;
    EXPECT_LE(misplaced, kLeft / 20) << "seed " << seed;
  }
}

TEST(SplitInTwo, DoesNotDependOnThreads) {
  const SparseMatrix vectors = random_vectors(2000, 300, 9);
  std::vector<std::vector<std::uint32_t>> results;
  for (const int threads : {1, 2, 3}) {
    with_threads(threads, [&] {
      SplitScratch scratch;
      for (int repetition = 0; repetition < 2; ++repetition) {
        std::vector<std::uint32_t> members = all_rows(vectors);
        split_in_two(vectors, members, 900, Random(4, {}), scratch);
        results.push_back(std::move(members));
      }
    });
  }
  for (const auto& result : results) EXPECT_EQ(result, results[0]);
}

TEST(SplitInTwo, SplitsVectorsThatAreEqualOrEmpty) {
  SparseMatrix vectors;
  vectors.n_columns = 3;
  for (int i = 0; i < 10; ++i) add_unit_row(vectors, {1}, {1});
  for (int i = 0; i < 10; ++i) vectors.push_back({});
  SplitScratch scratch;
  for (const std::size_t first : {0u, 5u, 10u}) {  // all equal, half and half, all empty
    std::vector<std::uint32_t> members(10);
    std::iota(members.begin(), members.end(), static_cast<std::uint32_t>(first));
    const std::vector<std::uint32_t> given = members;
    split_in_two(vectors, members, 5, Random(1, {}), scratch);
    expect_same_members(members, given);
  }
}

void expect_sizes_of(const std::vector<std::size_t>& sizes, std::size_t n_members, std::size_t n_clusters) {
  EXPECT_LE(sizes.size(), n_clusters);
  EXPECT_EQ(std::ranges::count(sizes, std::size_t{0}), 0);
  EXPECT_EQ(std::accumulate(sizes.begin(), sizes.end(), std::size_t{0}), n_members);
}

TEST(SplitFreely, GivesEveryMemberToOneOfTheClusters) {
  const SparseMatrix vectors = random_vectors(500, 80, 11);
  Random random(12, {});
  for (const std::size_t n : {1u, 2u, 30u, 500u}) {
    for (const std::size_t n_clusters : {1u, 2u, 7u, 100u, 1000u}) {
      std::vector<std::uint32_t> members = all_rows(vectors);
      random.shuffle(std::span(members));
      members.resize(n);
      const std::vector<std::uint32_t> given = members;
      const auto sizes = split_freely(vectors, members, n_clusters, Random(13, {n, n_clusters}));
      expect_sizes_of(sizes, n, std::min(n, n_clusters));
      expect_same_members(members, given);
    }
  }
}

TEST(SplitFreely, FindsPlantedClusters) {
  constexpr std::size_t kPlants = 5;
  const SparseMatrix vectors = planted(301, kPlants, 15);
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    std::vector<std::uint32_t> members = all_rows(vectors);
    // Enough means that each plant has the start of one.
    const auto sizes = split_freely(vectors, members, 40, Random(seed, {}));
    EXPECT_GE(sizes.size(), kPlants);
    std::span<const std::uint32_t> rest = members;
    for (const std::size_t size : sizes) {
      EXPECT_EQ(plants_of(rest.first(size), kPlants).size(), 1u) << "seed " << seed;
      rest = rest.subspan(size);
    }
  }
}

TEST(SplitFreely, SplitsTwoPlantsOfUnequalSize) {
  SparseMatrix vectors = planted(20, 2, 17);
  const SparseMatrix more = planted(400, 2, 18);
  for (std::size_t row = 0; row < more.size(); row += 2) vectors.push_back(more[row]);
  std::size_t found = 0;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    std::vector<std::uint32_t> members = all_rows(vectors);
    auto sizes = split_freely(vectors, members, 2, Random(seed, {}));
    std::ranges::sort(sizes);
    found += sizes == std::vector<std::size_t>{10, 210};
  }
  EXPECT_GT(found, 0u);
}

TEST(SplitFreely, FitsBetterThanChance) {
  const SparseMatrix vectors = random_vectors(400, 60, 19);
  std::vector<std::uint32_t> members = all_rows(vectors);
  const std::vector<std::uint32_t> given = members;
  const auto sizes = split_freely(vectors, members, 8, Random(1, {}));
  EXPECT_GT(fit(vectors, members, sizes), 1.1 * fit(vectors, given, sizes));
}

TEST(SplitFreely, DoesNotDependOnThreads) {
  const SparseMatrix vectors = random_vectors(2000, 300, 21);
  std::vector<std::vector<std::uint32_t>> results;
  std::vector<std::vector<std::size_t>> sizes;
  for (const int threads : {1, 2, 3}) {
    with_threads(threads, [&] {
      std::vector<std::uint32_t> members = all_rows(vectors);
      sizes.push_back(split_freely(vectors, members, 20, Random(4, {})));
      results.push_back(std::move(members));
    });
  }
  for (std::size_t i = 1; i < results.size(); ++i) {
    EXPECT_EQ(results[i], results[0]);
    EXPECT_EQ(sizes[i], sizes[0]);
  }
}

TEST(SplitFreely, KeepsEqualVectorsTogether) {
  SparseMatrix vectors;
  vectors.n_columns = 4;
  for (int i = 0; i < 30; ++i) add_unit_row(vectors, {1, 2}, {1, 2});
  std::vector<std::uint32_t> members = all_rows(vectors);
  EXPECT_EQ(split_freely(vectors, members, 5, Random(1, {})), std::vector<std::size_t>{30});
  expect_same_members(members, all_rows(vectors));
}

TEST(SplitFreely, AcceptsEmptyVectorsAndNoMembers) {
  SparseMatrix vectors;
  vectors.n_columns = 4;
  for (int i = 0; i < 6; ++i) vectors.push_back({});
  std::vector<std::uint32_t> members = all_rows(vectors);
  expect_sizes_of(split_freely(vectors, members, 3, Random(1, {})), 6, 3);
  vectors.n_columns = 0;
  expect_sizes_of(split_freely(vectors, members, 3, Random(1, {})), 6, 3);
  EXPECT_TRUE(split_freely(vectors, {}, 3, Random(1, {})).empty());
}

}  // namespace
}  // namespace xylem
