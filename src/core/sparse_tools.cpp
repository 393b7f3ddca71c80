// SPDX-License-Identifier: Apache-2.0
#include "core/sparse_tools.h"

#include <algorithm>
#include <numeric>

#include "core/parallel.h"

namespace xylem {

SparseMatrix join_rows(std::vector<SparseMatrix>& parts, std::size_t n_columns) {
  SparseMatrix all;
  all.n_columns = n_columns;
  std::vector<std::uint64_t> begins;
  for (const SparseMatrix& part : parts) {
    const std::uint64_t begin = begins.emplace_back(all.offsets.back());
    for (std::size_t row = 1; row < part.offsets.size(); ++row) all.offsets.push_back(begin + part.offsets[row]);
  }
  TaskGroup resize;  // to touch so much memory takes time
  resize.run([&] { all.ids.resize(all.offsets.back()); });
  resize.run([&] { all.values.resize(all.offsets.back()); });
  resize.wait();
  parallel_for(parts.size(), 1, [&](std::size_t i, std::size_t) {
    std::ranges::copy(parts[i].ids, all.ids.begin() + static_cast<std::ptrdiff_t>(begins[i]));
    std::ranges::copy(parts[i].values, all.values.begin() + static_cast<std::ptrdiff_t>(begins[i]));
    parts[i] = {};
  });
  return all;
}

SparseMatrix label_sets(const LabelLists& labels, std::size_t n_labels) {
  SparseMatrix sets;
  sets.n_columns = n_labels;
  sets.offsets = labels.offsets;
  sets.ids = labels.ids;
  sets.values.assign(labels.ids.size(), 1.0f);
  return sets;
}

LabelLists rows_of_labels(const LabelLists& labels, std::size_t n_labels, std::span<const std::uint32_t> order) {
  LabelLists result;
  result.offsets.assign(n_labels + 1, 0);
  for (const Label label : labels.ids) ++result.offsets[label + 1];
  std::partial_sum(result.offsets.begin(), result.offsets.end(), result.offsets.begin());
  result.ids.resize(labels.ids.size());
  std::vector<std::uint64_t> next(result.offsets.begin(), result.offsets.end() - 1);
  for (std::uint32_t row = 0; row < order.size(); ++row) {
    for (const Label label : labels[order[row]]) result.ids[next[label]++] = row;
  }
  return result;
}

LabelLists rows_of_labels(const LabelLists& labels, std::size_t n_labels) {
  std::vector<std::uint32_t> order(labels.size());
  std::iota(order.begin(), order.end(), 0u);
  return rows_of_labels(labels, n_labels, order);
}

}  // namespace xylem
