// SPDX-License-Identifier: Apache-2.0
#include "methods/parabel/classifiers.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>

#include "core/parallel.h"
#include "methods/parabel/pack_groups.h"
#include "methods/parabel/packed_layout.h"

namespace xylem::parabel {
namespace {

constexpr std::size_t kFeaturesAtOnce = 32;  // looked up; 16 are a fifth slower on tibkat-gnd, 64 no faster

// The compiler makes SIMD code without a rest of this, if it knows that there is none.
void add_dense(const std::int8_t* __restrict steps, float step, std::size_t n_padded, float* __restrict sums) {
  n_padded -= n_padded % kPadding;
  for (std::size_t i = 0; i < n_padded; ++i) sums[i] += step * static_cast<float>(steps[i]);
}

// Uses the parts up.
PackedGroups join(std::vector<PackedGroups>& parts) {
  PackedGroups all;
  const auto append = [&](auto PackedGroups::*array) {
    std::size_t size = 0;
    for (const PackedGroups& part : parts) size += (part.*array).size();
    (all.*array).reserve(size);
    for (PackedGroups& part : parts) {
      (all.*array).insert((all.*array).end(), (part.*array).begin(), (part.*array).end());
      part.*array = {};
    }
  };
  const auto append_begins = [&](std::vector<std::uint64_t> PackedGroups::*begins) {
    for (const PackedGroups& part : parts) {
      const std::uint64_t begin = (all.*begins).back();
      for (std::size_t i = 1; i < (part.*begins).size(); ++i) (all.*begins).push_back(begin + (part.*begins)[i]);
    }
  };
  append_begins(&PackedGroups::group_blocks);
  append_begins(&PackedGroups::group_keys);
  append_begins(&PackedGroups::group_rows);
  append(&PackedGroups::regions);
  append(&PackedGroups::blocks);
  append(&PackedGroups::row_begins);
  append(&PackedGroups::rows);
  return all;
}

}  // namespace

void Classifiers::count_groups(std::span<const std::uint64_t> child_offsets) {
  node_groups_.assign(1, 0);
  for (std::size_t node = 0; node + 1 < child_offsets.size(); ++node) {
    const std::uint64_t n_children = child_offsets[node + 1] - child_offsets[node];
    for (std::uint64_t child = 0; child < n_children; child += kGroup) {
      group_sizes_.push_back(static_cast<std::uint16_t>(std::min<std::uint64_t>(kGroup, n_children - child)));
    }
    node_groups_.push_back(group_sizes_.size());
  }
}

void Classifiers::count_regions() {
  const auto n_ranks = rank_of_.size() - static_cast<std::size_t>(std::ranges::count(rank_of_, kNoRank));
  n_regions_ = (n_ranks + kRegion - 1) / kRegion;
}

Classifiers::Classifiers(std::vector<PackedNode> nodes, std::span<const std::uint64_t> child_offsets,
                         std::vector<std::uint32_t> rank_of)
    : rank_of_(std::move(rank_of)) {
  count_groups(child_offsets);
  count_regions();
  const WeightCode code(nodes);
  code_values_ = code.values();
  std::vector<PackedGroups> packed(nodes.size());
  parallel_for(nodes.size(), 1, [&](std::size_t node, std::size_t) {
    packed[node] = pack_groups(nodes[node], child_offsets[node + 1] - child_offsets[node], n_regions_, code);
    nodes[node] = {};
  });
  PackedGroups all = join(packed);
  group_blocks_ = std::move(all.group_blocks);
  group_keys_ = std::move(all.group_keys);
  group_rows_ = std::move(all.group_rows);
  regions_ = std::move(all.regions);
  blocks_ = std::move(all.blocks);
  row_begins_ = std::move(all.row_begins);
  rows_ = std::move(all.rows);
}

void Classifiers::save(ModelWriter& out) const {
  out.array("parabel.rank_of", rank_of_);
  out.array("parabel.group_blocks", group_blocks_);
  out.array("parabel.group_keys", group_keys_);
  out.array("parabel.group_rows", group_rows_);
  out.array("parabel.regions", regions_);
  out.array("parabel.blocks", blocks_);
  out.array("parabel.row_begins", row_begins_);
  out.array("parabel.rows", rows_);
  out.array("parabel.code_values", code_values_);
}

Classifiers::Classifiers(const ModelReader& in, std::span<const std::uint64_t> child_offsets, std::size_t n_features) {
  count_groups(child_offsets);
  const std::uint64_t n_groups = group_sizes_.size();
  rank_of_ = in.array<std::uint32_t>("parabel.rank_of", n_features);
  count_regions();
  for (const std::uint32_t rank : rank_of_) {
    if (rank != kNoRank && rank / kRegion >= n_regions_) in.damaged("damaged: a rank is too high");
  }
  regions_ = in.array<std::uint64_t>("parabel.regions", 2 * n_regions_ * n_groups);
  blocks_ = in.array<std::uint64_t>("parabel.blocks");
  row_begins_ = in.array<std::uint16_t>("parabel.row_begins");
  rows_ = in.array<std::uint8_t>("parabel.rows");
  code_values_ = in.finite("parabel.code_values", 256);
  group_blocks_ = in.offsets("parabel.group_blocks", n_groups, blocks_.size() / 2);
  group_keys_ = in.offsets("parabel.group_keys", n_groups, row_begins_.size());
  group_rows_ = in.offsets("parabel.group_rows", n_groups, rows_.size());
  parallel_for(n_groups, 16, [&](std::size_t begin, std::size_t end) {
    for (std::size_t number = begin; number < end; ++number) check_group(in, number);
  });
}

// A group's part of the arrays.
struct Classifiers::Group {
  const std::uint64_t* regions;
  const std::uint64_t* blocks;
  const std::uint16_t* row_begins;
  const std::uint8_t* rows;
};

Classifiers::Group Classifiers::group(std::size_t number) const {
  return {regions_.data() + 2 * n_regions_ * number, blocks_.data() + 2 * group_blocks_[number],
          row_begins_.data() + group_keys_[number], rows_.data() + group_rows_[number]};
}

void Classifiers::check_group(const ModelReader& in, std::size_t number) const {
  const auto expect = [&](bool right, const char* what) {
    if (!right) in.damaged(fmt::format("damaged: the weights of group {}: {}", number, what));
  };
  const Group at = group(number);
  const std::uint64_t n_keys = group_keys_[number + 1] - group_keys_[number];
  const std::uint64_t n_bytes = group_rows_[number + 1] - group_rows_[number];
  std::uint64_t n_blocks = 0;
  for (std::size_t region = 0; region < 2 * n_regions_; region += 2) {
    expect(at.regions[region + 1] == n_blocks, "first block of a region");
    n_blocks += static_cast<std::uint64_t>(std::popcount(at.regions[region]));
  }
  expect(group_blocks_[number + 1] - group_blocks_[number] == n_blocks + 1, "number of blocks");
  const std::uint64_t* last = at.blocks + 2 * n_blocks;
  expect(last[1] == key_and_row(n_keys, n_bytes), "end of the blocks");
  const std::size_t n_children = group_sizes_[number];
  std::uint64_t key = 0, row = 0;
  for (const std::uint64_t* block = at.blocks; block != last; block += 2) {
    const std::uint64_t next_key = key + static_cast<std::uint64_t>(std::popcount(block[0]));
    const std::uint64_t next_row = row_in(block[3]);
    expect(block[1] == key_and_row(key, row) && key < next_key && next_key <= n_keys && next_row <= n_bytes,
           "order of blocks");
    expect(at.row_begins[key] == 0, "first row of a block");
    for (const std::uint64_t first_row = row; key < next_key; ++key) {
      const std::uint64_t end = key + 1 < next_key ? first_row + at.row_begins[key + 1] : next_row;
      expect(row < end && end <= next_row, "order of rows");
      if ((end - row) % 2 != 0) {
        expect(end - row == 1 + padded(n_children), "length of a row");
      } else {
        for (std::uint64_t i = row; i < end; i += 2) expect(at.rows[i] < n_children, "number of a child");
      }
      row = end;
    }
  }
  expect(key == n_keys && row == n_bytes, "number of rows");
}

void Classifiers::add_scores(std::size_t node, std::span<const std::uint32_t> ranks, std::span<const float> values,
                             float* scores) const {
  std::array<float, kGroup> sums;
  for (std::uint64_t number = node_groups_[node]; number < node_groups_[node + 1]; ++number) {
    const Group group = this->group(number);
    const std::size_t n_children = group_sizes_[number];
    std::fill_n(sums.begin(), padded(n_children), 0.0f);
    for (std::size_t first = 0; first < ranks.size(); first += kFeaturesAtOnce) {
      const std::size_t n = std::min(kFeaturesAtOnce, ranks.size() - first);
      add_features(group, padded(n_children), ranks.subspan(first, n), values.subspan(first, n), sums.data());
    }
    for (std::size_t child = 0; child < n_children; ++child) scores[child] += sums[child];
    scores += n_children;
  }
}

// Each step of the look-ups is made for all features before the next, as the next needs memory that is not in the
// cache.
void Classifiers::add_features(const Group& group, std::size_t n_padded, std::span<const std::uint32_t> ranks,
                               std::span<const float> values, float* sums) const {
  struct LookUp {
    const std::uint64_t* block;
    std::uint32_t rank;
    float value;
  };
  struct Key {
    const std::uint64_t* block;
    std::uint64_t key;
    bool is_last;  // of its block
    float value;
  };
  struct Row {
    const std::uint8_t* begin;
    std::size_t size;
    float value;
  };
  std::array<LookUp, kFeaturesAtOnce> look_ups;
  std::array<Key, kFeaturesAtOnce> keys;
  std::array<Row, kFeaturesAtOnce> rows;
  std::size_t n = 0;
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    const std::uint64_t* region = group.regions + 2 * std::size_t{ranks[i] / kRegion};
    const std::uint64_t bit = bit_of(ranks[i] / kBlock);
    const std::uint64_t* block = group.blocks + 2 * (region[1] + count_below(region[0], bit));
    __builtin_prefetch(block);
    look_ups[n] = {block, ranks[i], values[i]};
    n += (region[0] & bit) != 0;
  }
  std::size_t n_keys = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint64_t* block = look_ups[i].block;
    const std::uint64_t bit = bit_of(look_ups[i].rank);
    const std::uint64_t key = key_in(block[1]) + count_below(block[0], bit);
    __builtin_prefetch(group.row_begins + key);
    keys[n_keys] = {block, key, (block[0] & -bit) == bit, look_ups[i].value};
    n_keys += (block[0] & bit) != 0;
  }
  for (std::size_t i = 0; i < n_keys; ++i) {
    const auto& [block, key, is_last, value] = keys[i];
    const std::uint64_t first = row_in(block[1]);
    const std::uint64_t begin = first + group.row_begins[key];
    const std::uint64_t end = is_last ? row_in(block[3]) : first + group.row_begins[key + 1];
    rows[i] = {group.rows + begin, end - begin, value};
    __builtin_prefetch(rows[i].begin);
  }
  const float* code_values = code_values_.data();
  for (std::size_t i = 0; i < n_keys; ++i) {
    const std::uint8_t* row = rows[i].begin;
    if (rows[i].size % 2 != 0) {
      const auto* steps = reinterpret_cast<const std::int8_t*>(row + 1);
      const float step = rows[i].value * (code_values[row[0]] / kDenseSteps);
      add_dense(steps, step, n_padded, sums);
    } else {
      const std::uint8_t* end = row + rows[i].size;
      for (; row != end; row += 2) sums[row[0]] += rows[i].value * code_values[row[1]];
    }
  }
}

}  // namespace xylem::parabel
