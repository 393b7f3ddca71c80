// SPDX-License-Identifier: Apache-2.0
#include "methods/neighbours/own_cosines.h"

#include <fmt/format.h>

namespace xylem::neighbours {

OwnMetric::OwnMetric(std::span<const float> weights, double strength, std::size_t n_features) {
  std::vector<float> squares(n_features, 1.0f);
  for (std::size_t i = 0; i < weights.size(); ++i) {
    squares[i] = static_cast<float>(std::pow(static_cast<double>(weights[i]), 2 * strength));
  }
  squares_ = std::move(squares);
}

OwnMetric::OwnMetric(const ModelReader& in, const std::string& name, std::size_t n_features)
    : squares_(in.finite(name, n_features)) {
  const auto negative = std::ranges::find_if(squares_.span(), [](float square) { return square < 0; });
  if (negative == squares_.span().end()) return;
  in.damaged(
      fmt::format("damaged: {}[{}] is {}, expected 0 or more", name, negative - squares_.span().begin(), *negative));
}

float OwnMetric::inverse_length(SparseRow row) const {
  float sum = 0;
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (row.ids[i] < n_features()) sum += row.values[i] * row.values[i] * squares_[row.ids[i]];
  }
  return sum > 0 ? 1 / std::sqrt(sum) : 0;
}

void SpreadRow::assign(SparseRow row, const OwnMetric& metric) {
  for (const Feature feature : features_) values_[feature] = 0;
  features_.clear();
  values_.resize(metric.n_features(), 0.0f);
  const float scale = metric.inverse_length(row);
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (row.ids[i] >= metric.n_features()) continue;
    values_[row.ids[i]] = row.values[i] * metric.square(row.ids[i]) * scale;
    features_.push_back(row.ids[i]);
  }
}

}  // namespace xylem::neighbours
