// SPDX-License-Identifier: Apache-2.0
// What nodes learn from: the rows that reach them, their features renumbered, and for each child its positive rows.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "algorithms/lane_solver.h"
#include "core/numbering.h"
#include "methods/parabel/label_tree.h"
#include "methods/parabel/node_options.h"
#include "methods/parabel/node_tasks.h"
#include "methods/parabel/ranked_rows.h"

namespace xylem::parabel {

struct NodeProblem {
  LocalRows rows;
  std::vector<std::uint32_t> ranks;  // of the local numbers
  LabelLists child_rows;             // for every child of every node its positive rows, by local numbers, in no order
  std::size_t n_nodes = 0;
  std::vector<std::size_t> node_of;   // of every child, by its place in the task
  std::vector<float> positive_costs;  // of every child
  bool is_leaf = false;               // the first node, and then the only one
};

// Buffers for making problems, to reuse.
struct ProblemScratch {
  Numbering rows, ranks;                  // those of the node
  std::vector<std::uint32_t> last_child;  // of each row the last child that it was a positive of
  std::uint32_t n_children_seen = 0;      // since the beginning
  std::vector<std::uint32_t> row_list;    // the rows of the node
};

// The problem of several nodes; the first is above the others. `more_rows` join its rows. `data` may be a part
// that has all rows of the first node, in the same order. Of more than options.max_rows rows it takes a sample, which
// depends on nothing but these rows and their order.
void make_problem(const RankedRows& data, const LabelTree& tree, std::span<const TaskNode> nodes,
                  std::span<const std::uint32_t> more_rows, const NodeOptions& options, ProblemScratch& scratch,
                  NodeProblem& out);

}  // namespace xylem::parabel
