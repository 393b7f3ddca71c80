// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "algorithms/lane_solver.h"
#include "core/array.h"
#include "core/top_k.h"
#include "methods/parabel/classifiers.h"
#include "methods/parabel/label_tree.h"
#include "model_file/reader.h"
#include "xylem/method.h"

namespace xylem::parabel {

struct SearchOptions {
  Loss loss = Loss::kSquaredHinge;
  int beam_width = 6;
  double score_power = 3;
  double path_weight = 0;

  void fields(auto&& field) {
    field("loss", loss, "what the classifiers minimise; with logistic a child's score is the sigmoid of s");
    field("beam_width", beam_width, "nodes of a tree that are followed on each level", Range{1, 100000});
    field("score_power", score_power, "p of a child's score exp(-max(0, 1 - s)^p)", Range{0.5, 8});
    field("path_weight", path_weight,
          "weight of the inner nodes' scores in that of a label; 0: 1, with negatives=node+predicted 0.3", Range{0, 1});
  }
};

// Trees as predictions need them. Nodes of all trees one after the other.
struct Forest {
  Array<std::uint32_t> roots;
  Array<std::uint8_t> is_leaf;         // of each node
  Array<std::uint64_t> child_offsets;  // of each node into the next two
  Array<std::uint32_t> children;       // nodes; for leaves, labels
  Array<float> biases;                 // of the children's classifiers
  Classifiers classifiers;

  std::span<const std::uint32_t> children_of(std::size_t node) const {
    return {children.data() + child_offsets[node], children.data() + child_offsets[node + 1]};
  }
};

// Throws kModel for a forest that is not one: a node that is no node's child, a child that is neither a label nor a
// later node, a label twice in a tree.
Forest load_forest(const ModelReader& in, const ModelShape& shape);

struct SearchScratch {
  std::vector<std::uint32_t> ranks;  // of a row's features
  std::vector<float> values;
  std::vector<Scored> level;   // nodes of a tree that the row reaches
  std::vector<Scored> leaves;  // of all trees that it reaches
  std::vector<float> scores;   // of the children of a node
  std::vector<Scored> parts;   // what single trees add to labels
  std::vector<float> sums;     // of each label; only with several trees
  std::vector<Label> candidates;
  TopK beam, best_parts, best;
};

// The negative logarithm of the score of a child with this margin.
double lost_score(const SearchOptions& options, double margin);

// The nodes a level further down that a row at these `nodes` of a tree goes on to, best first; leaves have none below.
std::span<const Scored> nodes_below(const Forest& forest, const SearchOptions& options, SparseRow row,
                                    std::span<const Scored> nodes, SearchScratch& scratch);

// Appends the k best labels of every row: beam search in each tree; a label's score is that of its leaf's classifier
// times the product of those above to the power of path_weight, averaged over the trees. What cannot be among the best
// is left out, so that it costs the less the smaller k is.
void search(const Forest& forest, const SearchOptions& options, const ModelShape& shape, SparseRows block,
            std::size_t k, SearchScratch& scratch, TopLabels& out);

}  // namespace xylem::parabel
