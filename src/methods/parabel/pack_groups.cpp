// SPDX-License-Identifier: Apache-2.0
#include "methods/parabel/pack_groups.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

#include "core/fail.h"
#include "methods/parabel/packed_layout.h"

namespace xylem::parabel {
namespace {

constexpr std::size_t kDenseShare = 8;  // a row is dense if more than one of so many of its places is taken
constexpr int kSteps = 128;
constexpr float kMostRatio = 65536;

bool is_dense(std::size_t n_weights, std::size_t n_children) {
  return n_weights * kDenseShare > padded(n_children);
}

// A feature's weights in a group.
struct Part {
  std::uint32_t rank;
  std::size_t begin, end;  // in PackedNode::children and values
};

class GroupWriter {
 public:
  GroupWriter(const PackedNode& node, std::size_t n_regions, const WeightCode& code)
      : node_(node), n_regions_(n_regions), code_(code) {}

  void add_group(const std::vector<Part>& parts, std::size_t n_children);
  PackedGroups take() { return std::move(out_); }

 private:
  void add_row(const Part& part, std::size_t n_children);

  const PackedNode& node_;
  std::size_t n_regions_;
  const WeightCode& code_;
  PackedGroups out_;
};

void GroupWriter::add_group(const std::vector<Part>& parts, std::size_t n_children) {
  const std::size_t first_region = out_.regions.size();
  const std::size_t first_key = out_.row_begins.size(), first_row = out_.rows.size();
  out_.regions.resize(first_region + 2 * n_regions_, 0);
  std::uint64_t block_row = 0;
  std::uint32_t block = kNoRank;
  for (const Part& part : parts) {
    const std::uint64_t row = out_.rows.size() - first_row;
    if (part.rank / kBlock != block) {
      block = part.rank / kBlock;
      block_row = row;
      out_.regions[first_region + 2 * (part.rank / kRegion)] |= bit_of(block);
      out_.blocks.push_back(0);
      out_.blocks.push_back(key_and_row(out_.row_begins.size() - first_key, row));
    }
    out_.blocks[out_.blocks.size() - 2] |= bit_of(part.rank);
    out_.row_begins.push_back(static_cast<std::uint16_t>(row - block_row));
    add_row(part, n_children);
  }
  if (out_.rows.size() - first_row > std::numeric_limits<std::uint32_t>::max()) {
    fail(ErrorKind::kMemory, "{} bytes of weights for {} children, at most {} are possible: prune more",
         out_.rows.size() - first_row, n_children, std::numeric_limits<std::uint32_t>::max());
  }
  out_.blocks.push_back(0);
  out_.blocks.push_back(key_and_row(out_.row_begins.size() - first_key, out_.rows.size() - first_row));
  std::uint64_t n_blocks = 0;
  for (std::size_t region = first_region; region < out_.regions.size(); region += 2) {
    out_.regions[region + 1] = n_blocks;
    n_blocks += static_cast<std::uint64_t>(std::popcount(out_.regions[region]));
  }
  out_.group_blocks.push_back(out_.blocks.size() / 2);
  out_.group_keys.push_back(out_.row_begins.size());
  out_.group_rows.push_back(out_.rows.size());
}

void GroupWriter::add_row(const Part& part, std::size_t n_children) {
  std::vector<std::uint8_t>& rows = out_.rows;
  if (!is_dense(part.end - part.begin, n_children)) {
    for (std::size_t i = part.begin; i < part.end; ++i) {
      rows.push_back(static_cast<std::uint8_t>(node_.children[i] % kGroup));
      rows.push_back(code_(node_.values[i]));
    }
    return;
  }
  float largest = 0;
  for (std::size_t i = part.begin; i < part.end; ++i) largest = std::max(largest, std::abs(node_.values[i]));
  const std::uint8_t scale = code_(largest);
  rows.push_back(scale);
  rows.resize(rows.size() + padded(n_children), 0);
  std::uint8_t* steps = rows.data() + rows.size() - padded(n_children);
  for (std::size_t i = part.begin; i < part.end; ++i) {
    const float step = std::round(node_.values[i] / code_.values()[scale] * kDenseSteps);
    steps[node_.children[i] % kGroup] =
        static_cast<std::uint8_t>(static_cast<std::int8_t>(std::clamp(step, -kDenseSteps - 1, kDenseSteps)));
  }
}

}  // namespace

WeightCode::WeightCode(const std::vector<PackedNode>& nodes) {
  float smallest = std::numeric_limits<float>::infinity();
  float largest = 0;
  for (const PackedNode& node : nodes) {
    for (const float value : node.values) {
      smallest = std::min(smallest, std::abs(value));
      largest = std::max(largest, std::abs(value));
    }
  }
  if (largest == 0) smallest = largest = 1;
  low_ = std::max(smallest, largest / kMostRatio);
  step_ = std::log(static_cast<double>(largest) / low_) / (kSteps - 1);
  for (const double sign : {1.0, -1.0}) {
    for (int i = 0; i < kSteps; ++i) values_.push_back(static_cast<float>(sign * low_ * std::exp(i * step_)));
  }
}

std::uint8_t WeightCode::operator()(float value) const {
  double place = 0;
  if (step_ > 0 && std::abs(value) > low_) place = std::log(std::abs(static_cast<double>(value)) / low_) / step_;
  const auto rounded = std::min<long>(kSteps - 1, std::lround(place));
  return static_cast<std::uint8_t>(rounded + (value < 0 ? kSteps : 0));
}

PackedGroups pack_groups(const PackedNode& node, std::uint64_t n_children, std::size_t n_regions,
                         const WeightCode& code) {
  std::vector<std::vector<Part>> groups((n_children + kGroup - 1) / kGroup);
  std::size_t weight = 0;
  for (std::size_t key = 0; key < node.ranks.size(); ++key) {
    for (const std::size_t end = weight + node.counts[key] + 1u; weight < end;) {
      const std::size_t number = node.children[weight] / kGroup;
      const std::size_t begin = weight;
      while (weight < end && node.children[weight] / kGroup == number) ++weight;
      groups[number].push_back({node.ranks[key], begin, weight});
    }
  }
  GroupWriter writer(node, n_regions, code);
  for (std::size_t number = 0; number < groups.size(); ++number) {
    writer.add_group(groups[number], std::min<std::size_t>(kGroup, n_children - number * kGroup));
  }
  return writer.take();
}

}  // namespace xylem::parabel
