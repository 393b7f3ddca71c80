// SPDX-License-Identifier: Apache-2.0
#include "methods/parabel/node_tasks.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "algorithms/lane_solver.h"

namespace xylem::parabel {
namespace {

// A binary tree over so many labels, with leaves of one or two.
LabelTree binary_tree(std::uint32_t n_labels) {
  LabelTree tree;
  for (Label label = 0; label < n_labels; ++label) tree.labels.push_back(label);
  tree.nodes.push_back({0, n_labels});
  for (std::size_t node = 0; node < tree.nodes.size(); ++node) {
    const auto [begin, end] = std::pair(tree.nodes[node].begin, tree.nodes[node].end);
    if (end - begin <= 2) continue;
    tree.nodes[node].first_child = static_cast<std::uint32_t>(tree.nodes.size());
    tree.nodes[node].n_children = 2;
    tree.nodes.push_back({begin, (begin + end) / 2});
    tree.nodes.push_back({(begin + end) / 2, end});
  }
  return tree;
}

// Each label has a row.
std::vector<std::uint32_t> counts_of(std::size_t n_labels) {
  return std::vector<std::uint32_t>(n_labels, 1);
}

class NodeTasks : public ::testing::TestWithParam<Share> {};
INSTANTIATE_TEST_SUITE_P(Both, NodeTasks, ::testing::Values(Share::kNothing, Share::kLanes));

TEST_P(NodeTasks, NameEveryNodeOnce) {
  const std::vector<LabelTree> trees = {binary_tree(100), binary_tree(1), binary_tree(37)};
  std::vector<int> seen(trees[0].nodes.size() + trees[1].nodes.size() + trees[2].nodes.size(), 0);
  std::size_t first_place = 0;
  std::vector<std::size_t> first_places;
  for (const LabelTree& tree : trees) {
    first_places.push_back(first_place);
    first_place += tree.nodes.size();
  }
  for (const NodeTask& task : list_tasks(trees, counts_of(100), GetParam())) {
    std::size_t n_lanes = 0;
    for (const TaskNode& node : task.nodes) {
      EXPECT_EQ(node.place, first_places[task.tree] + node.node);
      EXPECT_EQ(node.n_children, trees[task.tree].nodes[node.node].n_classifiers());
      ++seen[node.place];
      n_lanes += node.n_children;
    }
    EXPECT_TRUE(task.nodes.size() == 1 || (GetParam() == Share::kLanes && n_lanes <= kLanes));
  }
  EXPECT_TRUE(std::ranges::all_of(seen, [](int n) { return n == 1; }));
}

TEST(NodeTasksOrder, CostlyOnesComeFirstAndALevelIsKnown) {
  const std::vector<LabelTree> trees = {binary_tree(64)};
  const std::vector<NodeTask> alone = list_tasks(trees, counts_of(64), Share::kNothing);
  EXPECT_TRUE(std::ranges::is_sorted(alone, std::greater(), &NodeTask::cost));
  EXPECT_EQ(alone.front().level, 0u);
  EXPECT_EQ(alone.back().level, 5u);
  // Two children each: the root, the two below, the four below these, and one more.
  const std::vector<NodeTask> together = list_tasks(trees, counts_of(64), Share::kLanes);
  EXPECT_EQ(together.front().nodes.size(), 8u);
  EXPECT_LT(together.size(), alone.size());
}

}  // namespace
}  // namespace xylem::parabel
