// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "methods/parabel/classifiers.h"

namespace xylem::parabel {

// Codes are a sign and one of 128 steps of equal ratio, from the smallest weight to the largest: within 2 % for weights
// between 0.1 and 10.
class WeightCode {
 public:
  explicit WeightCode(const std::vector<PackedNode>& nodes);
  std::uint8_t operator()(float value) const;
  const std::vector<float>& values() const { return values_; }

 private:
  double low_;
  double step_;
  std::vector<float> values_;  // of the 256 codes
};

// The arrays of Classifiers for one or more groups.
struct PackedGroups {
  std::vector<std::uint64_t> group_blocks{0}, group_keys{0}, group_rows{0};  // where groups begin, and the last ends
  std::vector<std::uint64_t> regions, blocks;
  std::vector<std::uint16_t> row_begins;
  std::vector<std::uint8_t> rows;
};

// The groups of a node; every group has so many regions of ranks.
PackedGroups pack_groups(const PackedNode& node, std::uint64_t n_children, std::size_t n_regions,
                         const WeightCode& code);

}  // namespace xylem::parabel
