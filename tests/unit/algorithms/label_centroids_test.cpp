// SPDX-License-Identifier: Apache-2.0
#include "algorithms/label_centroids.h"

#include <gtest/gtest.h>

#include "core/row_blocks.h"
#include "gradients.h"

namespace xylem {
namespace {

using Eigen::Index;

TEST(LabelCentroids, AreTheMeansOfLabelsRowsAsSeenFromTheMeanOfAll) {
  constexpr std::size_t kRows = kBlockRows + 600, kLabels = 7, kDim = 5;  // more rows than are embedded at once
  const Matrix rows = random_matrix(kRows, kDim, 1);
  LabelLists labels;
  for (std::size_t row = 0; row < kRows; ++row) {  // label 6 has no rows, row 0 no labels
    std::vector<Label> own;
    for (Label label = 0; label < 6; ++label) {
      if (row > 0 && (row * 7 + label * label) % 11 < 3) own.push_back(label);
    }
    labels.push_back(own);
  }
  const LabelCentroids found =
      label_centroids(labels, kLabels, kDim, [&](std::size_t begin, std::size_t n, Matrix& out) {
        out = rows.middleRows(static_cast<Index>(begin), static_cast<Index>(n));
      });
  const Eigen::RowVectorXf mean = rows.colwise().mean();
  EXPECT_LT((found.mean - mean).norm(), 1e-5f);
  EXPECT_NEAR(found.mean_square, static_cast<double>(rows.rowwise().squaredNorm().mean()), 1e-4);
  for (Label label = 0; label < kLabels; ++label) {
    Eigen::RowVectorXf direction = Eigen::RowVectorXf::Zero(kDim);
    for (std::size_t row = 0; row < kRows; ++row) {
      for (const Label own : labels[row]) {
        if (own == label) direction += rows.row(static_cast<Index>(row)) - mean;
      }
    }
    if (label < 6) direction.normalize();
    EXPECT_LT((found.directions.row(label) - direction).norm(), 1e-3f) << label;
  }
}

TEST(LabelCentroids, HaveNoDirectionWhereOnlyRoundingIsLeft) {
  constexpr std::size_t kRows = 20'000, kDim = 5;
  const Matrix row = random_matrix(1, kDim, 1), others = random_matrix(kRows, kDim, 2);
  LabelLists of_all, of_half;
  for (std::size_t i = 0; i < kRows; ++i) {
    of_all.push_back(std::vector<Label>{0});
    of_half.push_back(std::vector<Label>(i % 2, 0));
  }
  const auto same = [&](std::size_t, std::size_t n, Matrix& out) { out = row.replicate(static_cast<Index>(n), 1); };
  EXPECT_TRUE(label_centroids(of_half, 1, kDim, same).directions.isZero(0));
  const auto different = [&](std::size_t begin, std::size_t n, Matrix& out) {
    out = others.middleRows(static_cast<Index>(begin), static_cast<Index>(n));
  };
  EXPECT_TRUE(label_centroids(of_all, 1, kDim, different).directions.isZero(0));
}

}  // namespace
}  // namespace xylem
