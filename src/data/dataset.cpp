// SPDX-License-Identifier: Apache-2.0
#include "xylem/dataset.h"

namespace xylem {

std::vector<std::uint32_t> label_counts(const Dataset& data) {
  std::vector<std::uint32_t> counts(data.n_labels);
  for (const Label label : data.labels.ids) ++counts[label];
  return counts;
}

Dataset select_rows(const Dataset& data, std::span<const std::size_t> rows) {
  Dataset chosen;
  chosen.features.n_columns = data.features.n_columns;
  chosen.n_labels = data.n_labels;
  chosen.first_ids = data.first_ids;
  chosen.label_names = data.label_names;
  chosen.label_ids = data.label_ids;
  chosen.feature_name = data.feature_name;
  std::size_t n_features = 0, n_labels = 0;
  for (const std::size_t row : rows) {
    n_features += data.features[row].size();
    n_labels += data.labels[row].size();
  }
  chosen.features.offsets.reserve(rows.size() + 1);
  chosen.features.ids.reserve(n_features);
  chosen.features.values.reserve(n_features);
  chosen.labels.offsets.reserve(rows.size() + 1);
  chosen.labels.ids.reserve(n_labels);
  for (const std::size_t row : rows) {
    chosen.features.push_back(data.features[row]);
    chosen.labels.push_back(data.labels[row]);
  }
  return chosen;
}

}  // namespace xylem
