// SPDX-License-Identifier: Apache-2.0
#include "methods/neighbours/kernel_votes.h"

#include <gtest/gtest.h>

#include <Eigen/LU>

#include "methods/neighbours/stored_rows.h"
#include "toy_data.h"

namespace xylem::neighbours {
namespace {

using Eigen::Index;

constexpr std::size_t kDim = 6;

// Rows of the toy data, embedded at random, and the neighbours of one of them.
class KernelVotesTest : public ::testing::Test {
 protected:
  KernelVotesTest() {
    Random random(3, {});
    for (float& value : embedded_.reshaped()) value = std::abs(static_cast<float>(random.normal()));
    embedded_.rowwise().normalize();
    std::vector<float> weights(data_.features.n_columns);
    for (float& weight : weights) weight = 0.5f + static_cast<float>(random.uniform());
    std::vector<std::uint32_t> all;
    for (std::uint32_t row = 0; row < data_.size(); ++row) all.push_back(row);
    rows_ = StoredRows::of(data_, all, OwnMetric(weights, 1, data_.features.n_columns));
    index_ = NeighbourIndex(embedded_, {.n_cells = 4, .nearness = Nearness::kCosine}, Random(1, {}), {});
  }

  // One pair at a time.
  double slow_score(std::uint32_t a, std::uint32_t b, double blend) const {
    SpreadRow spread;
    spread.assign(rows_->features(a), rows_->metric());
    const float own = spread.cosine(rows_->features(b), rows_->inverse_length(b));
    return static_cast<double>(blended(embedded_.row(a).dot(embedded_.row(b)), own, blend));
  }
  std::vector<Scored> neighbours(std::uint32_t row, double blend, std::size_t k) const {
    TopK best;
    best.reset(k);
    for (std::uint32_t other = 0; other < data_.size(); ++other) {
      if (other != row) best.offer(static_cast<float>(slow_score(row, other, blend)), other);
    }
    const auto sorted = best.sorted();
    return {sorted.begin(), sorted.end()};
  }
  Eigen::VectorXd slow_votes(const std::vector<Scored>& found, double blend, double power, double ridge) const {
    const auto n = static_cast<Index>(found.size());
    Eigen::MatrixXd kernel(n, n);
    Eigen::VectorXd scores(n);
    for (Index i = 0; i < n; ++i) {
      const Scored& a = found[static_cast<std::size_t>(i)];
      scores[i] = std::pow(static_cast<double>(a.score), power);
      for (Index j = 0; j < n; ++j) {
        const Scored& b = found[static_cast<std::size_t>(j)];
        kernel(i, j) = i == j ? 1 + ridge : std::pow(slow_score(a.id, b.id, blend), power);
      }
    }
    return kernel.partialPivLu().solve(scores);
  }

  Dataset data_ = test::toy_data(1);
  Matrix embedded_ = Matrix(static_cast<Index>(data_.size()), static_cast<Index>(kDim));
  std::optional<StoredRows> rows_;
  NeighbourIndex index_ = NeighbourIndex(Matrix::Zero(1, kDim), {}, Random(1, {}), {});
};

TEST_F(KernelVotesTest, AreThoseOfASlowSolution) {
  KernelVotes kernel;  // one for all: nothing of a row stays
  for (const double blend : {0.0, 0.25, 1.0}) {
    for (const std::size_t k : {std::size_t{1}, std::size_t{7}, std::size_t{12}}) {
      const std::vector<Scored> found = neighbours(5, blend, k);
      kernel.assign(found, index_, *rows_, blend);
      for (const double power : {1.0, 2.0}) {
        const auto votes = kernel.votes(found, power, 1);
        const Eigen::VectorXd slow = slow_votes(found, blend, power, 1);
        std::size_t n_heard = 0;
        while (n_heard < k && found[n_heard].score > 0) ++n_heard;
        ASSERT_EQ(votes.size(), n_heard);
        if (n_heard < k) continue;
        for (std::size_t i = 0; i < k; ++i) EXPECT_NEAR(votes[i], slow[static_cast<Index>(i)], 1e-4);
      }
    }
  }
}

TEST_F(KernelVotesTest, OfTheFirstFewAreThoseOfThemAlone) {
  const std::vector<Scored> found = neighbours(2, 0, 9);
  KernelVotes all, few;
  all.assign(found, index_, *rows_, 0);
  few.assign(std::span(found).first(4), index_, *rows_, 0);
  const auto a = all.votes(std::span(found).first(4), 2, 0.3), b = few.votes(std::span(found).first(4), 2, 0.3);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(a[i], b[i], 1e-5);
}

TEST_F(KernelVotesTest, OfEqualNeighboursAddUpToOne) {
  for (const Index row : {1, 2, 3}) embedded_.row(row) = embedded_.row(0);
  const NeighbourIndex index(embedded_, {}, Random(1, {}), {});
  const std::vector<Scored> three{{0.8f, 1}, {0.8f, 2}, {0.8f, 3}}, one{{0.8f, 1}};
  KernelVotes kernel;
  kernel.assign(one, index, *rows_, 0);
  const float alone = kernel.votes(one, 1, 1e-3)[0];
  kernel.assign(three, index, *rows_, 0);
  const auto votes = kernel.votes(three, 1, 1e-3);
  EXPECT_NEAR(votes[0] + votes[1] + votes[2], alone, 1e-2);
}

// The scores of three rows with each other that are no kernel: 1 and 2 are near to 3, but far from each other.
TEST_F(KernelVotesTest, AreFiniteWhereTheScoresAreNoKernel) {
  Matrix vectors = Matrix::Zero(3, 3);
  vectors << 1, 0, 0, 0, 1, 0, 1, 1, 0;
  vectors.rowwise().normalize();
  const NeighbourIndex index(vectors, {}, Random(1, {}), {});
  const std::vector<Scored> found{{0.9f, 0}, {0.8f, 1}, {0.7f, 2}};
  KernelVotes kernel;
  kernel.assign(found, index, *rows_, 0);
  for (const double power : {0.1, 0.01}) {  // entries of 0 and nearly 1
    for (const double ridge : {1e-300, 1e-3, 1.0}) {
      const auto votes = kernel.votes(found, power, ridge);
      ASSERT_EQ(votes.size(), 3u);
      for (const float vote : votes) EXPECT_LT(std::abs(vote), 10) << power << " " << ridge;
    }
  }
}

TEST_F(KernelVotesTest, NobodyWhoPointsAwayIsHeard) {
  const std::vector<Scored> found{{0.5f, 1}, {0, 2}, {-0.5f, 3}};
  KernelVotes kernel;
  kernel.assign(found, index_, *rows_, 0);
  EXPECT_EQ(kernel.votes(found, 1, 1).size(), 1u);
  EXPECT_TRUE(kernel.votes(std::span(found).subspan(1), 1, 1).empty());
}

}  // namespace
}  // namespace xylem::neighbours
