// SPDX-License-Identifier: Apache-2.0
#include "methods/parabel/train_node.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "ranked_data.h"
#include "toy_data.h"

namespace xylem::parabel {
namespace {

// All labels in one leaf: more than one group of lanes, the last not full.
struct Trained {
  Dataset data;
  LabelTree tree;
  TrainedNode node;
};

std::vector<TrainedNode> train(const RankedRows& ranked, const LabelTree& tree, std::span<const TaskNode> nodes,
                               const NodeOptions& options) {
  ProblemScratch scratch;
  NodeProblem problem;
  make_problem(ranked, tree, nodes, {}, options, scratch, problem);
  PerWorker<SolverScratch> solver_scratch;
  return train_nodes(problem, options, 7, solver_scratch, {});
}

Trained train_leaf(const NodeOptions& options, int threads = 2) {
  Trained result;
  result.data = test::toy_data(1, {.rows = 800, .labels = 41});
  with_threads(threads, [&] {
    const RankedRows ranked = test::ranked(result.data);
    for (Label label = 40; label-- > 0;) result.tree.labels.push_back(label);
    result.tree.nodes.push_back({0, 40});
    result.node = train(ranked, result.tree, std::vector<TaskNode>{{0, 0, 40}}, options)[0];
  });
  return result;
}

constexpr LinearOptions kExact = {.cost = 1, .passes = 5000, .tolerance = 1e-4};

// What a child's classifier says of a row.
std::vector<std::vector<float>> margins(const Trained& trained) {
  const std::vector<std::uint64_t> child_offsets = {0, trained.node.biases.size()};
  const Classifiers classifiers({trained.node.classifiers}, child_offsets, test::ranks(trained.data).rank_of);
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
  const Trained trained = train_leaf({.linear = {}, .prune = 0, .label_costs = {}, .max_rows = 0});
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
  const Trained all = train_leaf({.linear = {}, .prune = 0, .label_costs = {}, .max_rows = 0});
  const Trained pruned = train_leaf({.linear = {}, .prune = 0.1f, .label_costs = {}, .max_rows = 0});
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
  const auto plain = margins(train_leaf({.linear = kExact, .prune = 0, .label_costs = {}, .max_rows = 0}));
  const Trained costly = train_leaf({.linear = kExact, .prune = 0, .label_costs = costs, .max_rows = 0});
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

// Of two children, zeros included: [rank][child].
std::vector<float> all_weights(const PackedNode& node, std::size_t n_ranks) {
  std::vector<float> result(2 * n_ranks, 0.0f);
  std::size_t weight = 0;
  for (std::size_t i = 0; i < node.ranks.size(); ++i) {
    for (const std::size_t end = weight + node.counts[i] + 1u; weight < end; ++weight) {
      result[2 * node.ranks[i] + node.children[weight]] = node.values[weight];
    }
  }
  return result;
}

// Nodes that share a group of lanes learn what they would learn alone.
TEST(TrainNode, NodesThatShareLanesLearnTheirOwn) {
  const Dataset data = test::toy_data(1, {.rows = 400, .labels = 16});
  const RankedRows ranked = test::ranked(data);
  LabelTree tree;
  for (Label label = 0; label < 16; ++label) tree.labels.push_back(label);
  tree.nodes = {{0, 16, 1, 2}, {0, 8, 3, 2}, {8, 16, 5, 2}, {0, 4}, {4, 8}, {8, 12}, {12, 16}};
  const NodeOptions options = {.linear = kExact, .prune = 0, .label_costs = {}, .max_rows = 0};
  const std::vector<TaskNode> nodes = {{0, 0, 2}, {1, 1, 2}, {2, 2, 2}};
  const std::vector<TrainedNode> together = train(ranked, tree, nodes, options);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const TrainedNode alone = train(ranked, tree, std::span(nodes).subspan(i, 1), options)[0];
    ASSERT_EQ(together[i].biases.size(), 2u);
    for (std::size_t child = 0; child < 2; ++child) EXPECT_NEAR(together[i].biases[child], alone.biases[child], 0.01);
    const std::vector<float> expected = all_weights(alone.classifiers, ranked.rows.n_columns);
    const std::vector<float> found = all_weights(together[i].classifiers, ranked.rows.n_columns);
    for (std::size_t j = 0; j < expected.size(); ++j) EXPECT_NEAR(found[j], expected[j], 0.01);
  }
}

TEST(TrainNode, MoreRowsAreNegatives) {
  const Dataset data = test::toy_data(1, {.rows = 400, .labels = 16});
  const RankedRows ranked = test::ranked(data);
  LabelTree tree;
  for (Label label = 0; label < 16; ++label) tree.labels.push_back(label);
  tree.nodes = {{0, 8}};
  std::vector<std::uint32_t> more_rows;
  for (std::uint32_t row = 0; row < 100; ++row) more_rows.push_back(row);  // some of them have labels below the node
  ProblemScratch scratch;
  NodeProblem without, with;
  const std::vector<TaskNode> nodes = {{0, 0, 8}};
  make_problem(ranked, tree, nodes, {}, {}, scratch, without);
  make_problem(ranked, tree, nodes, more_rows, {}, scratch, with);
  std::size_t n_reaching = 0, n_more = 0;
  for (std::uint32_t row = 0; row < data.size(); ++row) {
    const bool reaches = std::ranges::any_of(data.labels[row], [](Label label) { return label < 8; });
    n_reaching += reaches;
    n_more += !reaches && row < 100;
  }
  EXPECT_EQ(without.rows.size(), n_reaching);
  EXPECT_EQ(with.rows.size(), n_reaching + n_more);
  for (std::size_t child = 0; child < 8; ++child)
    EXPECT_EQ(with.child_rows[child].size(), without.child_rows[child].size());
}

TEST(TrainNode, IsTheSameForAnyNumberOfThreads) {
  const Trained one = train_leaf({.linear = {}, .prune = 0.1f, .label_costs = {}, .max_rows = 0}, 1);
  const Trained three = train_leaf({.linear = {}, .prune = 0.1f, .label_costs = {}, .max_rows = 0}, 3);
  EXPECT_EQ(three.node.biases, one.node.biases);
  EXPECT_EQ(three.node.classifiers.values, one.node.classifiers.values);
  EXPECT_EQ(three.node.classifiers.ranks, one.node.classifiers.ranks);
  EXPECT_EQ(three.node.classifiers.children, one.node.classifiers.children);
}

}  // namespace
}  // namespace xylem::parabel
