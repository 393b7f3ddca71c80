// SPDX-License-Identifier: Apache-2.0
#include "methods/rank_ae/rank_loss.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "core/random.h"

namespace xylem::rank_ae {
namespace {

struct Row {
  std::vector<float> scores, weights;
  std::vector<std::uint32_t> positives;
};

Row random_row(std::uint64_t seed, std::size_t n_labels, std::size_t n_positives, double scale) {
  Random random(seed, {n_labels});
  Row row;
  for (std::size_t i = 0; i < n_labels; ++i) {
    row.scores.push_back(static_cast<float>(scale * random.normal()));
    row.weights.push_back(1.0f + static_cast<float>(random.below(3)));
  }
  while (row.positives.size() < n_positives) {
    const auto place = static_cast<std::uint32_t>(random.below(n_labels));
    if (std::ranges::find(row.positives, place) == row.positives.end()) row.positives.push_back(place);
  }
  std::ranges::sort(row.positives);
  return row;
}

bool has(const Row& row, std::size_t place) {
  return std::ranges::binary_search(row.positives, static_cast<std::uint32_t>(place));
}

// max(x₁, x₂, ...)₊, or its smooth form.
double maximum(const std::vector<double>& values, const std::vector<double>& weights, double softness) {
  double result = 0, sum = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    result = std::max(result, values[i]);
    sum += weights[i] * std::exp(values[i] / softness);
  }
  return softness == 0 ? result : softness * std::log1p(sum);
}

// The definition, pair by pair.
double slow_loss(const LossOptions& options, const Row& row) {
  const auto compared = [&](std::size_t i) {
    const auto score = static_cast<double>(row.scores[i]);
    return options.output == Compared::kSigmoid ? 1 / (1 + std::exp(-score)) : score;
  };
  const auto weight = [&](std::size_t i) { return static_cast<double>(row.weights[i]); };
  double balance = options.balance, n_negatives = 0;
  for (std::size_t i = 0; i < row.scores.size(); ++i) n_negatives += has(row, i) ? 0 : weight(i);
  if (options.normalise) balance *= static_cast<double>(row.positives.size()) / n_negatives;
  double loss = 0;
  if (options.loss == Loss::kBce) {
    for (std::size_t i = 0; i < row.scores.size(); ++i) {
      const double p = 1 / (1 + std::exp(-static_cast<double>(row.scores[i])));
      loss -= has(row, i) ? std::log(p) : weight(i) * std::log(1 - p);
    }
    return loss;
  }
  for (std::size_t n = 0; n < row.scores.size(); ++n) {
    if (has(row, n)) continue;
    std::vector<double> violations;
    for (const std::uint32_t p : row.positives) violations.push_back(options.margin + compared(n) - compared(p));
    loss += balance * weight(n) * maximum(violations, std::vector<double>(violations.size(), 1.0), options.softness);
  }
  for (const std::uint32_t p : row.positives) {
    std::vector<double> violations, weights;
    for (std::size_t n = 0; n < row.scores.size(); ++n) {
      if (has(row, n)) continue;
      violations.push_back(options.margin + compared(n) - compared(p));
      weights.push_back(weight(n));
    }
    loss += maximum(violations, weights, options.softness);
  }
  return loss;
}

std::vector<LossOptions> all_kinds() {
  std::vector<LossOptions> kinds = {{.loss = Loss::kBce}};
  for (const Compared output : {Compared::kLinear, Compared::kSigmoid}) {
    for (const double margin : {0.0, 0.4, 1.0}) {
      for (const double softness : {0.0, 0.1, 1.0}) {
        kinds.push_back({Loss::kRank, output, margin, softness, 1, false});
        kinds.push_back({Loss::kRank, output, margin, softness, 0.7, true});
      }
    }
  }
  return kinds;
}

double loss_of(const LossOptions& options, const Row& row, std::vector<float>* gradient = nullptr) {
  std::vector<float> scores = row.scores;
  LossScratch scratch;
  const double loss = label_loss(options, scores, row.positives, row.weights, scratch);
  if (gradient != nullptr) *gradient = scores;
  return loss;
}

TEST(LabelLoss, IsWhatTheDefinitionSays) {
  for (const LossOptions& options : all_kinds()) {
    for (const std::size_t n_positives : {1u, 3u, 19u}) {
      const Row row = random_row(n_positives, 20, n_positives, 2);
      const double expected = slow_loss(options, row);
      EXPECT_NEAR(loss_of(options, row), expected, 1e-4 * std::max(1.0, expected));
    }
  }
}

TEST(LabelLoss, HasTheGradientOfItsDifferences) {
  constexpr double kStep = 1e-3;
  for (const LossOptions& options : all_kinds()) {
    const Row row = random_row(7, 20, 3, 1);
    std::vector<float> gradient;
    loss_of(options, row, &gradient);
    for (std::size_t i = 0; i < row.scores.size(); ++i) {
      Row above = row, below = row;
      above.scores[i] += static_cast<float>(kStep);
      below.scores[i] -= static_cast<float>(kStep);
      const double slope = (slow_loss(options, above) - slow_loss(options, below)) /
                           static_cast<double>(above.scores[i] - below.scores[i]);
      EXPECT_NEAR(static_cast<double>(gradient[i]), slope, 2e-3 * std::max(1.0, std::abs(slope)))
          << i << " margin " << options.margin << " softness " << options.softness;
    }
  }
}

TEST(LabelLoss, IsZeroWhereThereIsNothingToRank) {
  Row row = random_row(1, 5, 5, 1);
  std::vector<float> gradient;
  EXPECT_EQ(loss_of({}, row, &gradient), 0);
  EXPECT_EQ(gradient, std::vector<float>(5, 0.0f));
  row.positives.clear();
  EXPECT_EQ(loss_of({}, row, &gradient), 0);
  EXPECT_EQ(gradient, std::vector<float>(5, 0.0f));
}

TEST(LabelLoss, StaysFiniteForScoresFarApart) {
  Row row = random_row(1, 20, 3, 1);
  for (const float size : {100.0f, 1e4f, -1e4f}) {
    row.scores[row.positives[0]] = size;
    row.scores[row.positives[0] == 0 ? 1 : 0] = -size;
    for (const LossOptions& options : all_kinds()) {
      std::vector<float> gradient;
      EXPECT_TRUE(std::isfinite(loss_of(options, row, &gradient)));
      for (const float value : gradient) EXPECT_TRUE(std::isfinite(value));
    }
  }
}

// A run that diverges says so afterwards; until then nothing else may happen.
TEST(LabelLoss, PassesOnWhatIsNotFinite) {
  for (const std::size_t n_lost : {1u, 20u}) {
    Row row = random_row(1, 20, 3, 1);
    std::fill_n(row.scores.begin(), n_lost, std::numeric_limits<float>::quiet_NaN());
    for (const LossOptions& options : all_kinds()) {
      std::vector<float> gradient;
      const double loss = loss_of(options, row, &gradient);
      EXPECT_TRUE(std::isnan(loss) || n_lost < row.scores.size());
      EXPECT_EQ(gradient.size(), row.scores.size());
    }
  }
}

TEST(LabelLoss, IsSharpWhereSoftnessIsTiny) {
  const Row row = random_row(1, 20, 3, 1);
  LossOptions sharp, tiny;
  sharp.softness = 0;
  tiny.softness = 1e-39;
  std::vector<float> expected, found;
  EXPECT_EQ(loss_of(tiny, row, &found), loss_of(sharp, row, &expected));
  EXPECT_EQ(found, expected);
}

}  // namespace
}  // namespace xylem::rank_ae
