// SPDX-License-Identifier: Apache-2.0
#include "methods/parabel/node_tasks.h"

#include <algorithm>

#include "learn/lane_solver.h"

namespace xylem::parabel {

std::vector<NodeTask> list_tasks(const std::vector<LabelTree>& trees, const LabelLists& label_rows) {
  std::vector<NodeTask> tasks;
  for (std::size_t tree = 0; tree < trees.size(); ++tree) {
    std::vector<std::uint64_t> pairs_before{0};
    for (const Label label : trees[tree].labels) pairs_before.push_back(pairs_before.back() + label_rows[label].size());
    for (std::size_t node = 0; node < trees[tree].nodes.size(); ++node) {
      const TreeNode& at = trees[tree].nodes[node];
      const std::size_t n_children = at.is_leaf() ? at.n_labels() : at.n_children;
      const std::size_t groups = (n_children + kLanes - 1) / kLanes;
      const std::uint64_t cost = groups * (pairs_before[at.end] - pairs_before[at.begin]);
      tasks.push_back({tree, node, tasks.size(), n_children, cost});
    }
  }
  std::ranges::stable_sort(tasks, [](const NodeTask& a, const NodeTask& b) { return a.cost > b.cost; });
  return tasks;
}

}  // namespace xylem::parabel
