// SPDX-License-Identifier: Apache-2.0
#include "algorithms/inverted_index.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "toy_data.h"

namespace xylem {
namespace {

double cosine(SparseRow a, SparseRow b) {
  std::map<Feature, double> values;
  double length_a = 0, length_b = 0, product = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    values[a.ids[i]] = a.values[i];
    length_a += static_cast<double>(a.values[i]) * a.values[i];
  }
  for (std::size_t i = 0; i < b.size(); ++i) {
    length_b += static_cast<double>(b.values[i]) * b.values[i];
    if (values.contains(b.ids[i])) product += values[b.ids[i]] * b.values[i];
  }
  return product / std::sqrt(length_a * length_b);
}

TEST(InvertedIndex, FindsWhatComparingWithEveryRowFinds) {
  const Dataset data = test::toy_data(1);
  const Dataset queries = test::toy_data(2, {.rows = 50});
  const InvertedIndex index(data.features.rows(), data.features.n_columns);
  std::vector<float> buffer;
  TopK best;
  for (std::size_t query = 0; query < queries.size(); ++query) {
    std::vector<double> expected;
    for (std::size_t row = 0; row < data.size(); ++row) {
      const double value = cosine(queries.features[query], data.features[row]);
      if (value > 0) expected.push_back(value);
    }
    std::ranges::sort(expected, std::greater());
    index.search(queries.features[query], 10, buffer, best);
    const auto found = best.sorted();
    ASSERT_EQ(found.size(), std::min<std::size_t>(10, expected.size()));
    for (std::size_t i = 0; i < found.size(); ++i) {
      EXPECT_NEAR(found[i].score, expected[i], 1e-6);
      EXPECT_NEAR(found[i].score, cosine(queries.features[query], data.features[found[i].id]), 1e-6);
    }
  }
}

TEST(InvertedIndex, KnowsTheValuesOfTheScaledRows) {
  const Dataset data = test::toy_data(1, {.rows = 40});
  const InvertedIndex index(data.features.rows(), data.features.n_columns);
  for (std::size_t row = 0; row < data.size(); ++row) {
    std::map<Feature, float> values;
    double squares = 0;
    for (std::size_t i = 0; i < data.features[row].size(); ++i) {
      values[data.features[row].ids[i]] = data.features[row].values[i];
      squares += std::pow(data.features[row].values[i], 2);
    }
    for (Feature feature = 0; feature < data.features.n_columns + 3; ++feature) {
      const double expected = values.contains(feature) ? values[feature] / std::sqrt(squares) : 0;
      EXPECT_NEAR(index.value(row, feature), expected, 1e-6);
    }
  }
  EXPECT_EQ(index.value(0, 4'294'967'295), 0);
}

TEST(InvertedIndex, PrefersTheEarlierOfEqualRows) {
  SparseMatrix rows;
  const std::vector<Feature> ids = {2};
  for (int i = 0; i < 200; ++i) rows.push_back({ids, std::vector<float>{1}});
  const InvertedIndex index(rows.rows(), 3);
  std::vector<float> buffer;
  TopK best;
  index.search(rows[0], 3, buffer, best);
  const auto found = best.sorted();
  ASSERT_EQ(found.size(), 3u);
  for (std::uint32_t i = 0; i < 3; ++i) EXPECT_EQ(found[i].id, i);
}

TEST(InvertedIndex, GrowsToThatOfAllRows) {
  const Dataset data = test::toy_data(1, {.rows = 60});
  const InvertedIndex all(data.features.rows(), data.features.n_columns);
  for (const std::size_t n_first : {0u, 1u, 35u, 60u}) {
    const SparseRows first = data.features.rows().slice(0, n_first);
    const InvertedIndex earlier(first, data.features.n_columns);
    const InvertedIndex grown(data.features.rows().slice(n_first, 60 - n_first), data.features.n_columns, &earlier);
    ASSERT_EQ(grown.n_rows(), 60u);
    for (std::size_t row = 0; row < 60; ++row) {
      for (Feature feature = 0; feature < data.features.n_columns; ++feature) {
        ASSERT_EQ(grown.value(row, feature), all.value(row, feature)) << row << " " << feature;
      }
    }
  }
}

TEST(InvertedIndex, DoesNotFindRowsThatPointAway) {
  SparseMatrix rows;
  const std::vector<Feature> ids = {0};
  rows.push_back({ids, std::vector<float>{-1}});
  rows.push_back({});
  const InvertedIndex index(rows.rows(), 1);
  std::vector<float> buffer;
  TopK best;
  index.search({ids, std::vector<float>{1}}, 3, buffer, best);
  EXPECT_TRUE(best.sorted().empty());
}

}  // namespace
}  // namespace xylem
