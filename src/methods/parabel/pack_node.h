// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace xylem::parabel {

// One weight of a node's classifiers. Features go by their rank, 0 for the one with the most rows.
struct Weight {
  std::uint32_t rank, child;
  float value;
};
using Weights = std::vector<Weight>;

// The classifiers of one node: its weights by the rank of their feature, then by child.
struct PackedNode {
  std::vector<std::uint32_t> ranks;     // of the features that have weights, rising
  std::vector<std::uint16_t> counts;    // of the weights of each, less 1
  std::vector<std::uint16_t> children;  // of the weights
  std::vector<float> values;            // of the weights
};

// The weights of a node, one at most of a rank and a child, in lists that are sorted by rank.
PackedNode pack_node(std::span<const Weights> lists);

}  // namespace xylem::parabel
