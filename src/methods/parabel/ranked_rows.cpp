// SPDX-License-Identifier: Apache-2.0
#include "methods/parabel/ranked_rows.h"

#include <algorithm>
#include <utility>

#include "core/parallel.h"
#include "core/row_blocks.h"
#include "core/sparse_tools.h"
#include "methods/parabel/classifiers.h"

namespace xylem::parabel {
namespace {

constexpr std::uint64_t kOrderStream = 0x6f726472;

}  // namespace

std::vector<std::uint32_t> feature_counts(const SparseMatrix& rows) {
  std::vector<std::uint32_t> counts(rows.n_columns, 0);
  for (const Feature feature : rows.ids) ++counts[feature];
  return counts;
}

FeatureRanks rank_features(std::span<const std::uint32_t> counts) {
  FeatureRanks result;
  for (std::size_t feature = 0; feature < counts.size(); ++feature) {
    if (counts[feature] > 0) result.feature_of.push_back(static_cast<Feature>(feature));
  }
  std::ranges::stable_sort(result.feature_of, [&](Feature a, Feature b) { return counts[a] > counts[b]; });
  result.rank_of.assign(counts.size(), kNoRank);
  for (std::size_t rank = 0; rank < result.feature_of.size(); ++rank) {
    result.rank_of[result.feature_of[rank]] = static_cast<std::uint32_t>(rank);
  }
  return result;
}

RankedRows rank_rows(const Dataset& data, std::vector<std::uint32_t> order, const FeatureRanks& ranks) {
  RankedRows result;
  const SparseMatrix& source = data.features;
  TaskGroup beside;
  beside.run([&] { result.label_rows = rows_of_labels(data.labels, data.n_labels, order); });
  beside.run([&] { result.rows.ids.resize(source.ids.size()); });  // to touch so much memory takes time
  beside.run([&] { result.rows.values.resize(source.values.size()); });
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
                             [&](Feature feature) { return ranks.rank_of[feature]; });
      std::ranges::copy(from.values, result.rows.values.begin() + static_cast<std::ptrdiff_t>(place));
    }
  });
  result.rows.n_columns = ranks.feature_of.size();
  result.numbers = std::move(order);
  return result;
}

std::vector<std::uint32_t> solver_order(std::size_t n_rows, std::uint64_t seed) {
  std::vector<RowKey> keys;
  keys.reserve(n_rows);
  for (std::size_t row = 0; row < n_rows; ++row) keys.emplace_back(seed, kOrderStream, row);
  std::ranges::sort(keys);
  std::vector<std::uint32_t> order;
  order.reserve(n_rows);
  for (const RowKey& key : keys) order.push_back(static_cast<std::uint32_t>(key.row));
  return order;
}

}  // namespace xylem::parabel
