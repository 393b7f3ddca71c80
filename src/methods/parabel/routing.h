// SPDX-License-Identifier: Apache-2.0
// Which training rows the search sends to a node, level by level: a row goes on from the nodes that it has come to, and
// needs no other classifiers than theirs.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "methods/parabel/node_tasks.h"
#include "methods/parabel/search.h"
#include "methods/parabel/train_node.h"
#include "xylem/run.h"

namespace xylem::parabel {

// The nodes of one level of a tree that the rows of a block have come to.
struct Routes {
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

  std::size_t width;          // most nodes of a row
  std::vector<Scored> nodes;  // of each row `width`, those that it does not have kNone

  std::size_t n_rows() const { return nodes.size() / width; }
  std::span<Scored> of(std::size_t row) { return std::span(nodes).subspan(row * width, width); }
  std::span<const Scored> of(std::size_t row) const { return std::span(nodes).subspan(row * width, width); }
};

// All rows at the root, which has the place `root` among the nodes of all trees. They will never be at more than
// `beam_width` nodes, nor at more than the tree has on a level.
Routes routes_at_root(const LabelTree& tree, std::uint32_t root, std::size_t n_rows, int beam_width);

// The classifiers of the inner nodes of one level, whose tasks these are, for rows whose features are ranks below
// n_ranks. Other nodes have none.
Forest level_forest(const std::vector<LabelTree>& trees, std::span<const NodeTask> level,
                    const std::vector<TrainedNode>& trained, std::size_t n_ranks);

// Sends rows a level down. Rows at a leaf end there. Throws kInterrupted.
void route(const Forest& level, const SearchOptions& options, SparseRows rows, Routes& routes, const Run& run);

// For every node, by its place, the rows that have come to it, rising.
LabelLists rows_of_nodes(std::span<const Routes> trees, std::size_t n_nodes);

}  // namespace xylem::parabel
