// SPDX-License-Identifier: Apache-2.0
#include "data/row_keys.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "core/parallel.h"
#include "core/random.h"

namespace xylem {
namespace {

// Few different rows and label lists, so that many are equal; some rows are empty.
Dataset random_rows(std::uint64_t seed, std::size_t n) {
  Dataset data;
  data.features.n_columns = 4;
  data.n_labels = 3;
  Random random(seed, {});
  for (std::size_t row = 0; row < n; ++row) {
    std::vector<Feature> ids;
    std::vector<float> values;
    for (Feature feature = 0; feature < 4; ++feature) {
      if (random.below(2) == 0) continue;
      ids.push_back(feature);
      values.push_back(static_cast<float>(1 + random.below(2)));
    }
    std::vector<Label> labels;
    for (Label label = 0; label < 3; ++label) {
      if (random.below(3) == 0) labels.push_back(label);
    }
    data.features.push_back({ids, values});
    data.labels.push_back(labels);
  }
  return data;
}

TextList as_texts(const SparseMatrix& rows) {
  TextList texts;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    std::string text = row % 3 == 0 && rows[row].size() == 0 ? " \n" : "";
    for (std::size_t i = 0; i < rows[row].size(); ++i)
      text += std::to_string(rows[row].ids[i]) + ':' + std::to_string(rows[row].values[i]) + ' ';
    texts.push_back(text);
  }
  return texts;
}

bool same_content(SparseRow a, SparseRow b) {
  return std::ranges::equal(a.ids, b.ids) && std::ranges::equal(a.values, b.values);
}

// Every row against every earlier one.
Repeats slow_repeats(const Dataset& data) {
  Repeats repeats;
  for (std::size_t row = 0; row < data.size(); ++row) {
    if (data.features[row].size() == 0) continue;
    bool content = false, labels = false;
    for (std::size_t earlier = 0; earlier < row; ++earlier) {
      if (!same_content(data.features[row], data.features[earlier])) continue;
      content = true;
      labels |= std::ranges::equal(data.labels[row], data.labels[earlier]);
    }
    repeats.rows += content;
    repeats.with_other_labels += content && !labels;
  }
  return repeats;
}

TEST(RowKeys, FindTheRepeatsThatComparingAllRowsFinds) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const Dataset data = random_rows(seed, 1 + seed * 3);
    const Repeats expected = slow_repeats(data);
    const auto keys = sorted_row_keys(data.features, data.labels);
    const Repeats found = find_repeats(keys);
    EXPECT_EQ(found.rows, expected.rows);
    EXPECT_EQ(found.with_other_labels, expected.with_other_labels);
    const TextList texts = as_texts(data.features);
    const Repeats in_texts = find_repeats(sorted_row_keys(texts, data.labels));
    EXPECT_EQ(in_texts.rows, expected.rows);
    EXPECT_EQ(in_texts.with_other_labels, expected.with_other_labels);
    if (found.rows == 0) continue;
    const auto two = first_two_rows(data.features, found.example).value();
    EXPECT_LT(two.first, two.second);
    EXPECT_TRUE(same_content(data.features[two.first], data.features[two.second]));
    EXPECT_EQ(texts[two.first], texts[two.second]);
    EXPECT_TRUE(first_two_rows(texts, in_texts.example));
  }
}

TEST(RowKeys, CountTheRowsOfOneSetThatAreInAnother) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const Dataset data = random_rows(seed, 20), others = random_rows(seed + 1000, seed);
    std::size_t expected = 0;
    for (std::size_t row = 0; row < data.size(); ++row) {
      if (data.features[row].size() == 0) continue;
      bool there = false;
      for (std::size_t other = 0; other < others.size(); ++other)
        there |= same_content(data.features[row], others.features[other]);
      expected += there;
    }
    EXPECT_EQ(
        count_shared(sorted_row_keys(data.features, data.labels), sorted_row_keys(others.features, others.labels)),
        expected);
  }
}

TEST(RowKeys, AreTheSameForAnyNumberOfThreads) {
  const Dataset data = random_rows(7, 3000);
  std::vector<RowKey> one, four;
  with_threads(1, [&] { one = sorted_row_keys(data.features, data.labels); });
  with_threads(4, [&] { four = sorted_row_keys(data.features, data.labels); });
  EXPECT_EQ(one, four);
}

TEST(RowKeys, TellValuesApartFromIds) {
  SparseMatrix rows;
  LabelLists labels;
  const std::vector<Feature> first = {1}, second = {1, 2};
  const std::vector<float> ones = {1}, twos = {2}, both = {1, 2};
  rows.push_back({first, ones});
  rows.push_back({first, twos});
  rows.push_back({second, both});
  for (int i = 0; i < 3; ++i) labels.push_back({});
  EXPECT_EQ(find_repeats(sorted_row_keys(rows, labels)).rows, 0U);
}

}  // namespace
}  // namespace xylem
