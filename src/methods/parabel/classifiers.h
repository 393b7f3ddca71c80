// SPDX-License-Identifier: Apache-2.0
// The classifiers of all nodes, packed: two bytes a weight (three where a node has more than 256 children) and four or
// five for each feature of a node. The weights of
// a node's children lie together, by feature: a row looks up each of its features once for all children. The features
// of a node stand in buckets of about six, by a hash: a look-up reads a bucket's borders and a few 16-bit keys.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/array.h"
#include "model_file/reader.h"
#include "model_file/writer.h"
#include "xylem/sparse.h"

namespace xylem::parabel {

// One weight of a node's classifiers.
struct Weight {
  Feature feature;
  std::uint32_t child;
  float value;
};

inline constexpr int kKeyBits = 16;

// A feature's place among 2^bits. A bijection, so that a bucket's number and a key of 16 bits tell the feature.
class FeatureHash {
 public:
  explicit FeatureHash(std::size_t n_features);

  int bits() const { return bits_; }
  std::uint32_t operator()(Feature feature) const { return feature * 0x9e3779b1u & mask_; }

 private:
  int bits_;
  std::uint32_t mask_;
};

// The classifiers of one node.
struct PackedNode {
  std::uint8_t bucket_bits = 0;
  // Of each bucket its first key and its first weight; then the ends of the last.
  std::vector<std::uint32_t> bucket_keys, bucket_weights;
  std::vector<std::uint16_t> keys;
  std::vector<std::uint16_t> counts;    // of the weights of each key, less 1
  std::vector<std::uint16_t> children;  // of the weights
  std::vector<float> values;            // of the weights
};

// Sorts `weights` and packs them.
PackedNode pack_node(std::vector<Weight>& weights, const FeatureHash& hash);

class Classifiers {
 public:
  // Uses the nodes up.
  Classifiers(std::vector<PackedNode> nodes, std::size_t n_features);
  // child_offsets: node i has child_offsets[i + 1] - child_offsets[i] children.
  Classifiers(const ModelReader& in, const Array<std::uint64_t>& child_offsets, std::size_t n_features);
  void save(ModelWriter& out) const;

  const FeatureHash& hash() const { return hash_; }

  // Adds to scores[child] what the features bring; hashes[i] is that of feature i.
  void add_scores(std::size_t node, std::span<const std::uint32_t> hashes, std::span<const float> values,
                  float* scores) const;

 private:
  template <class Narrow>
  void add_scores_as(const Array<Narrow>& all_counts, const Array<Narrow>& all_children, std::size_t node,
                     std::span<const std::uint32_t> hashes, std::span<const float> values, float* scores) const;
  template <class Narrow>
  void check_node(const ModelReader& in, const Array<Narrow>& all_counts, const Array<Narrow>& all_children,
                  std::size_t node, std::uint64_t n_children) const;

  FeatureHash hash_;
  Array<std::uint8_t> bucket_bits_;                               // of each node
  Array<std::uint64_t> node_buckets_, node_keys_, node_weights_;  // where each node begins in what follows
  Array<std::uint32_t> bucket_keys_, bucket_weights_;
  Array<std::uint16_t> keys_;
  Array<std::uint8_t> counts_, children_;             // where no node has more than 256 children
  Array<std::uint16_t> wide_counts_, wide_children_;  // else
  Array<std::uint8_t> codes_;                         // of the weights
  Array<float> code_values_;                          // 256
};

}  // namespace xylem::parabel
