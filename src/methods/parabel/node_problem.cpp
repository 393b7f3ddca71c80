// SPDX-License-Identifier: Apache-2.0
#include "methods/parabel/node_problem.h"

#include <algorithm>
#include <bit>
#include <numeric>

#include "core/parallel.h"

namespace xylem::parabel {
namespace {

LabelLists rows_of_labels(const Dataset& data, std::span<const std::uint32_t> order) {
  LabelLists result;
  result.offsets.assign(data.n_labels + 1, 0);
  for (const Label label : data.labels.ids) ++result.offsets[label + 1];
  std::partial_sum(result.offsets.begin(), result.offsets.end(), result.offsets.begin());
  result.ids.resize(data.labels.ids.size());
  std::vector<std::uint64_t> next(result.offsets.begin(), result.offsets.end() - 1);
  for (std::uint32_t row = 0; row < order.size(); ++row) {
    for (const Label label : data.labels[order[row]]) result.ids[next[label]++] = row;
  }
  return result;
}

constexpr std::uint32_t kNoChild = 0xffffffff;

// Every pair of a row and a child that it is positive for, once, by rows: row in the high half, child in the low. Rows
// that are none's positives come with kNoChild.
void collect_pairs(const LabelLists& label_rows, const LabelTree& tree, std::span<const TaskNode> nodes,
                   std::span<const std::uint32_t> more_rows, std::vector<std::uint64_t>& pairs) {
  pairs.clear();
  std::uint32_t child = 0;
  const auto add_child = [&](std::uint32_t begin, std::uint32_t end) {
    for (std::uint32_t i = begin; i < end; ++i) {
      for (const std::uint32_t row : label_rows[tree.labels[i]]) pairs.push_back(std::uint64_t{row} << 32 | child);
    }
    ++child;
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
  for (const std::uint32_t row : more_rows) pairs.push_back(std::uint64_t{row} << 32 | kNoChild);
  std::ranges::sort(pairs);
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
}

// Numbers the rows of the pairs from 0, and turns the pairs around.
void number_rows(const std::vector<std::uint64_t>& pairs, std::size_t n_children, std::vector<std::uint32_t>& rows,
                 LabelLists& child_rows) {
  rows.clear();
  child_rows.offsets.assign(n_children + 1, 0);
  for (const std::uint64_t pair : pairs) {
    const auto child = static_cast<std::uint32_t>(pair);
    if (child != kNoChild) ++child_rows.offsets[child + 1];
  }
  std::partial_sum(child_rows.offsets.begin(), child_rows.offsets.end(), child_rows.offsets.begin());
  child_rows.ids.resize(child_rows.offsets.back());
  std::vector<std::uint64_t> next(child_rows.offsets.begin(), child_rows.offsets.end() - 1);
  for (const std::uint64_t pair : pairs) {
    const auto row = static_cast<std::uint32_t>(pair >> 32);
    const auto child = static_cast<std::uint32_t>(pair);
    if (rows.empty() || rows.back() != row) rows.push_back(row);
    if (child != kNoChild) child_rows.ids[next[child]++] = static_cast<std::uint32_t>(rows.size() - 1);
  }
}

// Copies the rows; features that occur in them get the numbers 0, 1, ... in the order of their ranks.
void copy_rows(const RankedData& data, std::span<const std::uint32_t> rows, ProblemScratch& scratch, NodeProblem& out) {
  scratch.present.assign(data.feature_of.size() / 64 + 1, 0);
  std::size_t nonzeros = 0;
  for (const std::uint32_t row : rows) {
    const SparseRow source = data.rows[row];
    nonzeros += source.size();
    for (const Feature rank : source.ids) scratch.present[rank / 64] |= std::uint64_t{1} << rank % 64;
  }
  scratch.before.resize(scratch.present.size());
  out.features.clear();
  for (std::size_t word = 0; word < scratch.present.size(); ++word) {
    scratch.before[word] = static_cast<std::uint32_t>(out.features.size());
    for (std::uint64_t bits = scratch.present[word]; bits != 0; bits &= bits - 1) {
      out.features.push_back(data.feature_of[64 * word + static_cast<std::size_t>(std::countr_zero(bits))]);
    }
  }
  out.rows = LocalRows(out.features.size(), nonzeros);
  for (const std::uint32_t row : rows) {
    const SparseRow source = data.rows[row];
    scratch.ids.clear();
    for (const Feature rank : source.ids) {
      const std::uint64_t below = scratch.present[rank / 64] & ((std::uint64_t{1} << rank % 64) - 1);
      scratch.ids.push_back(scratch.before[rank / 64] + static_cast<std::uint32_t>(std::popcount(below)));
    }
    out.rows.push_back(scratch.ids, source.values);
  }
}

}  // namespace

RankedData rank_features(const Dataset& data, std::span<const std::uint32_t> order) {
  RankedData result;
  result.label_rows = rows_of_labels(data, order);
  const SparseMatrix& source = data.features;
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
  result.rows.ids.resize(source.ids.size());
  result.rows.values.resize(source.values.size());
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
  collect_pairs(data.label_rows, tree, nodes, more_rows, scratch.pairs);
  std::size_t n_children = 0;
  for (const TaskNode& node : nodes) n_children += node.n_children;
  number_rows(scratch.pairs, n_children, scratch.row_numbers, out.child_rows);
  copy_rows(data, scratch.row_numbers, scratch, out);
}

}  // namespace xylem::parabel
