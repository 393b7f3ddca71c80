// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "methods/parabel/label_tree.h"

namespace xylem::parabel {

struct TaskNode {
  std::size_t node;
  std::size_t place;  // among the nodes of all trees
  std::size_t n_children;
};

// Nodes that are trained together: one, or a node and some of those below it that share a group of lanes.
struct NodeTask {
  std::size_t tree;
  std::vector<TaskNode> nodes;  // the first is above the others
  std::size_t level;            // of the first, 0 for a root
  std::uint64_t cost;  // roughly: rows that a pass visits, those sent by mistake aside, for each sixteen children again
};

enum class Share { kNothing, kLanes };

// All nodes, the most expensive first, so that none of these is left for the end. With kLanes nodes of few children are
// trained with those below them: seven nodes of a binary tree cost as much as one.
// label_counts: how many rows each label has.
std::vector<NodeTask> list_tasks(const std::vector<LabelTree>& trees, std::span<const std::uint32_t> label_counts,
                                 Share share);

std::uint64_t total_cost(std::span<const NodeTask> tasks);

// What random numbers a task takes: its own, whoever does it.
std::uint64_t task_seed(std::uint64_t seed, const NodeTask& task);

}  // namespace xylem::parabel
