// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "generate/alias_table.h"
#include "generate/shape.h"
#include "xylem/sparse.h"

namespace xylem::generate {

enum class Part { kTrain, kTest };

struct Row {
  std::vector<Label> labels;      // rising
  std::vector<Feature> features;  // rising
  std::vector<float> values;      // the row has length 1

  SparseRow sparse() const { return {features, values}; }
};

// Buffers for drawing rows, to reuse; one for each thread.
struct RowScratch {
  std::vector<std::uint32_t> draws;  // of each feature; 0 between rows
  std::vector<double> weights;
};

// Where rows come from. Immutable: any number of threads may draw from it at once.
class World {
 public:
  World(const Shape& shape, std::uint64_t seed);

  // Depends on nothing but shape, seed and the arguments.
  Row row(Part part, std::uint64_t index, RowScratch& scratch) const;

 private:
  std::size_t topic_of(Label label) const { return label % topics_.size(); }
  std::span<const Label> labels_due(Part part, std::uint64_t index, Random& random) const;
  std::vector<Label> draw_labels(Part part, std::uint64_t index, Random& random) const;
  Feature draw_word(std::span<const Label> labels, double background, Random& random) const;
  Feature word_of(std::uint64_t level, std::uint64_t group, std::size_t n_words, Random& random) const;
  void draw_words(Row& row, RowScratch& scratch, Random& random) const;

  Shape shape_;
  std::uint64_t seed_;
  AliasTable label_table_;
  AliasTable word_table_;
  std::vector<AliasTable> topics_;    // of topic t: labels t, t + n_topics, t + 2 n_topics, ...
  std::vector<Label> by_topic_;       // all labels, or as many as there is room for
  std::vector<std::uint32_t> order_;  // which part of by_topic_ is a training row's
  std::vector<Label> label_ids_;      // of the labels by falling weight
  std::vector<Feature> feature_ids_;  // of the words by falling weight
  std::vector<double> rareness_;      // of the feature ids
};

}  // namespace xylem::generate
