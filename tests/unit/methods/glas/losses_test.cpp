// SPDX-License-Identifier: Apache-2.0
#include "methods/glas/losses.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/parallel.h"
#include "gradients.h"

namespace xylem::glas {
namespace {

using Eigen::Index;

LabelLists some_positives() {
  LabelLists lists;
  for (const std::vector<Label>& row : {std::vector<Label>{1, 4}, {0}, {}, {2, 3, 6}}) lists.push_back(row);
  return lists;
}

// The definitions, word for word.
double slow_loss(const LossOptions& options, const LabelLists& positives, const std::vector<float>& weights,
                 const Matrix& scores) {
  double total = 0;
  for (Index row = 0; row < scores.rows(); ++row) {
    const auto own = positives[static_cast<std::size_t>(row)];
    const auto score = [&](std::size_t i) { return static_cast<double>(scores(row, static_cast<Index>(i))); };
    std::vector<std::size_t> others;
    for (std::size_t i = 0; i < weights.size(); ++i) {
      if (!std::ranges::binary_search(own, static_cast<Label>(i))) others.push_back(i);
    }
    const auto weight = [&](std::size_t i) { return static_cast<double>(weights[i]); };
    if (options.loss == Loss::kBce) {
      for (const Label p : own) total += std::log1p(std::exp(-score(p)));
      for (const std::size_t n : others) total += weight(n) * std::log1p(std::exp(score(n)));
      continue;
    }
    if (options.loss == Loss::kMining) {
      std::ranges::sort(others, std::greater(), score);
      others.resize(std::min<std::size_t>(others.size(), static_cast<std::size_t>(options.hardest)));
    }
    for (const Label p : own) {
      double sum = 0;
      if (options.loss == Loss::kSoftmax) {
        for (const std::size_t n : others) sum += weight(n) * std::exp(score(n));
        sum = std::log((std::exp(score(p)) + sum) / std::exp(score(p)));
      } else {
        for (const std::size_t n : others) {
          sum += (options.loss == Loss::kMining ? 1 : weight(n)) * std::max(0.0, options.margin + score(n) - score(p));
        }
      }
      total += sum / static_cast<double>(own.size());
    }
  }
  return total / static_cast<double>(scores.rows());
}

TEST(GlasLosses, AreWhatTheyAreDefinedAsAndHaveTheirGradients) {
  const LabelLists positives = some_positives();
  const std::vector<float> weights{1, 1, 1, 1, 1, 3.5f, 1, 3.5f};
  for (const Loss loss : {Loss::kBce, Loss::kSoftmax, Loss::kMargin, Loss::kMining}) {
    const LossOptions options{loss, 0.7, 2};
    Matrix scores = 2 * random_matrix(4, 8, 5);
    Matrix gradient = scores;
    EXPECT_NEAR(loss_and_gradient(options, positives, weights, gradient),
                slow_loss(options, positives, weights, scores), 1e-5);
    expect_gradient(
        scores, gradient, [&] { return slow_loss(options, positives, weights, scores); }, 2e-3f, 1e-3f);
  }
}

TEST(GlasLosses, StayFiniteForLargeScores) {
  const LabelLists positives = some_positives();
  const std::vector<float> weights(8, 1.0f);
  for (const Loss loss : {Loss::kBce, Loss::kSoftmax, Loss::kMargin, Loss::kMining}) {
    for (const float size : {1e3f, -1e3f}) {
      Matrix scores = size * random_matrix(4, 8, 5);
      EXPECT_TRUE(std::isfinite(loss_and_gradient({loss, 1, 2}, positives, weights, scores)));
      EXPECT_TRUE(scores.allFinite());
    }
  }
}

TEST(GlasLosses, AreTheSameForAnyNumberOfThreads) {
  LabelLists positives;
  for (Label row = 0; row < 100; ++row) positives.push_back(std::vector<Label>{row % 40});
  const std::vector<float> weights(41, 1.0f);
  for (const Loss loss : {Loss::kBce, Loss::kSoftmax, Loss::kMargin, Loss::kMining}) {
    Matrix one = random_matrix(100, 41, 1), three = one;
    double first = 0, second = 0;
    with_threads(1, [&] { first = loss_and_gradient({loss, 1, 2}, positives, weights, one); });
    with_threads(3, [&] { second = loss_and_gradient({loss, 1, 2}, positives, weights, three); });
    EXPECT_EQ(first, second);
    EXPECT_EQ(one, three);
  }
}

}  // namespace
}  // namespace xylem::glas
