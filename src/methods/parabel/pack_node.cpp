// SPDX-License-Identifier: Apache-2.0
#include "methods/parabel/pack_node.h"

#include <algorithm>
#include <numeric>

#include "core/numbering.h"
#include "core/parallel.h"

namespace xylem::parabel {
namespace {

using List = std::span<const Weight>;

// A counting sort by rank, of the ranks that occur.
PackedNode pack(std::span<const List> lists) {
  std::uint32_t low = 0xffffffff, high = 0;
  std::size_t size = 0;
  for (const List list : lists) {
    if (list.empty()) continue;
    low = std::min(low, list.front().rank);
    high = std::max(high, list.back().rank);
    size += list.size();
  }
  PackedNode node;
  if (size == 0) return node;
  struct Entry {
    std::uint32_t child;
    float value;
  };
  Numbering ranks;
  ranks.reset(high - low + 1);
  const auto for_each_weight = [&](auto&& use) {
    for (const List list : lists) {
      for (const Weight& weight : list) use(weight);
    }
  };
  for_each_weight([&](const Weight& weight) { ranks.mark(weight.rank - low); });
  std::vector<std::size_t> ends(ranks.finish(), 0);  // of each rank's entries, once they are in place
  for_each_weight([&](const Weight& weight) { ++ends[ranks.number_of(weight.rank - low)]; });
  std::exclusive_scan(ends.begin(), ends.end(), ends.begin(), std::size_t{0});
  std::vector<Entry> entries(size);
  for_each_weight([&](const Weight& weight) {
    entries[ends[ranks.number_of(weight.rank - low)]++] = {weight.child, weight.value};
  });

  node.children.reserve(size);
  node.values.reserve(size);
  node.ranks.reserve(ends.size());
  node.counts.reserve(ends.size());
  ranks.for_each([&](std::size_t number) {
    const std::size_t begin = node.children.size();
    const auto row = std::span(entries).subspan(begin, ends[node.ranks.size()] - begin);
    std::ranges::sort(row, {}, &Entry::child);
    node.ranks.push_back(low + static_cast<std::uint32_t>(number));
    node.counts.push_back(static_cast<std::uint16_t>(row.size() - 1));
    for (const Entry& entry : row) {
      node.children.push_back(static_cast<std::uint16_t>(entry.child));
      node.values.push_back(entry.value);
    }
  });
  return node;
}

// Ranks at which lists are cut into about this many parts alike: quantiles of the longest.
std::vector<std::uint32_t> cut_ranks(std::span<const Weights> lists, std::size_t n_parts) {
  std::vector<std::uint32_t> cuts;
  const Weights& longest = *std::ranges::max_element(lists, {}, &Weights::size);
  for (std::size_t part = 1; part < n_parts; ++part) cuts.push_back(longest[longest.size() * part / n_parts].rank);
  return cuts;
}

}  // namespace

PackedNode pack_node(std::span<const Weights> lists) {
  std::size_t size = 0;
  for (const Weights& list : lists) size += list.size();
  constexpr std::size_t kWeightsAPart = 100'000, kMostParts = 64;
  const std::vector<std::uint32_t> cuts =
      size == 0 ? std::vector<std::uint32_t>() : cut_ranks(lists, std::min(size / kWeightsAPart + 1, kMostParts));
  std::vector<PackedNode> parts(cuts.size() + 1);
  parallel_for(parts.size(), 1, [&](std::size_t part, std::size_t) {
    std::vector<List> own;
    for (const Weights& list : lists) {
      const auto begin = part == 0 ? list.begin() : std::ranges::lower_bound(list, cuts[part - 1], {}, &Weight::rank);
      const auto end = part == cuts.size() ? list.end() : std::ranges::lower_bound(list, cuts[part], {}, &Weight::rank);
      own.emplace_back(begin, end);
    }
    parts[part] = pack(own);
  });
  if (parts.size() == 1) return std::move(parts[0]);
  PackedNode node;
  const auto join = [&](auto PackedNode::*array) {
    for (const PackedNode& part : parts) {
      (node.*array).insert((node.*array).end(), (part.*array).begin(), (part.*array).end());
    }
  };
  join(&PackedNode::ranks);
  join(&PackedNode::counts);
  join(&PackedNode::children);
  join(&PackedNode::values);
  return node;
}

}  // namespace xylem::parabel
