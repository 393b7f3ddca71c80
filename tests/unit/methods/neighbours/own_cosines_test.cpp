// SPDX-License-Identifier: Apache-2.0
#include "methods/neighbours/own_cosines.h"

#include <gtest/gtest.h>

namespace xylem::neighbours {
namespace {

TEST(Blended, IsAGeometricMean) {
  EXPECT_EQ(blended(0.4f, 0.9f, 0), 0.4f);
  EXPECT_EQ(blended(0.4f, 0.9f, 1), 0.9f);
  EXPECT_NEAR(blended(0.4f, 0.9f, 0.5), 0.6f, 1e-6f);
  EXPECT_EQ(blended(-0.4f, 0.9f, 0.5), 0);
  EXPECT_EQ(blended(0.4f, 0, 0.5), 0);
}

TEST(SpreadRow, HasTheCosinesOfWeightedRows) {
  const std::vector<Feature> ids = {1, 4, 9}, other_ids = {0, 4, 8};
  const std::vector<float> values = {2, 3, 5}, other_values = {7, 11, 13};
  std::vector<float> weights(9, 1.0f);
  weights[4] = 3;
  for (const double strength : {0.0, 0.5, 1.0}) {
    const OwnMetric metric(weights, strength, 9);
    SpreadRow spread;
    spread.assign({ids, values}, metric);  // leaves the feature 9 out
    const SparseRow other{other_ids, other_values};
    const auto square = static_cast<float>(std::pow(3.0, 2 * strength));
    const float expected = 3 * 11 * square / std::sqrt((4 + 9 * square) * (7 * 7 + 11 * 11 * square + 13 * 13));
    EXPECT_NEAR(spread.cosine(other, metric.inverse_length(other)), expected, 1e-6f);
  }
}

TEST(SpreadRow, ForgetsTheOneBefore) {
  const std::vector<Feature> ids = {1, 4}, other_ids = {0, 4};
  const std::vector<float> values = {2, 3};
  SpreadRow spread;
  spread.assign({ids, values}, OwnMetric({}, 1, 9));
  EXPECT_GT(spread.cosine({other_ids, values}, 1), 0);
  spread.assign({std::span(ids).first(1), std::span(values).first(1)}, OwnMetric({}, 1, 2));  // of another model
  EXPECT_EQ(spread.cosine({std::span(other_ids).first(1), std::span(values).first(1)}, 1), 0);
  spread.assign({}, OwnMetric({}, 1, 9));
  EXPECT_EQ(spread.cosine({other_ids, values}, 1), 0);
}

}  // namespace
}  // namespace xylem::neighbours
