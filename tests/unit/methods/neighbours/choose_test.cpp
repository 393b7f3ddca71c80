// SPDX-License-Identifier: Apache-2.0
#include "methods/neighbours/choose.h"

#include <gtest/gtest.h>

#include "methods/neighbours/choose_ridge.h"
#include "methods/neighbours/feature_weights.h"
#include "toy_data.h"

namespace xylem::neighbours {
namespace {

// Takes a row to its first features.
class FirstFeatures final : public Encoder {
 public:
  std::size_t dim() const override { return 16; }
  void embed(SparseRows rows, Matrix&, Matrix& out) const override {
    out = Matrix::Zero(static_cast<Eigen::Index>(rows.size()), 16);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      auto vector = out.row(static_cast<Eigen::Index>(i));
      for (std::size_t j = 0; j < rows[i].size(); ++j) vector[rows[i].ids[j] % 16] += rows[i].values[j];
      vector.normalize();
    }
  }
  std::unique_ptr<Encoder> packed(Precision) const override { return std::make_unique<FirstFeatures>(); }
  void save(ModelWriter&, const std::string&) const override {}
  void save(std::string&) const override {}
  bool is_finite() const override { return true; }
};

class Choose : public ::testing::Test {
 protected:
  Choose() : train_(test::toy_data(1)), valid_(test::toy_data(2)), rows_(rows_with_labels(train_)) {
    // A label's vector is the mean of its rows'.
    label_vectors_ = Matrix::Zero(static_cast<Eigen::Index>(train_.n_labels), 16);
    const Matrix embedded = embed_rows(encoder_, train_.features.rows(), {});
    for (std::size_t row = 0; row < train_.size(); ++row) {
      for (const Label label : train_.labels[row]) {
        label_vectors_.row(label) += embedded.row(static_cast<Eigen::Index>(row));
      }
    }
    label_vectors_.rowwise().normalize();
  }
  MemberData data() const {
    return {train_, has_valid_ ? &valid_ : nullptr, rows_,
            std::vector(label_vectors_.data(), label_vectors_.data() + label_vectors_.size()), weights_};
  }
  VoteChoice votes() const { return choose_votes(encoder_, data(), options_, {}); }
  CellChoice cells(int clusters, int probes) {
    options_.clusters = clusters;
    options_.probes = probes;
    return choose_cells(encoder_, data(), options_, Random(1, {}), {});
  }

  FirstFeatures encoder_;
  Dataset train_, valid_;
  std::vector<std::uint32_t> rows_;
  Matrix label_vectors_;
  std::vector<float> weights_ = fit_feature_weights(train_, rows_, 1, {});
  VoteOptions options_;
  bool has_valid_ = true;
};

TEST_F(Choose, VotesAsGivenWhereTheyAreGiven) {
  options_.k = 7;
  options_.blend = 0.3;
  options_.weighting = 0.7;
  options_.vote_power = 3;
  const VoteChoice chosen = votes();
  EXPECT_EQ(chosen.k, 7u);
  EXPECT_EQ(chosen.blend, 0.3);
  EXPECT_EQ(chosen.weighting, 0.7);
  EXPECT_EQ(chosen.vote_power, 3);
  EXPECT_GT(chosen.figure, 0);
}

TEST_F(Choose, VotesThatAreAtLeastAsGoodAsAnyGiven) {
  const VoteChoice best = votes();
  for (const int k : {1, 5, 20}) {
    for (const double blend : {0.0, 0.5}) {
      options_.k = k;
      options_.blend = blend;
      EXPECT_LE(votes().figure, best.figure) << k << " " << blend;
    }
  }
  options_.k = static_cast<int>(best.k);
  options_.blend = best.blend;
  options_.weighting = best.weighting;
  options_.vote_power = best.vote_power;
  EXPECT_EQ(votes().figure, best.figure);
}

TEST_F(Choose, ALabelShareThatIsAtLeastAsGoodAsAnyGiven) {
  options_.k = 5;
  options_.blend = 0;
  options_.vote_power = 8;
  const double without = votes().figure;
  options_.label_share = -1;
  const VoteChoice best = votes();
  EXPECT_GE(best.label_share, 0);
  EXPECT_GE(best.figure, without);
  for (const double share : {0.1, 0.5, 1.0}) {
    options_.label_share = share;
    EXPECT_EQ(votes().label_share, share);
    EXPECT_LE(votes().figure, best.figure) << share;
  }
}

TEST_F(Choose, ARidgeThatIsAtLeastAsGoodAsVotesAlone) {
  const VoteOptions alone = votes().applied_to(options_);
  const VoteOptions chosen = choose_ridge(encoder_, data(), options_, alone, {});
  EXPECT_GE(chosen.ridge, 0);
  const auto figure_with = [&](const VoteOptions& options) {
    const NeighbourIndex index(embed_rows(encoder_, train_.features.rows(), rows_, {}), {}, Random(0, {}), {});
    const auto k = static_cast<std::size_t>(options.k);
    const Blend blend{options.weighting, options.blend};
    const MemberData source = data();
    const auto found =
        find_neighbours(index, embed_queries(encoder_, source, 5000, {}), {200, 1, k}, {blend}, source, {}).front();
    return options.ridge == 0
               ? figure_of(found, k, source, options.vote_power)
               : kernel_figures(found, index, blend, {{k, options.vote_power, options.ridge}}, source, {}).front();
  };
  VoteOptions without = alone;
  without.ridge = 0;
  EXPECT_GE(figure_with(chosen), figure_with(without));
}

TEST_F(Choose, TheRestForAGivenRidge) {
  options_.ridge = 0.7;
  options_.blend = 0.5;
  const VoteOptions chosen = choose_ridge(encoder_, data(), options_, votes().applied_to(options_), {});
  EXPECT_EQ(chosen.ridge, 0.7);
  EXPECT_EQ(chosen.blend, 0.5);
  EXPECT_GT(chosen.k, 0);
  EXPECT_GE(chosen.vote_power, 0);
}

TEST_F(Choose, ClustersByTheNumberOfRows) {
  options_.clusters = 0;
  EXPECT_EQ(cluster_count(options_, 1'999), 1u);
  EXPECT_EQ(cluster_count(options_, 10'000), 100u);
  options_.clusters = 7;
  EXPECT_EQ(cluster_count(options_, 10'000), 7u);
}

TEST_F(Choose, CellsAsGivenAndProbesWhereValidationRowsAreThere) {
  options_.k = 5;
  options_.blend = 0;
  options_.vote_power = 8;
  options_.ridge = 0;
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

}  // namespace
}  // namespace xylem::neighbours
