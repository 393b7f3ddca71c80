// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/array.h"
#include "core/top_k.h"
#include "methods/parabel/classifiers.h"
#include "methods/parabel/label_tree.h"
#include "model_file/reader.h"
#include "xylem/method.h"

namespace xylem::parabel {

struct SearchOptions {
  int beam_width = 10;
  double score_power = 3;

  void fields(auto&& field) {
    field("beam_width", beam_width, "nodes of a tree that are followed on each level", Range{1, 100000});
    field("score_power", score_power, "p of a child's score exp(-max(0, 1 - s)^p)", Range{0.5, 8});
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
};

// Throws kModel for a forest that is not one: a node that is no node's child, or a child that is neither a label nor a
// later node.
Forest load_forest(const ModelReader& in, const ModelShape& shape);

struct Visit {
  std::uint32_t node;
  std::uint32_t row;
  float log_score;
};

struct SearchScratch {
  std::vector<std::uint32_t> ranks;  // of all features of the block
  std::vector<float> values;
  std::vector<std::uint64_t> row_offsets;
  std::vector<Visit> visits, found;
  std::vector<float> scores;
  std::vector<std::vector<Scored>> labels;  // of each row
  std::vector<float> sums;                  // of each label, all 0 between rows
  TopK best;
};

// Appends the k best labels of every row: beam search in each tree; a label's score is the product over its path,
// averaged over the trees. Rows of a block that reach the same node are answered together, while its weights are in the
// cache.
void search(const Forest& forest, const SearchOptions& options, const ModelShape& shape, SparseRows block,
            std::size_t k, SearchScratch& scratch, TopLabels& out);

}  // namespace xylem::parabel
