// SPDX-License-Identifier: Apache-2.0
#include "methods/neighbours/feature_weights.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/parallel.h"
#include "core/random.h"
#include "methods/neighbours/member.h"
#include "methods/neighbours/own_cosines.h"
#include "toy_data.h"
#include "xylem/error.h"

namespace xylem::neighbours {
namespace {

// Written down as the header says it.
double slow_loss(const Dataset& data, std::uint32_t row, const std::vector<std::uint32_t>& others,
                 const std::vector<float>& weights) {
  const OwnMetric metric(weights, 1, weights.size());
  SpreadRow spread;
  spread.assign(data.features[row], metric);
  double votes = 0, agreed = 0;
  for (const std::uint32_t other : others) {
    const SparseRow features = data.features[other];
    const auto cosine = static_cast<double>(spread.cosine(features, metric.inverse_length(features)));
    const double vote = std::pow(std::max(cosine, 1e-3), 8);
    double shared = 0;
    for (const Label a : data.labels[row]) {
      for (const Label b : data.labels[other]) shared += a == b ? 1 : 0;
    }
    votes += vote;
    agreed += vote * shared /
              std::sqrt(static_cast<double>(data.labels[row].size()) * static_cast<double>(data.labels[other].size()));
  }
  return agreed > 0 ? -std::log(agreed / votes) : 0;
}

TEST(AgreementLoss, FollowsItsGradient) {
  const Dataset data = test::toy_data(1, {.rows = 30, .labels = 4, .words_a_label = 3, .common_words = 4});
  Random random(3, {});
  std::vector<float> weights(data.features.n_columns);
  for (float& weight : weights) weight = static_cast<float>(std::exp(0.3 * random.normal()));
  std::vector<std::uint32_t> others;
  for (std::uint32_t row = 1; row < 30; ++row) others.push_back(row);
  WeightGradient gradient;
  WeightBuffers buffers;
  for (int again = 0; again < 2; ++again) {  // the buffers are as they were
    EXPECT_NEAR(agreement_loss(data, 0, others, weights, gradient, buffers), slow_loss(data, 0, others, weights), 1e-4);
  }
  std::vector<float> dense(weights.size(), 0);
  for (std::size_t i = 0; i < gradient.features.size(); ++i) dense[gradient.features[i]] += gradient.values[i];
  double steepest = 0;
  for (std::size_t feature = 0; feature < weights.size(); ++feature) {
    constexpr double kLittle = 1e-2;
    const float before = weights[feature];
    weights[feature] = before * static_cast<float>(std::exp(kLittle));
    const double above = slow_loss(data, 0, others, weights);
    weights[feature] = before * static_cast<float>(std::exp(-kLittle));
    const double below = slow_loss(data, 0, others, weights);
    weights[feature] = before;
    EXPECT_NEAR(dense[feature], (above - below) / (2 * kLittle), 5e-3) << feature;
    steepest = std::max(steepest, std::abs(above - below) / (2 * kLittle));
  }
  EXPECT_GT(steepest, 0.05);
}

TEST(AgreementLoss, IsNothingWhereNobodyAgrees) {
  Dataset data;
  data.n_labels = 2;
  data.features.n_columns = 1;
  for (const Label label : {0u, 1u}) {
    const std::vector<Feature> ids = {0};
    const std::vector<float> values = {1};
    data.features.push_back({ids, values});
    data.labels.push_back(std::vector<Label>{label});
  }
  WeightGradient gradient;
  WeightBuffers buffers;
  EXPECT_EQ(agreement_loss(data, 0, std::vector<std::uint32_t>{1}, std::vector<float>{1}, gradient, buffers), 0);
  EXPECT_TRUE(gradient.features.empty());
}

TEST(FitFeatureWeights, WordsOfLabelsCountMoreThanWordsOfAnyRow) {
  const Dataset data = test::toy_data(1);
  std::vector<std::vector<float>> found;
  for (const int threads : {1, 3}) {
    with_threads(threads, [&] { found.push_back(fit_feature_weights(data, rows_with_labels(data), 1, {})); });
  }
  EXPECT_EQ(found[0], found[1]);
  const std::size_t n_common = 10, n_own = 66;  // toy_data's; the last label never occurs
  double own = 0, common = 0;
  for (std::size_t i = 0; i < n_own; ++i) own += static_cast<double>(found[0][i]) / static_cast<double>(n_own);
  for (std::size_t i = 0; i < n_common; ++i) {
    common += static_cast<double>(found[0][found[0].size() - 1 - i]) / static_cast<double>(n_common);
  }
  EXPECT_GT(own, 1.2 * common);
}

TEST(FitFeatureWeights, StopsWhenAskedAndNeedsNoRows) {
  const Dataset data = test::toy_data(1);
  std::atomic<bool> cancel = true;
  xylem::Run run;
  run.cancel = &cancel;
  EXPECT_THROW(fit_feature_weights(data, rows_with_labels(data), 1, run), Error);
  EXPECT_EQ(fit_feature_weights(data, {}, 1, {}), std::vector<float>(data.features.n_columns, 1.0f));
}

}  // namespace
}  // namespace xylem::neighbours
