// SPDX-License-Identifier: Apache-2.0
#include "methods/parabel/label_tree.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

#include "algorithms/split.h"
#include "core/parallel.h"
#include "core/row_blocks.h"
#include "core/sparse_tools.h"

namespace xylem::parabel {
namespace {

constexpr float kSmallEntry = 0.002f;  // 0.02 costs 0.3 of P@1 with binary trees on tibkat-gnd
constexpr std::uint64_t kSplitStream = 0x73706c69;

// How many ways a node of so many leaves is split: few enough for `arity`, and about the same on all levels below, so
// that no level has nodes with one or two children.
std::size_t ways_to_split(std::size_t n_leaves, std::size_t arity) {
  std::size_t depth = 1;
  for (std::size_t reach = arity; reach < n_leaves; reach *= arity) ++depth;
  auto ways = static_cast<std::size_t>(std::pow(static_cast<double>(n_leaves), 1.0 / static_cast<double>(depth)));
  const auto reaches = [&] {
    std::size_t reach = 1;
    for (std::size_t level = 0; level < depth; ++level) reach *= ways;
    return reach >= n_leaves;
  };
  while (!reaches()) ++ways;
  return std::clamp<std::size_t>(ways, 2, arity);
}

// Halves members again and again, until there are as many parts of equal size as wanted.
class EvenSplit {
 public:
  EvenSplit(const SparseMatrix& vectors, std::uint64_t seed, PerWorker<SplitScratch>& scratch)
      : vectors_(vectors), seed_(seed), scratch_(scratch) {}

  std::vector<std::size_t> run(std::span<std::uint32_t> members, std::size_t ways) {
    std::vector<std::size_t> sizes(ways);
    run_tasks([&](TaskGroup& tasks) { halve(members, sizes, tasks); });
    return sizes;
  }

 private:
  // Goes on with one half and leaves the other to who has time.
  void halve(std::span<std::uint32_t> members, std::span<std::size_t> sizes, TaskGroup& tasks) {
    while (sizes.size() > 1) {
      const std::size_t n_left = members.size() * (sizes.size() / 2) / sizes.size();
      const auto left = members.first(n_left);
      const auto left_sizes = sizes.first(sizes.size() / 2);
      // The random numbers of a half are its own, told by its members.
      split_in_two(vectors_, members, n_left, Random(seed_, {members.front(), members.size()}), scratch_.local());
      tasks.run([this, left, left_sizes, &tasks] { halve(left, left_sizes, tasks); });
      members = members.subspan(n_left);
      sizes = sizes.subspan(left_sizes.size());
    }
    sizes.front() = members.size();
  }

  const SparseMatrix& vectors_;
  std::uint64_t seed_;
  PerWorker<SplitScratch>& scratch_;
};

std::vector<std::size_t> split(const SparseMatrix& vectors, std::span<std::uint32_t> members,
                               const TreeOptions& options, Random random, PerWorker<SplitScratch>& scratch) {
  const auto arity = static_cast<std::size_t>(options.arity);
  if (!options.balanced) {
    std::vector<std::size_t> sizes = split_freely(vectors, members, arity, random);
    if (sizes.size() > 1) return sizes;
  }
  const auto max_leaf = static_cast<std::size_t>(options.max_leaf);
  const std::size_t n_leaves = (members.size() + max_leaf - 1) / max_leaf;
  return EvenSplit(vectors, random.bits(), scratch).run(members, ways_to_split(n_leaves, arity));
}

// Adds up the rows of labels.
class LabelSummer {
 public:
  SparseSum& sum(const RankedRows& all, std::span<const std::uint32_t> rows) {
    sorted_.clear();
    for (const std::uint32_t row : rows) sorted_.push_back({all.numbers[row], row});
    std::ranges::sort(sorted_);
    total_.set_columns(all.rows.n_columns);
    block_.set_columns(all.rows.n_columns);
    for (std::size_t begin = 0, end = 0; begin < sorted_.size(); begin = end) {
      while (end < sorted_.size() && block_of(sorted_[end].first) == block_of(sorted_[begin].first)) ++end;
      const bool is_sum = end - begin == 1 || end - begin == sorted_.size();  // of the block: nothing to add it to
      SparseSum& sum = is_sum ? total_ : block_;
      for (std::size_t i = begin; i < end; ++i) sum.add(all.rows[sorted_[i].second]);
      if (!is_sum) block_.take([&](Feature column, float value) { total_.add(column, value); });
    }
    return total_;
  }

