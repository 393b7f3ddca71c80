// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "methods/parabel/label_tree.h"

namespace xylem::parabel {

// The training of one node.
struct NodeTask {
  std::size_t tree, node, place;  // place: among the nodes of all trees
  std::size_t n_children;
  std::uint64_t cost;  // roughly: rows that a pass visits, for each sixteen children again
};

// All nodes, the most expensive first, so that none of these is left for the end.
std::vector<NodeTask> list_tasks(const std::vector<LabelTree>& trees, const LabelLists& label_rows);

}  // namespace xylem::parabel
