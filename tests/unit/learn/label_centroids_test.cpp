// SPDX-License-Identifier: Apache-2.0
#include "learn/label_centroids.h"

#include <gtest/gtest.h>

#include "gradients.h"

namespace xylem {
namespace {

using Eigen::Index;

TEST(LabelCentroids, AreTheMeansOfLabelsRowsAsSeenFromTheMeanOfAll) {
  constexpr std::size_t kRows = 600, kLabels = 7, kDim = 5;  // more rows than are embedded at once
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

}  // namespace
}  // namespace xylem
