// SPDX-License-Identifier: Apache-2.0
#include "methods/parabel/node_problem.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "core/parallel.h"
#include "core/sparse_tools.h"

namespace xylem::parabel {
namespace {

// Marks the rows of the nodes, and lists the positive ones of each child, once each.
void collect_rows(const LabelLists& label_rows, const LabelTree& tree, std::span<const TaskNode> nodes,
                  std::span<const std::uint32_t> more_rows, ProblemScratch& scratch, LabelLists& child_rows) {
  child_rows.ids.clear();
  child_rows.offsets.assign(1, 0);
  const auto add_child = [&](std::uint32_t begin, std::uint32_t end) {
    if (++scratch.n_children_seen == 0) {  // all numbers are used up
      std::ranges::fill(scratch.last_child, 0u);
      scratch.n_children_seen = 1;
    }
    for (std::uint32_t i = begin; i < end; ++i) {
      for (const std::uint32_t row : label_rows[tree.labels[i]]) {
        if (std::exchange(scratch.last_child[row], scratch.n_children_seen) == scratch.n_children_seen) continue;
        child_rows.ids.push_back(row);
        scratch.rows.mark(row);
      }
    }
    child_rows.offsets.push_back(child_rows.ids.size());
  };
  for (const TaskNode& part : nodes) {
    const TreeNode& node = tree.nodes[part.node];
    for (std::uint32_t i = 0; i < node.n_classifiers(); ++i) {
      if (node.is_leaf()) {
        add_child(node.begin + i, node.begin + i + 1);
      } else {
        const TreeNode& below = tree.nodes[node.first_child + i];
        add_child(below.begin, below.end);
      }
    }
  }
  for (const std::uint32_t row : more_rows) scratch.rows.mark(row);
}

// Calls use(i, row i of `rows`) for all of these rows. They lie far apart: the memory of the next ones is asked for in
// time.
void for_each_row(const SparseMatrix& data, std::span<const std::uint32_t> rows, auto&& use) {
  constexpr std::size_t kAhead = 4;
  constexpr std::size_t kFeaturesALine = 64 / sizeof(Feature);
  constexpr std::size_t kGrain = 4096;
  parallel_for(rows.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const SparseRow later = data[rows[std::min(i + kAhead, rows.size() - 1)]];
      for (std::size_t j = 0; j < later.size(); j += kFeaturesALine) {
        __builtin_prefetch(&later.ids[j]);
        __builtin_prefetch(&later.values[j]);
      }
      use(i, data[rows[i]]);
    }
  });
}

// Copies the marked rows; features that occur in them get the numbers 0, 1, ... in the order of their ranks.
void copy_rows(const RankedData& data, ProblemScratch& scratch, NodeProblem& out) {
  scratch.row_list.clear();
  scratch.rows.for_each([&](std::size_t row) { scratch.row_list.push_back(static_cast<std::uint32_t>(row)); });
  for_each_row(data.rows, scratch.row_list, [&](std::size_t, SparseRow row) {
    for (const Feature rank : row.ids) scratch.ranks.mark_shared(rank);
  });
  scratch.ranks.finish();
  out.ranks.clear();
  scratch.ranks.for_each([&](std::size_t rank) { out.ranks.push_back(static_cast<std::uint32_t>(rank)); });
  std::vector<std::uint64_t> offsets{0};
  offsets.reserve(scratch.row_list.size() + 1);
  for (const std::uint32_t row : scratch.row_list) offsets.push_back(offsets.back() + data.rows[row].size());
  out.rows = LocalRows(out.ranks.size(), std::move(offsets));
  for_each_row(data.rows, scratch.row_list, [&](std::size_t i, SparseRow row) {
    out.rows.set(i, row.ids, row.values, [&](Feature rank) { return scratch.ranks.number_of(rank); });
  });
}

}  // namespace

RankedData rank_features(const Dataset& data, std::span<const std::uint32_t> order) {
  RankedData result;
  const SparseMatrix& source = data.features;
  TaskGroup beside;
  beside.run([&] { result.label_rows = rows_of_labels(data.labels, data.n_labels, order); });
  beside.run([&] { result.rows.ids.resize(source.ids.size()); });  // to touch so much memory takes time
  beside.run([&] { result.rows.values.resize(source.values.size()); });
  std::vector<std::uint32_t> counts(source.n_columns, 0);
  for (const Feature feature : source.ids) ++counts[feature];
  for (std::size_t feature = 0; feature < counts.size(); ++feature) {
    if (counts[feature] > 0) result.feature_of.push_back(static_cast<Feature>(feature));
  }
  std::ranges::stable_sort(result.feature_of, [&](Feature a, Feature b) { return counts[a] > counts[b]; });
  result.rank_of.assign(source.n_columns, kNoRank);
  for (std::size_t rank = 0; rank < result.feature_of.size(); ++rank) {
    result.rank_of[result.feature_of[rank]] = static_cast<std::uint32_t>(rank);
  }
  result.rows.offsets.reserve(order.size() + 1);
  for (const std::uint32_t row : order) {
    result.rows.offsets.push_back(result.rows.offsets.back() + source[row].size());
  }
  beside.wait();
  parallel_for(order.size(), 256, [&](std::size_t begin, std::size_t end) {
    for (std::size_t row = begin; row < end; ++row) {
      const SparseRow from = source[order[row]];
      const std::uint64_t place = result.rows.offsets[row];
      std::ranges::transform(from.ids, result.rows.ids.begin() + static_cast<std::ptrdiff_t>(place),
                             [&](Feature feature) { return result.rank_of[feature]; });
      std::ranges::copy(from.values, result.rows.values.begin() + static_cast<std::ptrdiff_t>(place));
    }
  });
  result.rows.n_columns = result.feature_of.size();
  return result;
}

void make_problem(const RankedData& data, const LabelTree& tree, std::span<const TaskNode> nodes,
                  std::span<const std::uint32_t> more_rows, ProblemScratch& scratch, NodeProblem& out) {
  scratch.rows.reset(data.rows.size());
  scratch.ranks.reset(data.feature_of.size());
  scratch.last_child.resize(data.rows.size(), 0);
  collect_rows(data.label_rows, tree, nodes, more_rows, scratch, out.child_rows);
  scratch.rows.finish();
  for (std::uint32_t& row : out.child_rows.ids) row = scratch.rows.number_of(row);
  copy_rows(data, scratch, out);
}

}  // namespace xylem::parabel
