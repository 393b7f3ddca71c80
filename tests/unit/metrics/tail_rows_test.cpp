// SPDX-License-Identifier: Apache-2.0
#include "metrics/tail_rows.h"

#include <gtest/gtest.h>

#include <cmath>

#include "unit/metrics/cases.h"

namespace xylem {
namespace {

using test::make_predictions;
using test::make_truth;

// Labels with 6, 5, 1 and 0 training rows; others never occurred either.
const TrainingCounts kCounts{.rows = 1000, .labels = {6, 5, 1, 0}};

using Rows = std::vector<std::size_t>;

TEST(FindTailRows, TakesRowsWithoutAnyFrequentLabel) {
  const TailRowList found = find_tail_rows(make_truth({{1}, {0, 1, 2}, {1, 2}, {0}, {}, {2, 3}}), kCounts);
  EXPECT_EQ(found.rows, (Rows{0, 2, 5}));
  EXPECT_EQ(found.rows_unseen, 0U);
}

TEST(FindTailRows, TakesUnseenLabelsAndCountsRowsOfNothingElse) {
  const TailRowList found = find_tail_rows(make_truth({{3}, {4'000'000'000U}, {3, 77}, {1, 77}, {0, 3}}), kCounts);
  EXPECT_EQ(found.rows, (Rows{0, 1, 2, 3}));
  EXPECT_EQ(found.rows_unseen, 3U);
}

TEST(FindTailRows, TakesAllLabelsForUnseenWithoutTrainingRows) {
  const TailRowList found = find_tail_rows(make_truth({{0}, {}, {1, 2}}), {});
  EXPECT_EQ(found.rows, (Rows{0, 2}));
  EXPECT_EQ(found.rows_unseen, 2U);
}

TEST(TailRows, HaveFiguresAsIfThereWereNoOtherRows) {
  const LabelLists truth = make_truth({{0, 1}, {1, 2}, {}, {77}});
  const TopLabels predictions = make_predictions({{{0, 2}, {1, 1}}, {{0, 3}, {2, 2}, {1, 1}}, {{1, 1}}, {}});
  const TailRows tail = evaluate(truth, predictions, kCounts, {.ks = {2, 1}, .bootstrap = 0}).tail_rows;
  EXPECT_EQ(tail.rows, 2U);
  EXPECT_EQ(tail.rows_unseen, 1U);
  const auto worth = [](double rows) {
    return 1 + (std::log(1000) - 1) * std::pow(2.5, 0.55) * std::pow(rows + 1.5, -0.55);
  };
  const std::vector<std::pair<std::string, double>> expected{
      {"P@2", 25},  {"P@1", 0},  {"PSP@2", 100 * worth(1) / (worth(5) + worth(1) + worth(0))},
      {"PSP@1", 0}, {"R@2", 25}, {"R@1", 0}};
  ASSERT_EQ(tail.figures.size(), expected.size());
  for (std::size_t f = 0; f < expected.size(); ++f) {
    EXPECT_EQ(tail.figures[f].name, expected[f].first);
    EXPECT_NEAR(tail.figures[f].value, expected[f].second, 1e-9) << expected[f].first;
    EXPECT_FALSE(tail.figures[f].low || tail.figures[f].high) << expected[f].first;
  }
}

TEST(TailRows, HaveNoFiguresWhereThereAreNone) {
  const TailRows tail =
      evaluate(make_truth({{0}, {0, 1}, {}}), make_predictions({{{0, 1}}, {}, {}}), kCounts).tail_rows;
  EXPECT_EQ(tail.rows, 0U);
  EXPECT_EQ(tail.rows_unseen, 0U);
  EXPECT_TRUE(tail.figures.empty());
}

}  // namespace
}  // namespace xylem
