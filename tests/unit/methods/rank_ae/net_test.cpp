// SPDX-License-Identifier: Apache-2.0
#include "methods/rank_ae/net.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "gradients.h"

namespace xylem::rank_ae {
namespace {

using Eigen::Index;

Net::Parts random_parts() {
  Net::Parts parts{random_matrix(9, 4, 1), std::vector<float>(9, 0.5f), random_matrix(1, 4, 3), random_matrix(4, 6, 4),
                   random_matrix(1, 6, 5), random_matrix(7, 6, 6),      random_matrix(7, 1, 7)};
  parts.outputs.row(2).setZero();
  return parts;
}

SparseMatrix two_rows() {
  SparseMatrix rows;
  rows.push_back({std::vector<Feature>{0, 3, 8}, std::vector<float>{0.5f, 0.8f, -0.3f}});
  rows.push_back({std::vector<Feature>{1, 200}, std::vector<float>{1, 5}});  // 200 is no word of the table
  return rows;
}

// Given the sums of the rows' words.
Matrix slow_scores(const Net::Parts& parts, const Matrix& sums) {
  const Matrix code = sums.rowwise() + parts.code_bias.row(0);
  const Matrix hidden = ((code * parts.hidden).rowwise() + parts.hidden_bias.row(0)).cwiseMax(0.0f);
  return (hidden * parts.outputs.transpose()).rowwise() + parts.output_bias.transpose().row(0);
}

TEST(Net, ScoresLabelsAsItsLayersSay) {
  const Net::Parts parts = random_parts();
  const Net net(parts, Precision::kFloat);
  Matrix sums = Matrix::Zero(2, 4);
  sums.row(0) = 0.5f * parts.table.row(0) + 0.8f * parts.table.row(3) - 0.3f * parts.table.row(8);
  sums.row(1) = parts.table.row(1);
  const Matrix expected = slow_scores(parts, sums);
  Net::Buffers buffers;
  const SparseMatrix rows = two_rows();
  net.hide(rows.rows(), buffers);
  std::vector<float> scores;
  net.score(buffers.hidden, 3, 2, scores);
  for (Index row = 0; row < 2; ++row) {
    for (Index label = 0; label < 2; ++label) {
      EXPECT_NEAR(scores[static_cast<std::size_t>(2 * row + label)], expected(row, 3 + label), 1e-4f);
    }
  }
}

TEST(Net, KnowsLabelsThatHaveAVector) {
  const Net net(random_parts(), Precision::kFloat);
  for (Label label = 0; label < 7; ++label) EXPECT_EQ(net.knows(label), label != 2);
}

TEST(Net, TermsAddUpToTheScore) {
  const Net::Parts parts = random_parts();
  const Net net(parts, Precision::kFloat);
  const SparseMatrix rows = two_rows();
  Net::Buffers buffers;
  net.hide(rows.rows(), buffers);
  std::vector<float> scores;
  net.score(buffers.hidden, 0, 7, scores);
  const Matrix nothing = slow_scores(parts, Matrix::Zero(1, 4));
  for (std::size_t row = 0; row < 2; ++row) {
    for (Label label = 0; label < 7; ++label) {
      const Net::Terms terms = net.terms(rows[row], label);
      EXPECT_NEAR(terms.constant, static_cast<double>(nothing(0, label)), 1e-5);
      double sum = terms.constant;
      for (std::size_t i = 0; i < rows[row].size(); ++i) {
        sum += static_cast<double>(rows[row].values[i]) * terms.words[i];
      }
      const auto score = static_cast<double>(scores[7 * row + label]);
      EXPECT_NEAR(sum, score, 1e-4 * std::max(1.0, std::abs(score)));
    }
  }
}

TEST(Net, ComesBackFromBytes) {
  const Net net(random_parts(), Precision::kFloat);
  std::string bytes, again;
  net.save(bytes);
  std::string_view rest = bytes;
  const Net loaded(rest, net.shape());
  EXPECT_TRUE(rest.empty());
  loaded.save(again);
  EXPECT_EQ(again, bytes);
}

TEST(Net, SeesWhatIsNotFinite) {
  EXPECT_TRUE(Net(random_parts(), Precision::kFloat).is_finite());
  Net::Parts parts = random_parts();
  parts.outputs(3, 3) = std::numeric_limits<float>::quiet_NaN();
  EXPECT_FALSE(Net(parts, Precision::kFloat).is_finite());
  parts = random_parts();
  parts.table(0, 0) = std::numeric_limits<float>::infinity();
  EXPECT_FALSE(Net(parts, Precision::kFloat).is_finite());
}

}  // namespace
}  // namespace xylem::rank_ae
