// SPDX-License-Identifier: Apache-2.0
#include "methods/parabel/node_tasks.h"

#include <algorithm>

#include "algorithms/lane_solver.h"
#include "core/random.h"

namespace xylem::parabel {
namespace {

constexpr std::uint64_t kSolveStream = 0x736f6c76;

// The node, and inner nodes below it, level by level, as long as there are lanes for their children.
std::vector<std::size_t> nodes_with(const LabelTree& tree, std::size_t node) {
  std::vector<std::size_t> nodes{node};
  std::size_t n_lanes = tree.nodes[node].n_classifiers();
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const TreeNode& above = tree.nodes[nodes[i]];
    for (std::size_t child = above.first_child; child < above.first_child + above.n_children; ++child) {
      if (tree.nodes[child].is_leaf()) continue;
      n_lanes += tree.nodes[child].n_classifiers();
      if (n_lanes > kLanes) return nodes;
      nodes.push_back(child);
    }
  }
  return nodes;
}

}  // namespace

std::vector<NodeTask> list_tasks(const std::vector<LabelTree>& trees, std::span<const std::uint32_t> label_counts,
                                 Share share) {
  std::vector<NodeTask> tasks;
  std::size_t first_place = 0;
  for (std::size_t number = 0; number < trees.size(); ++number) {
    const LabelTree& tree = trees[number];
    std::vector<std::uint64_t> pairs_before{0};
    for (const Label label : tree.labels) pairs_before.push_back(pairs_before.back() + label_counts[label]);
    std::vector<std::size_t> levels(tree.nodes.size(), 0);
    std::vector<bool> is_listed(tree.nodes.size(), false);
    for (std::size_t node = 0; node < tree.nodes.size(); ++node) {
      const TreeNode& at = tree.nodes[node];
      for (std::size_t i = 0; i < at.n_children; ++i) levels[at.first_child + i] = levels[node] + 1;
      if (is_listed[node]) continue;
      NodeTask task{number, {}, levels[node], 0};
      const bool shares = share == Share::kLanes && !at.is_leaf();
      for (const std::size_t part : shares ? nodes_with(tree, node) : std::vector<std::size_t>{node}) {
        task.nodes.push_back({part, first_place + part, tree.nodes[part].n_classifiers()});
        is_listed[part] = true;
      }
      const std::uint64_t groups = (at.n_classifiers() + kLanes - 1) / kLanes;
      task.cost = groups * (pairs_before[at.end] - pairs_before[at.begin]);
      tasks.push_back(std::move(task));
    }
    first_place += tree.nodes.size();
  }
  std::ranges::stable_sort(tasks, [](const NodeTask& a, const NodeTask& b) { return a.cost > b.cost; });
  return tasks;
}

std::uint64_t total_cost(std::span<const NodeTask> tasks) {
  std::uint64_t sum = 0;
  for (const NodeTask& task : tasks) sum += task.cost;
  return sum;
}

std::uint64_t task_seed(std::uint64_t seed, const NodeTask& task) {
  return Random(seed, {kSolveStream, task.tree, task.nodes.front().node}).bits();
}

}  // namespace xylem::parabel
