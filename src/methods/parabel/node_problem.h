// SPDX-License-Identifier: Apache-2.0
// What nodes learn from: the rows that reach them, their features renumbered, and for each child its positive rows.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "algorithms/lane_solver.h"
#include "core/numbering.h"
#include "methods/parabel/classifiers.h"
#include "methods/parabel/label_tree.h"
#include "methods/parabel/node_tasks.h"
#include "xylem/dataset.h"

namespace xylem::parabel {

// The training data in the form in which nodes take their part.
struct RankedData {
  SparseMatrix rows;                   // feature ids are ranks, 0 for the feature with the most rows
  std::vector<Feature> feature_of;     // rank to feature
  std::vector<std::uint32_t> rank_of;  // feature to rank; kNoRank for features without rows
  LabelLists label_rows;               // for every label the rows that have it, rising
};
// The rows come in the order given, which names each once.
RankedData rank_features(const Dataset& data, std::span<const std::uint32_t> order);

struct NodeProblem {
  LocalRows rows;
  std::vector<std::uint32_t> ranks;  // of the local numbers
  LabelLists child_rows;             // for every child of every node its positive rows, by local numbers, in no order
};

// Buffers for making problems, to reuse.
struct ProblemScratch {
  Numbering rows, ranks;                  // those of the node
  std::vector<std::uint32_t> last_child;  // of each row the last child that it was a positive of
  std::uint32_t n_children_seen = 0;      // since the beginning
  std::vector<std::uint32_t> row_list;    // the rows of the node
};

// Of nodes of which the first is above the others. `more_rows` join those that reach the first.
void make_problem(const RankedData& data, const LabelTree& tree, std::span<const TaskNode> nodes,
                  std::span<const std::uint32_t> more_rows, ProblemScratch& scratch, NodeProblem& out);

}  // namespace xylem::parabel
