// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "methods/parabel/classifiers.h"

namespace xylem::parabel {

// The arrays of Classifiers while they grow, node by node.
class GroupWriter {
 public:
  // All nodes, for the range of their weights; regions of ranks that every group has.
  GroupWriter(const std::vector<PackedNode>& nodes, std::size_t n_regions);

  void add_node(const PackedNode& node, std::uint64_t n_children);

  // As in Classifiers.
  std::vector<std::uint64_t> group_blocks{0}, group_keys{0}, group_rows{0};
  std::vector<std::uint64_t> regions, blocks;
  std::vector<std::uint16_t> row_begins;
  std::vector<std::uint8_t> rows;
  std::vector<float> code_values;

 private:
  // Codes are a sign and one of 128 steps of equal ratio, from the smallest weight to the largest: within 2 % for
  // weights between 0.1 and 10.
  struct WeightCode {
    explicit WeightCode(const std::vector<PackedNode>& nodes);
    std::uint8_t operator()(float value) const;
    std::vector<float> values() const;

    double low;
    double step;
  };
  // A feature's weights in a group.
  struct Part {
    std::uint32_t rank;
    std::size_t begin, end;  // in PackedNode::children and values
  };
  void add_group(const PackedNode& node, const std::vector<Part>& parts, std::size_t n_children);
  void add_row(const PackedNode& node, const Part& part, std::size_t n_children);

  WeightCode code_;
  std::size_t n_regions_;
};

}  // namespace xylem::parabel
