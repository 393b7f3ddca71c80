// SPDX-License-Identifier: Apache-2.0
// What a row gets.
#include <algorithm>
#include <cmath>

#include "contract.h"
#include "kind_of_error.h"
#include "toy_data.h"
#include "xylem/error.h"

namespace xylem {
namespace {

using test::toy_data;

TEST_P(Contract, OrdersByScoreAndThenById) {
  const TopLabels top = train(toy_data(1)).tag(toy_data(2).features.rows(), 12, {});
  for (std::size_t row = 0; row < top.size(); ++row) {
    const auto labels = top.row_labels(row);
    const auto scores = top.row_scores(row);
    for (std::size_t i = 0; i < labels.size(); ++i) {
      EXPECT_TRUE(std::isfinite(scores[i]));
      EXPECT_LT(labels[i], 12u);
      if (i == 0) continue;
      EXPECT_TRUE(scores[i - 1] > scores[i] || (scores[i - 1] == scores[i] && labels[i - 1] < labels[i]));
    }
  }
}

TEST_P(Contract, GivesAtMostKAndAtMostAllLabels) {
  const Tagger tagger = train(toy_data(1));
  const Dataset test = toy_data(2);
  for (const std::size_t k : {0u, 1u, 1000u}) {
    const TopLabels top = tagger.tag(test.features.rows(), k, {});
    ASSERT_EQ(top.size(), test.size());
    for (std::size_t row = 0; row < top.size(); ++row)
      EXPECT_LE(top.row_labels(row).size(), std::min<std::size_t>(k, 12));
  }
}

TEST_P(Contract, GivesKAllowedLabelsWhereItKnowsThem) {
  const Tagger tagger = train(toy_data(1));
  const Dataset test = toy_data(2);
  const TopLabels everything = tagger.tag(test.features.rows(), 12, {});
  LabelFilter allowed(12);
  for (const Label label : {1u, 2u, 5u, 11u}) allowed[label] = true;
  for (const std::size_t k : {0u, 1u, 3u, 1000u}) {
    const TopLabels top = tagger.tag(test.features.rows(), k, {}, &allowed);
    ASSERT_EQ(top.size(), test.size());
    for (std::size_t row = 0; row < top.size(); ++row) {
      std::vector<Label> expected;
      for (const Label label : everything.row_labels(row)) {
        if (allowed[label] && expected.size() < k) expected.push_back(label);
      }
      EXPECT_EQ(std::vector<Label>(top.row_labels(row).begin(), top.row_labels(row).end()), expected);
    }
  }
  const LabelFilter too_short(11);
  EXPECT_EQ(test::kind_of_error([&] { tagger.tag(test.features.rows(), 1, {}, &too_short); }), ErrorKind::kUsage);
}

TEST_P(Contract, NeverPredictsALabelWithoutRows) {
  const TopLabels top = train(toy_data(1)).tag(toy_data(2).features.rows(), 12, {});
  EXPECT_EQ(std::ranges::count(top.labels, Label{11}), 0);
}

TEST_P(Contract, AcceptsEmptyRowsUnseenFeaturesAndZeros) {
  const Tagger tagger = train(toy_data(1));
  SparseMatrix rows;
  rows.push_back({});
  const std::vector<Feature> unseen = {1000, 4'000'000'000};
  const std::vector<Feature> known = {0, 1};
  rows.push_back({unseen, std::vector<float>{1, 2}});
  rows.push_back({known, std::vector<float>{0, 0}});
  rows.push_back({known, std::vector<float>{3e38f, 3e38f}});
  rows.push_back({known, std::vector<float>{1e-45f, 1e-45f}});
  rows.push_back({known, std::vector<float>{-1, -1}});
  const TopLabels top = tagger.tag(rows.rows(), 5, {});
  EXPECT_EQ(top.size(), 6u);
  for (const float score : top.scores) EXPECT_TRUE(std::isfinite(score));
}

}  // namespace
}  // namespace xylem
