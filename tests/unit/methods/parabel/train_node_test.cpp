// SPDX-License-Identifier: Apache-2.0
#include "methods/parabel/train_node.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "toy_data.h"

namespace xylem::parabel {
namespace {

// All labels in one leaf: more than one group of lanes, the last not full.
struct Trained {
  Dataset data;
  LabelTree tree;
  TrainedNode node;
};

Trained train_leaf(const NodeTrainer::Options& options, int threads = 2) {
  Trained result;
  result.data = test::toy_data(1, {.rows = 800, .labels = 41});
  with_threads(threads, [&] {
    const RankedData ranked = rank_features(result.data);
    for (Label label = 40; label-- > 0;) result.tree.labels.push_back(label);
    result.tree.nodes.push_back({0, 40});
    NodeTrainer trainer(ranked, options);
    result.node = trainer.train(result.tree, result.tree.nodes[0], 7);
  });
  return result;
}

constexpr LinearOptions kExact = {.cost = 1, .passes = 5000, .tolerance = 1e-4};

// What a child's classifier says of a row.
std::vector<std::vector<float>> margins(const Trained& trained) {
  const std::vector<std::uint64_t> child_offsets = {0, trained.node.biases.size()};
  const Classifiers classifiers({trained.node.classifiers}, child_offsets, rank_features(trained.data).rank_of);
  std::vector<std::vector<float>> result;
  for (std::size_t row = 0; row < trained.data.size(); ++row) {
    const SparseRow source = trained.data.features[row];
    std::vector<std::uint32_t> ranks;
    for (const Feature feature : source.ids) ranks.push_back(classifiers.rank_of()[feature]);
    result.push_back(trained.node.biases);
    classifiers.add_scores(0, ranks, source.values, result.back().data());
  }
  return result;
}

TEST(TrainNode, EachChildLearnsItsOwnLabel) {
  const Trained trained = train_leaf({.linear = {}, .prune = 0, .label_costs = {}});
  ASSERT_EQ(trained.node.biases.size(), 40u);
  const auto found = margins(trained);
  std::size_t mistakes = 0;
  for (std::size_t row = 0; row < trained.data.size(); ++row) {
    for (std::size_t child = 0; child < 40; ++child) {
      const bool is_positive = std::ranges::count(trained.data.labels[row], trained.tree.labels[child]) > 0;
      mistakes += (found[row][child] > 0) != is_positive;
    }
  }
  EXPECT_LT(mistakes, 10u);  // of 32000; two thirds of a row's words may be another label's
}

TEST(TrainNode, DropsWeightsBelowPruneAndNoOthers) {
  const Trained all = train_leaf({.linear = {}, .prune = 0, .label_costs = {}});
  const Trained pruned = train_leaf({.linear = {}, .prune = 0.1f, .label_costs = {}});
  std::vector<float> expected;
  for (const float value : all.node.classifiers.values) {
    EXPECT_NE(value, 0);
    if (std::abs(value) >= 0.1f) expected.push_back(value);
  }
  EXPECT_LT(expected.size(), all.node.classifiers.values.size());
  EXPECT_EQ(pruned.node.classifiers.values, expected);
  EXPECT_EQ(pruned.node.biases, all.node.biases);
}

TEST(TrainNode, CostOfALabelRaisesItsMarginsAlone) {
  std::vector<float> costs(41, 1.0f);
  costs[5] = 20;
  const auto plain = margins(train_leaf({.linear = kExact, .prune = 0, .label_costs = {}}));
  const Trained costly = train_leaf({.linear = kExact, .prune = 0, .label_costs = costs});
  const auto found = margins(costly);
  for (std::size_t child = 0; child < 40; ++child) {
    double difference = 0;
    for (std::size_t row = 0; row < found.size(); ++row) {
      if (std::ranges::count(costly.data.labels[row], costly.tree.labels[child]) > 0)
        difference += static_cast<double>(found[row][child] - plain[row][child]);
    }
    if (costly.tree.labels[child] == 5) {
      EXPECT_GT(difference, 0.5);
    } else {
      EXPECT_NEAR(difference, 0, 0.5);
    }
  }
}

TEST(TrainNode, IsTheSameForAnyNumberOfThreads) {
  const Trained one = train_leaf({.linear = {}, .prune = 0.1f, .label_costs = {}}, 1);
  const Trained three = train_leaf({.linear = {}, .prune = 0.1f, .label_costs = {}}, 3);
  EXPECT_EQ(three.node.biases, one.node.biases);
  EXPECT_EQ(three.node.classifiers.values, one.node.classifiers.values);
  EXPECT_EQ(three.node.classifiers.ranks, one.node.classifiers.ranks);
  EXPECT_EQ(three.node.classifiers.children, one.node.classifiers.children);
}

}  // namespace
}  // namespace xylem::parabel
