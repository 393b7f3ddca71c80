// SPDX-License-Identifier: Apache-2.0
#include "methods/parabel/node_problem.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "core/parallel.h"

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

// Unmarks all rows but the first `most`: rows are in random order, so these are a sample of them. To keep some rows of
// every child was tried: with 1,000 of 4,000 rows it costs up to 20 points of P@1, because frequent labels lose most.
void sample_rows(std::size_t most, std::size_t n_rows, ProblemScratch& scratch, LabelLists& child_rows) {
  LabelLists kept_rows;
  for (std::size_t child = 0; child < child_rows.size(); ++child) {
    std::ranges::copy_if(child_rows[child], std::back_inserter(kept_rows.ids),
                         [&](std::uint32_t row) { return scratch.rows.number_of(row) < most; });
    kept_rows.offsets.push_back(kept_rows.ids.size());
  }
  child_rows = std::move(kept_rows);
  scratch.row_list.clear();
  scratch.rows.for_each([&](std::size_t row) {
    if (scratch.row_list.size() < most) scratch.row_list.push_back(static_cast<std::uint32_t>(row));
  });
  scratch.rows.reset(n_rows);
  for (const std::uint32_t row : scratch.row_list) scratch.rows.mark(row);
  scratch.rows.finish();
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
void copy_rows(const SparseMatrix& data, ProblemScratch& scratch, NodeProblem& out) {
  scratch.row_list.clear();
  scratch.rows.for_each([&](std::size_t row) { scratch.row_list.push_back(static_cast<std::uint32_t>(row)); });
  for_each_row(data, scratch.row_list, [&](std::size_t, SparseRow row) {
    for (const Feature rank : row.ids) scratch.ranks.mark_shared(rank);
  });
  scratch.ranks.finish();
  out.ranks.clear();
  scratch.ranks.for_each([&](std::size_t rank) { out.ranks.push_back(static_cast<std::uint32_t>(rank)); });
  std::vector<std::uint64_t> offsets{0};
  offsets.reserve(scratch.row_list.size() + 1);
  for (const std::uint32_t row : scratch.row_list) offsets.push_back(offsets.back() + data[row].size());
  out.rows = LocalRows(out.ranks.size(), std::move(offsets));
  for_each_row(data, scratch.row_list, [&](std::size_t i, SparseRow row) {
    out.rows.set(i, row.ids, row.values, [&](Feature rank) { return scratch.ranks.number_of(rank); });
  });
}

void describe_children(const LabelTree& tree, std::span<const TaskNode> nodes, std::span<const float> label_costs,
                       NodeProblem& out) {
  out.n_nodes = nodes.size();
  out.is_leaf = tree.nodes[nodes.front().node].is_leaf();
  out.node_of.clear();
  out.positive_costs.clear();
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const TreeNode& node = tree.nodes[nodes[i].node];
    for (std::uint32_t child = 0; child < node.n_classifiers(); ++child) {
      out.node_of.push_back(i);
      const bool has_cost = node.is_leaf() && !label_costs.empty();
      out.positive_costs.push_back(has_cost ? label_costs[tree.labels[node.begin + child]] : 1.0f);
    }
  }
}

}  // namespace

void make_problem(const RankedRows& data, const LabelTree& tree, std::span<const TaskNode> nodes,
                  std::span<const std::uint32_t> more_rows, const NodeOptions& options, ProblemScratch& scratch,
                  NodeProblem& out) {
  scratch.rows.reset(data.rows.size());
  scratch.ranks.reset(data.rows.n_columns);
  scratch.last_child.resize(data.rows.size(), 0);
  collect_rows(data.label_rows, tree, nodes, more_rows, scratch, out.child_rows);
  const std::size_t n_rows = scratch.rows.finish();
  if (options.max_rows > 0 && n_rows > options.max_rows) {
    sample_rows(options.max_rows, data.rows.size(), scratch, out.child_rows);
  }
  for (std::uint32_t& row : out.child_rows.ids) row = scratch.rows.number_of(row);
  copy_rows(data.rows, scratch, out);
  describe_children(tree, nodes, options.label_costs, out);
}

}  // namespace xylem::parabel
