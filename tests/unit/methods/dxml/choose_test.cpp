// SPDX-License-Identifier: Apache-2.0
#include "methods/dxml/choose.h"

#include <gtest/gtest.h>

#include <numeric>

#include "methods/dxml/own_cosines.h"
#include "toy_data.h"

namespace xylem::dxml {
namespace {

class Choose : public ::testing::Test {
 protected:
  Choose() : train_(test::toy_data(1)), valid_(test::toy_data(2)) {
    options_.net.hidden = 16;
    options_.net.dim = 8;
    targets_ = Matrix::Zero(static_cast<Eigen::Index>(train_.size()), 8);
    rows_.resize(train_.size());
    std::iota(rows_.begin(), rows_.end(), 0u);
  }
  Net net() const { return NetTrainer(train_.features.n_columns, options_.net, 1).net(); }
  LearnerData data() const { return {train_, has_valid_ ? &valid_ : nullptr, targets_, rows_}; }
  CellChoice cells(int clusters, int probes) {
    options_.clusters = clusters;
    options_.probes = probes;
    return choose_cells(net(), data(), options_, Random(1, {}), {});
  }

  Dataset train_, valid_;
  Matrix targets_;
  std::vector<std::uint32_t> rows_;
  DxmlOptions options_;
  bool has_valid_ = true;
};

TEST_F(Choose, VotesAsGivenWhereTheyAreGiven) {
  options_.k = 7;
  options_.blend = 0.3;
  const VoteChoice votes = choose_votes(net(), data(), options_, {});
  EXPECT_EQ(votes.k, 7u);
  EXPECT_EQ(votes.blend, 0.3);
  EXPECT_GT(votes.figure, 0);
}

TEST_F(Choose, VotesThatAreAtLeastAsGoodAsAnyGiven) {
  const VoteChoice best = choose_votes(net(), data(), options_, {});
  for (const int k : {1, 5, 20}) {
    for (const double blend : {0.0, 0.6}) {
      options_.k = k;
      options_.blend = blend;
      EXPECT_LE(choose_votes(net(), data(), options_, {}).figure, best.figure) << k << " " << blend;
    }
  }
  options_.k = static_cast<int>(best.k);
  options_.blend = best.blend;
  EXPECT_EQ(choose_votes(net(), data(), options_, {}).figure, best.figure);
}

TEST_F(Choose, ClustersByTheNumberOfRows) {
  options_.clusters = 0;
  EXPECT_EQ(cluster_count(options_, 9'999), 1u);
  EXPECT_EQ(cluster_count(options_, 10'000), 100u);
  options_.clusters = 7;
  EXPECT_EQ(cluster_count(options_, 10'000), 7u);
}

TEST_F(Choose, CellsAsGivenAndProbesWhereValidationRowsAreThere) {
  options_.k = 5;
  options_.blend = 0;
  EXPECT_EQ(cells(0, 0).clusters, 1u);  // few rows
  EXPECT_EQ(cells(0, 0).probes, 1u);
  EXPECT_EQ(cells(12, 3).probes, 3u);
  const CellChoice chosen = cells(12, 0);
  EXPECT_EQ(chosen.clusters, 12u);
  EXPECT_GE(chosen.probes, 1u);
  EXPECT_LE(chosen.probes, 12u);
  has_valid_ = false;
  EXPECT_EQ(cells(12, 0).probes, 1u);
  EXPECT_EQ(cells(0, 0).clusters, 1u);
}

TEST(SpreadRow, MultipliesWithRowsAndForgetsTheOneBefore) {
  const std::vector<Feature> ids = {1, 4, 9}, other_ids = {0, 4, 8};
  const std::vector<float> values = {2, 3, 5}, other_values = {7, 11, 13};
  SpreadRow spread;
  spread.assign({ids, values}, 9);  // leaves the feature 9 out
  EXPECT_EQ(spread.product({other_ids, other_values}), 33);
  spread.assign({std::span(ids).first(1), std::span(values).first(1)}, 2);  // of another model, with fewer features
  EXPECT_EQ(spread.product({std::span(other_ids).first(1), std::span(other_values).first(1)}), 0);
  spread.assign({}, 9);
  EXPECT_EQ(spread.product({other_ids, other_values}), 0);
}

}  // namespace
}  // namespace xylem::dxml
