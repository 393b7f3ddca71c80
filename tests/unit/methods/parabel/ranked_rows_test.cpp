// SPDX-License-Identifier: Apache-2.0
#include "methods/parabel/ranked_rows.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <set>

#include "core/parallel.h"
#include "core/random.h"
#include "ranked_data.h"

namespace xylem::parabel {
namespace {

using test::data_with_gaps, test::Features, test::features_of;

TEST(RankFeatures, FrequentFeaturesComeFirst) {
  const Dataset data = data_with_gaps();
  const FeatureRanks ranked = test::ranks(data);
  std::vector<std::size_t> counts(data.features.n_columns, 0);
  for (const Feature feature : data.features.ids) ++counts[feature];
  EXPECT_EQ(ranked.feature_of.size(),
            static_cast<std::size_t>(std::ranges::count_if(counts, [](auto n) { return n > 0; })));
  EXPECT_EQ(test::ranked(data).rows.n_columns, ranked.feature_of.size());
  for (std::size_t rank = 1; rank < ranked.feature_of.size(); ++rank) {
    const Feature before = ranked.feature_of[rank - 1];
    const Feature here = ranked.feature_of[rank];
    EXPECT_TRUE(counts[before] > counts[here] || (counts[before] == counts[here] && before < here));
  }
}

TEST(RankRows, RowsAndLabelsStayWhatTheyAre) {
  const Dataset data = data_with_gaps();
  const FeatureRanks ranks = test::ranks(data);
  for (const int threads : {1, 3}) {
    with_threads(threads, [&] {
      const RankedRows ranked = test::ranked(data);
      ASSERT_EQ(ranked.rows.size(), data.size());
      for (std::size_t row = 0; row < data.size(); ++row) {
        Features found;
        const SparseRow source = ranked.rows[row];
        for (std::size_t i = 0; i < source.size(); ++i) found[ranks.feature_of[source.ids[i]]] = source.values[i];
        EXPECT_EQ(found, features_of(data, row));
      }
      ASSERT_EQ(ranked.label_rows.size(), data.n_labels);
      for (Label label = 0; label < data.n_labels; ++label) {
        std::vector<std::uint32_t> expected;
        for (std::size_t row = 0; row < data.size(); ++row) {
          if (std::ranges::count(data.labels[row], label) > 0) expected.push_back(static_cast<std::uint32_t>(row));
        }
        const auto found = ranked.label_rows[label];
        EXPECT_EQ(std::vector<std::uint32_t>(found.begin(), found.end()), expected);
      }
    });
  }
}

TEST(RankRows, RowsComeInTheOrderGiven) {
  const Dataset data = data_with_gaps();
  const RankedRows as_they_are = test::ranked(data);
  std::vector<std::uint32_t> order(data.size());
  std::iota(order.begin(), order.end(), 0u);
  Random(1, {}).shuffle(std::span(order));
  const RankedRows shuffled = rank_rows(data, order, test::ranks(data));
  ASSERT_EQ(shuffled.rows.size(), order.size());
  for (std::size_t row = 0; row < order.size(); ++row) {
    EXPECT_TRUE(std::ranges::equal(shuffled.rows[row].ids, as_they_are.rows[order[row]].ids));
    EXPECT_TRUE(std::ranges::equal(shuffled.rows[row].values, as_they_are.rows[order[row]].values));
  }
  for (Label label = 0; label < data.n_labels; ++label) {
    EXPECT_TRUE(std::ranges::is_sorted(shuffled.label_rows[label]));
    std::set<std::uint32_t> rows;
    for (const std::uint32_t row : shuffled.label_rows[label]) rows.insert(order[row]);
    const auto expected = as_they_are.label_rows[label];
    EXPECT_EQ(rows, std::set<std::uint32_t>(expected.begin(), expected.end()));
  }
}

// The order of a part is that of the whole without the other rows: a row's key tells its place.
TEST(SolverOrder, IsThatOfTheRowsKeys) {
  const std::vector<std::uint32_t> order = solver_order(1000, 7);
  std::set<std::uint32_t> rows(order.begin(), order.end());
  EXPECT_EQ(rows.size(), 1000u);
  EXPECT_EQ(*rows.rbegin(), 999u);
  const std::vector<std::uint32_t> of_fewer = solver_order(400, 7);
  std::vector<std::uint32_t> kept;
  std::ranges::copy_if(order, std::back_inserter(kept), [](std::uint32_t row) { return row < 400; });
  EXPECT_EQ(kept, of_fewer);
  EXPECT_NE(solver_order(1000, 8), order);
  EXPECT_FALSE(std::ranges::is_sorted(order));
}

TEST(FeatureCounts, OfBlocksAddUp) {
  const Dataset data = data_with_gaps();
  std::vector<std::uint32_t> sums(data.features.n_columns, 0);
  for (std::size_t begin = 0; begin < data.size(); begin += 70) {
    SparseMatrix block;
    block.n_columns = data.features.n_columns;
    for (std::size_t row = begin; row < std::min(begin + 70, data.size()); ++row) block.push_back(data.features[row]);
    const std::vector<std::uint32_t> counts = feature_counts(block);
    for (std::size_t feature = 0; feature < sums.size(); ++feature) sums[feature] += counts[feature];
  }
  EXPECT_EQ(sums, feature_counts(data.features));
}

}  // namespace
}  // namespace xylem::parabel