 private:
  std::vector<std::pair<std::uint32_t, std::uint32_t>> sorted_;  // numbers and rows
  SparseSum block_, total_;
};

}  // namespace

void take_label_vector(SparseSum& sum, SparseMatrix& out) {
  double squares = 0;
  std::size_t place = out.ids.size();
  sum.take([&](Feature column, float value) {
    squares += static_cast<double>(value) * value;
    out.ids.push_back(column);
    out.values.push_back(value);
  });
  const float scale = squares > 0 ? static_cast<float>(1 / std::sqrt(squares)) : 0;
  for (std::size_t i = place; i < out.ids.size(); ++i) {
    const float value = out.values[i] * scale;
    if (std::abs(value) < kSmallEntry) continue;
    out.ids[place] = out.ids[i];
    out.values[place++] = value;
  }
  out.ids.resize(place);
  out.values.resize(place);
  out.offsets.push_back(out.ids.size());
}

SparseMatrix label_vectors(const RankedRows& all, const Run& run) {
  constexpr std::size_t kGrain = 64;
  const std::size_t n_labels = all.label_rows.size();
  PerWorker<LabelSummer> workers;
  std::vector<SparseMatrix> chunks((n_labels + kGrain - 1) / kGrain);
  parallel_for(n_labels, kGrain, [&](std::size_t begin, std::size_t end) {
    run.check();
    for (std::size_t label = begin; label < end; ++label) {
      take_label_vector(workers.local().sum(all, all.label_rows[label]), chunks[begin / kGrain]);
    }
  });
  return join_rows(chunks, all.rows.n_columns);
}

LabelTree build_tree(const SparseMatrix& vectors, std::span<const Label> labels, const TreeOptions& options,
                     std::size_t tree_number, const Run& run) {
  LabelTree tree;
  tree.labels.assign(labels.begin(), labels.end());
  tree.nodes.push_back({0, static_cast<std::uint32_t>(labels.size())});
  std::size_t level_begin = 0;
  PerWorker<SplitScratch> scratch;
  for (int depth = 0; level_begin < tree.nodes.size(); ++depth) {
    const std::size_t level_end = tree.nodes.size();
    std::vector<std::vector<std::size_t>> sizes(level_end - level_begin);
    parallel_for(sizes.size(), 1, [&](std::size_t i, std::size_t) {
      run.check();
      const TreeNode& node = tree.nodes[level_begin + i];
      const bool is_leaf =
          node.n_labels() <= static_cast<std::uint32_t>(options.max_leaf) || depth >= options.max_depth;
      if (is_leaf && node.n_labels() <= kMostChildren) return;
      sizes[i] = split(vectors, std::span(tree.labels).subspan(node.begin, node.n_labels()), options,
                       Random(run.seed, {kSplitStream, tree_number, level_begin + i}), scratch);
    });
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      tree.nodes[level_begin + i].first_child = static_cast<std::uint32_t>(tree.nodes.size());
      tree.nodes[level_begin + i].n_children = static_cast<std::uint32_t>(sizes[i].size());
      std::uint32_t begin = tree.nodes[level_begin + i].begin;
      for (const std::size_t size : sizes[i]) {
        tree.nodes.push_back({begin, begin + static_cast<std::uint32_t>(size)});
        begin += static_cast<std::uint32_t>(size);
      }
    }
    level_begin = level_end;
  }
  return tree;
}

}  // namespace xylem::parabel
