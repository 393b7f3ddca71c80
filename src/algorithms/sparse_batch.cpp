// SPDX-License-Identifier: Apache-2.0
#include "algorithms/sparse_batch.h"

#include <numeric>

#include "core/random.h"

namespace xylem {

void SparseBatch::assign(const SparseMatrix& data, std::span<const std::uint32_t> rows, double keep,
                         std::uint64_t seed) {
  rows_.offsets.assign(1, 0);
  rows_.ids.clear();
  rows_.values.clear();
  rows_.n_columns = data.n_columns;
  const auto scale = static_cast<float>(1 / keep);
  for (const std::uint32_t number : rows) {
    const SparseRow row = data[number];
    if (keep == 1) {
      rows_.push_back(row);
      continue;
    }
    Random random(seed, {number});
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (random.uniform() >= keep) continue;
      rows_.ids.push_back(row.ids[i]);
      rows_.values.push_back(row.values[i] * scale);
    }
    rows_.offsets.push_back(rows_.ids.size());
  }

  numbering_.reset(data.n_columns);
  for (const Feature feature : rows_.ids) numbering_.mark(feature);
  const std::size_t n_features = numbering_.finish();
  features_.clear();
  numbering_.for_each([&](std::size_t feature) { features_.push_back(static_cast<Feature>(feature)); });
  by_feature_.offsets.assign(n_features + 1, 0);
  for (const Feature feature : rows_.ids) ++by_feature_.offsets[numbering_.number_of(feature) + 1];
  std::partial_sum(by_feature_.offsets.begin(), by_feature_.offsets.end(), by_feature_.offsets.begin());
  by_feature_.ids.resize(rows_.ids.size());
  by_feature_.values.resize(rows_.ids.size());
  next_.assign(by_feature_.offsets.begin(), by_feature_.offsets.end() - 1);
  for (std::uint32_t number = 0; number < rows_.size(); ++number) {
    const SparseRow row = rows_[number];
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::uint64_t place = next_[numbering_.number_of(row.ids[i])]++;
      by_feature_.ids[place] = number;
      by_feature_.values[place] = row.values[i];
    }
  }
}

}  // namespace xylem
