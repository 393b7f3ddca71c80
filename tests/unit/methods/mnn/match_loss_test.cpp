// SPDX-License-Identifier: Apache-2.0
#include "methods/mnn/match_loss.h"

#include <gtest/gtest.h>

#include <set>

#include "core/random.h"

namespace xylem::mnn {
namespace {

using Eigen::Index;

Matrix unit_rows(Index rows, Index columns, std::uint64_t seed) {
  Random random(seed, {});
  Matrix result(rows, columns);
  for (float& value : result.reshaped()) value = static_cast<float>(random.normal());
  result.rowwise().normalize();
  return result;
}

// Row by row, as the paper has it.
double slow_loss(const Matrix& rows, const Matrix& sets, const std::vector<std::uint32_t>& negatives, double margin) {
  double sum = 0;
  for (std::size_t i = 0; i < negatives.size(); ++i) {
    const auto row = static_cast<Index>(i);
    const auto c = static_cast<double>(rows.row(row).dot(sets.row(row)));
    sum += (1 - c) * (1 - c) / 4;
    if (negatives[i] == kNoNegative) continue;
    const auto wrong = static_cast<double>(rows.row(row).dot(sets.row(negatives[i])));
    if (wrong > margin) sum += wrong * wrong;
  }
  return sum / static_cast<double>(negatives.size());
}

TEST(MatchLoss, IsThatOfThePaperAndFollowsItsGradient) {
  Matrix rows = unit_rows(5, 4, 1), sets = unit_rows(5, 4, 2);
  const std::vector<std::uint32_t> negatives = {3, 3, kNoNegative, 0, 1};
  for (const double margin : {0.0, 0.3}) {
    Matrix rows_delta, sets_delta;
    EXPECT_NEAR(match_loss(rows, sets, negatives, margin, rows_delta, sets_delta),
                slow_loss(rows, sets, negatives, margin), 1e-6);
    std::size_t n_steep = 0;
    for (auto [at, delta] : {std::pair(&rows, &rows_delta), std::pair(&sets, &sets_delta)}) {
      for (Index i = 0; i < at->size(); ++i) {
        constexpr float kLittle = 1e-3f;
        float& value = at->data()[i];
        const float before = value;
        value = before + kLittle;
        const double above = slow_loss(rows, sets, negatives, margin);
        value = before - kLittle;
        const double below = slow_loss(rows, sets, negatives, margin);
        value = before;
        EXPECT_NEAR(delta->data()[i], (above - below) / (2 * static_cast<double>(kLittle)), 1e-3) << i;
        if (std::abs(delta->data()[i]) > 0.01f) ++n_steep;
      }
    }
    EXPECT_GT(n_steep, 10u);  // there is something to compare
  }
}

TEST(HardestNegatives, AreTheNearestOfThoseDrawnAndNeverTheRowsOwnSet) {
  constexpr std::size_t kRows = 40;
  const Matrix rows = unit_rows(kRows, 6, 3), sets = unit_rows(kRows, 6, 4);
  std::vector<std::vector<Label>> lists;
  for (Label i = 0; i < kRows; ++i) lists.push_back({i % 5});
  const std::vector<std::span<const Label>> labels(lists.begin(), lists.end());
  const auto cosine = [&](std::size_t i, std::size_t j) {
    return rows.row(static_cast<Index>(i)).dot(sets.row(static_cast<Index>(j)));
  };
  // So many draws leave none out.
  const auto all = hardest_negatives(rows, sets, labels, 3000, 1);
  for (std::size_t i = 0; i < kRows; ++i) {
    std::size_t expected = kNoNegative;
    for (std::size_t j = 0; j < kRows; ++j) {
      if (lists[i] != lists[j] && (expected == kNoNegative || cosine(i, j) > cosine(i, expected))) expected = j;
    }
    EXPECT_EQ(all[i], expected);
  }
  // One draw is any.
  std::set<std::uint32_t> drawn;
  for (std::uint64_t seed = 0; seed < 400; ++seed) drawn.insert(hardest_negatives(rows, sets, labels, 1, seed)[0]);
  drawn.erase(kNoNegative);
  EXPECT_EQ(drawn.size(), kRows * 4 / 5);
}

TEST(HardestNegatives, AreMissingWhereAllSetsAreEqual) {
  const Matrix rows = unit_rows(3, 2, 3);
  const std::vector<Label> same = {1, 2};
  const std::vector<std::span<const Label>> labels(3, same);
  EXPECT_EQ(hardest_negatives(rows, rows, labels, 10, 1), std::vector<std::uint32_t>(3, kNoNegative));
}

}  // namespace
}  // namespace xylem::mnn
