// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "methods/parabel/pack_node.h"

namespace xylem::test {

struct FeatureWeight {
  std::uint32_t feature, child;
  float value;
};

// Weights in any order, as a node's.
inline parabel::PackedNode pack_node(std::span<const FeatureWeight> weights, std::span<const std::uint32_t> rank_of) {
  std::vector<parabel::Weights> lists(1);
  for (const auto& [feature, child, value] : weights) lists[0].push_back({rank_of[feature], child, value});
  std::ranges::stable_sort(lists[0], {}, &parabel::Weight::rank);
  return parabel::pack_node(lists);
}

}  // namespace xylem::test
