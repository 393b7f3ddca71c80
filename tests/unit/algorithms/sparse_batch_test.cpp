// SPDX-License-Identifier: Apache-2.0
#include "algorithms/sparse_batch.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "core/random.h"

namespace xylem {
namespace {

SparseMatrix random_rows(std::size_t n, std::size_t n_features) {
  Random random(3, {});
  SparseMatrix rows;
  rows.n_columns = n_features;
  for (std::size_t row = 0; row < n; ++row) {
    for (Feature feature = 0; feature < n_features; ++feature) {
      if (random.below(4) != 0) continue;
      rows.ids.push_back(feature);
      rows.values.push_back(static_cast<float>(random.uniform()) + 0.1f);
    }
    rows.offsets.push_back(rows.ids.size());
  }
  return rows;
}

using Entries = std::map<std::pair<std::uint32_t, Feature>, float>;

Entries entries_by_rows(const SparseBatch& batch) {
  Entries result;
  for (std::uint32_t row = 0; row < batch.size(); ++row) {
    const SparseRow source = batch.rows()[row];
    for (std::size_t i = 0; i < source.size(); ++i) result[{row, source.ids[i]}] = source.values[i];
  }
  return result;
}

Entries entries_by_features(const SparseBatch& batch) {
  Entries result;
  for (std::size_t number = 0; number < batch.features().size(); ++number) {
    const SparseRow source = batch.by_feature()[number];
    EXPECT_GT(source.size(), 0u);
    for (std::size_t i = 0; i < source.size(); ++i) {
      result[{source.ids[i], batch.features()[number]}] = source.values[i];
    }
  }
  return result;
}

TEST(SparseBatch, HoldsTheSameByRowsAndByFeatures) {
  const SparseMatrix data = random_rows(30, 100);
  SparseBatch batch;  // the same for all
  for (const double keep : {1.0, 0.5}) {
    for (const std::vector<std::uint32_t>& rows : {std::vector<std::uint32_t>{5, 2, 29}, {7}, {}}) {
      batch.assign(data, rows, keep, 1);
      EXPECT_EQ(batch.size(), rows.size());
      EXPECT_TRUE(std::ranges::is_sorted(batch.features()));
      EXPECT_EQ(entries_by_rows(batch), entries_by_features(batch));
    }
  }
}

TEST(SparseBatch, KeepsEverythingWithProbabilityOne) {
  const SparseMatrix data = random_rows(5, 40);
  SparseBatch batch;
  batch.assign(data, std::vector<std::uint32_t>{3}, 1, 1);
  EXPECT_TRUE(std::ranges::equal(batch.rows()[0].ids, data[3].ids));
  EXPECT_TRUE(std::ranges::equal(batch.rows()[0].values, data[3].values));
}

TEST(SparseBatch, KeepsAShareAndScalesItUp) {
  const SparseMatrix data = random_rows(200, 100);
  std::vector<std::uint32_t> rows(200);
  for (std::uint32_t i = 0; i < 200; ++i) rows[i] = i;
  SparseBatch batch;
  batch.assign(data, rows, 0.7, 1);
  const double share = static_cast<double>(batch.rows().ids.size()) / static_cast<double>(data.ids.size());
  EXPECT_NEAR(share, 0.7, 0.02);
  double kept = 0, all = 0;
  for (const float value : batch.rows().values) kept += static_cast<double>(value);
  for (const float value : data.values) all += static_cast<double>(value);
  EXPECT_NEAR(kept / all, 1, 0.03);
}

TEST(SparseBatch, WhatIsKeptDependsOnTheRowAndTheSeedAlone) {
  const SparseMatrix data = random_rows(10, 100);
  SparseBatch one, two, other;
  one.assign(data, std::vector<std::uint32_t>{4, 6}, 0.5, 1);
  two.assign(data, std::vector<std::uint32_t>{6}, 0.5, 1);
  other.assign(data, std::vector<std::uint32_t>{6}, 0.5, 2);
  EXPECT_TRUE(std::ranges::equal(one.rows()[1].ids, two.rows()[0].ids));
  EXPECT_FALSE(std::ranges::equal(other.rows()[0].ids, two.rows()[0].ids));
}

}  // namespace
}  // namespace xylem
