// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/options.h"
#include "core/sparse_sum.h"
#include "methods/parabel/ranked_rows.h"
#include "xylem/dataset.h"

namespace xylem::parabel {

inline constexpr int kMostChildren = 65535;  // of a node: their numbers take 16 bits

struct TreeOptions {
  int arity = 256;
  bool balanced = true;
  int max_leaf = 200;
  int max_depth = 100;

  void fields(auto&& field) {
    field("arity", arity, "most children of an inner node", Range{2, kMostChildren});
    field("balanced", balanced, "children of equal size; no: as k-means finds them");
    field("max_leaf", max_leaf, "most labels of a leaf; from the number of labels on: one-vs-rest",
          Range{1, kMostChildren});
    field("max_depth", max_depth, "most levels of inner nodes; what is larger then is a large leaf", Range{0, 100});
  }
};

// A node's labels are a stretch of the tree's order of labels.
struct TreeNode {
  std::uint32_t begin, end;
  std::uint32_t first_child = 0;
  std::uint32_t n_children = 0;  // 0: a leaf, its labels are its children

  std::uint32_t n_labels() const { return end - begin; }
  bool is_leaf() const { return n_children == 0; }
  std::uint32_t n_classifiers() const { return is_leaf() ? n_labels() : n_children; }
};

struct LabelTree {
  std::vector<Label> labels;    // those that occur, in the order of the leaves
  std::vector<TreeNode> nodes;  // level by level, the root first; the children of a node lie together
};

// Label vectors for clustering: of each label the sum of its rows, scaled to length 1, small entries dropped. The sum
// is that of the sums of blocks (core/row_blocks.h), in their order; inside a block rows are added by their numbers.
SparseMatrix label_vectors(const RankedRows& all, const Run& run = {});
// Makes the sum of a label's rows its vector, the next row of `out`, and leaves 0.
void take_label_vector(SparseSum& sum, SparseMatrix& out);

// Clusters `labels`, top down. Throws kInterrupted.
LabelTree build_tree(const SparseMatrix& vectors, std::span<const Label> labels, const TreeOptions& options,
                     std::size_t tree_number, const Run& run);

}  // namespace xylem::parabel
