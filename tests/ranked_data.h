// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <numeric>
#include <vector>

#include "methods/parabel/ranked_rows.h"
#include "toy_data.h"

namespace xylem::test {

inline parabel::FeatureRanks ranks(const Dataset& data) {
  return parabel::rank_features(parabel::feature_counts(data.features));
}

// With the rows in the order of the data.
inline parabel::RankedRows ranked(const Dataset& data) {
  std::vector<std::uint32_t> order(data.size());
  std::iota(order.begin(), order.end(), 0u);
  return parabel::rank_rows(data, order, ranks(data));
}

using Features = std::map<Feature, float>;

inline Features features_of(const Dataset& data, std::size_t row) {
  Features result;
  const SparseRow source = data.features[row];
  for (std::size_t i = 0; i < source.size(); ++i) result[source.ids[i]] = source.values[i];
  return result;
}

// Data with rows and features that no label needs: empty rows, rows without labels, features that never occur.
inline Dataset data_with_gaps() {
  Dataset data = toy_data(3, {.rows = 200, .labels = 40});
  const std::vector<Feature> ids = {1, 249};
  const std::vector<float> values = {0.5f, -2};
  data.features.push_back({});
  data.labels.push_back(std::vector<Label>{0, 5});
  data.features.push_back({ids, values});
  data.labels.push_back({});
  data.features.n_columns = 5000;
  return data;
}

}  // namespace xylem::test
