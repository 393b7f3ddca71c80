// SPDX-License-Identifier: Apache-2.0
// The classifiers of all nodes, packed. Children of a node are taken in groups of at most 256. The weights that a
// feature has in a group are a row of bytes: a child and a code for each, or, where there are many, a number for every
// child, which takes up to four times the memory and is many times as fast to add up. The rows of a group are found by
// the feature's rank, in two levels of bitmaps, and stand in the order of the ranks: what queries ask for most lies
// together.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/array.h"
#include "methods/parabel/pack_node.h"
#include "model_file/reader.h"
#include "model_file/writer.h"
#include "xylem/sparse.h"

namespace xylem::parabel {

// Of a feature that occurred in no training row.
inline constexpr std::uint32_t kNoRank = 0xffffffff;

class Classifiers {
 public:
  // child_offsets: node i has child_offsets[i + 1] - child_offsets[i] children. rank_of: of each feature, 0 for the
  // most frequent. Uses the nodes up.
  Classifiers(std::vector<PackedNode> nodes, std::span<const std::uint64_t> child_offsets,
              std::vector<std::uint32_t> rank_of);
  Classifiers(const ModelReader& in, std::span<const std::uint64_t> child_offsets, std::size_t n_features);
  void save(ModelWriter& out) const;

  // Of every feature; kNoRank for those without a weight anywhere.
  const Array<std::uint32_t>& rank_of() const { return rank_of_; }

  // Adds to scores[child] what the features of these ranks bring, for all children of the node.
  void add_scores(std::size_t node, std::span<const std::uint32_t> ranks, std::span<const float> values,
                  float* scores) const;

 private:
  struct Group;
  Group group(std::size_t number) const;
  void count_groups(std::span<const std::uint64_t> child_offsets);
  void count_regions();
  void add_features(const Group& group, std::size_t n_padded, std::span<const std::uint32_t> ranks,
                    std::span<const float> values, float* sums) const;
  void check_group(const ModelReader& in, std::size_t number) const;

  Array<std::uint32_t> rank_of_;
  std::size_t n_regions_ = 0;                                    // of 4096 ranks; every group has so many
  std::vector<std::uint64_t> node_groups_;                       // the first group of each node
  std::vector<std::uint16_t> group_sizes_;                       // children of each group
  Array<std::uint64_t> group_blocks_, group_keys_, group_rows_;  // where each group begins in what follows
  Array<std::uint64_t> regions_;     // two numbers for each: which of its 64 blocks there are, and the first of these
  Array<std::uint64_t> blocks_;      // two for each: which of its 64 ranks have a row, and the first's key and byte
  Array<std::uint16_t> row_begins_;  // of each key, counted from its block's first byte
  Array<std::uint8_t> rows_;
  Array<float> code_values_;  // 256
};

}  // namespace xylem::parabel
