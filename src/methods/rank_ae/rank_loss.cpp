// SPDX-License-Identifier: Apache-2.0
#include "methods/rank_ae/rank_loss.h"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <limits>

namespace xylem::rank_ae {
namespace {

using Values = Eigen::Map<Eigen::ArrayXf>;

Values view(std::span<float> values) {
  return {values.data(), static_cast<Eigen::Index>(values.size())};
}

// log(1 + exp(x)), without overflow.
double softplus(double x) {
  return std::max(x, 0.0) + std::log1p(std::exp(-std::abs(x)));
}

double sigmoid(double x) {
  return 1 / (1 + std::exp(-x));
}

// The sum of weights · log(1 + exp(x)); x becomes weights / (1 + exp(-x)), its gradient.
double weighted_softplus(Values x, Values weights) {
  const auto sum = (weights * (x.max(0.0f) + (1.0f + (-x.abs()).exp()).log())).sum();
  x = weights / (1.0f + (-x).exp());
  return static_cast<double>(sum);
}

double binary_cross_entropy(Values scores, std::span<const std::uint32_t> positives, Values weights) {
  // A positive costs log(1 + exp(-score)), which is what it costs as a negative, minus the score.
  double own = 0;
  for (const std::uint32_t place : positives) {
    weights[place] = 1;
    own += static_cast<double>(scores[place]);
  }
  const double loss = weighted_softplus(scores, weights) - own;
  for (const std::uint32_t place : positives) scores[place] -= 1;
  return loss;
}

// A row to rank. `weights` are 0 for the positives; `balance` is that of the sum over negatives, as it is for this row.
struct Row {
  Values y;  // becomes the gradient
  std::span<const std::uint32_t> positives;
  Values weights;
  std::span<const float> own;  // y of the positives
  float lowest, highest;       // positive, negative
  double margin, balance;
};

// Equations 3 and 4 of the paper. The worst one of equals is the first.
double sharp_ranking(Row row) {
  const auto margin = static_cast<float>(row.margin), balance = static_cast<float>(row.balance);
  Eigen::Index first_highest = 0;
  while (row.weights[first_highest] == 0 || row.y[first_highest] != row.highest) ++first_highest;
  double loss = 0, pull = 0;  // on the lowest positive
  for (Eigen::Index i = 0; i < row.y.size(); ++i) {
    const float violation = row.weights[i] > 0 ? margin + row.y[i] - row.lowest : 0;
    row.y[i] = violation > 0 ? balance * row.weights[i] : 0;
    if (violation <= 0) continue;
    loss += static_cast<double>(row.y[i] * violation);
    pull += static_cast<double>(row.y[i]);
  }
  float push = 0;  // on the highest negative
  for (std::size_t i = 0; i < row.positives.size(); ++i) {
    const float violation = margin + row.highest - row.own[i];
    if (violation <= 0) continue;
    loss += static_cast<double>(violation);
    row.y[row.positives[i]] -= 1;
    push += 1;
  }
  row.y[first_highest] += push;
  const auto first_lowest = static_cast<std::size_t>(std::ranges::find(row.own, row.lowest) - row.own.begin());
  row.y[row.positives[first_lowest]] -= static_cast<float>(pull);
  return loss;
}

// The same with smooth maxima.
double soft_ranking(Row row, double softness) {
  const auto inverse = static_cast<float>(1 / softness);
  double loss = 0;
  // Each positive against all negatives: their sum, and how much of it each of them is.
  Eigen::ArrayXf shares = row.weights * ((row.y - row.highest).min(0.0f) * inverse).exp();
  const auto all_negatives = static_cast<double>(shares.sum());
  std::vector<double> gradients(row.positives.size());
  double pushed = 0;
  for (std::size_t i = 0; i < row.positives.size(); ++i) {
    const double x = std::log(all_negatives) + (row.margin + static_cast<double>(row.highest - row.own[i])) / softness;
    loss += softness * softplus(x);
    gradients[i] = -sigmoid(x);
    pushed -= gradients[i];
  }
  shares *= static_cast<float>(pushed / all_negatives);
  // Each negative against all positives.
  double all_positives = 0;
  for (const float score : row.own) all_positives += std::exp(static_cast<double>(row.lowest - score) / softness);
  row.y = (row.y - row.lowest) * inverse + static_cast<float>(std::log(all_positives) + row.margin / softness);
  row.weights *= static_cast<float>(row.balance);
  loss += softness * weighted_softplus(row.y, row.weights);
  const auto pulled = static_cast<double>(row.y.sum());
  row.y += shares;
  for (std::size_t i = 0; i < row.positives.size(); ++i) {
    const double share = std::exp(static_cast<double>(row.lowest - row.own[i]) / softness) / all_positives;
    row.y[row.positives[i]] = static_cast<float>(gradients[i] - pulled * share);
  }
  return loss;
}

}  // namespace

double label_loss(const LossOptions& options, std::span<float> scores, std::span<const std::uint32_t> positives,
                  std::span<const float> weights, LossScratch& scratch) {
  Values gradient = view(scores);
  scratch.weights.assign(weights.begin(), weights.end());
  Values own_weights = view(scratch.weights);
  if (options.loss == Loss::kBce) return binary_cross_entropy(gradient, positives, own_weights);
  if (positives.empty() || positives.size() == scores.size()) {
    gradient.setZero();
    return 0;
  }
  const bool has_sigmoids = options.output == Compared::kSigmoid;
  if (has_sigmoids) {
    gradient = 1.0f / (1.0f + (-gradient).exp());
    scratch.compared.assign(scores.begin(), scores.end());
  }
  scratch.own.clear();
  for (const std::uint32_t place : positives) {
    scratch.own.push_back(scores[place]);
    scratch.weights[place] = 0;
  }
  const double n_negatives = static_cast<double>(own_weights.sum());
  constexpr float kNone = -std::numeric_limits<float>::infinity();
  const Row row{.y = gradient,
                .positives = positives,
                .weights = own_weights,
                .own = scratch.own,
                .lowest = std::ranges::min(scratch.own),
                .highest = (own_weights > 0).select(gradient, kNone).maxCoeff(),
                .margin = options.margin,
                .balance = options.normalise ? options.balance * static_cast<double>(positives.size()) / n_negatives
                                             : options.balance};
  const double loss = options.softness == 0 ? sharp_ranking(row) : soft_ranking(row, options.softness);
  if (has_sigmoids) {
    const Values y = view(scratch.compared);
    gradient *= y * (1.0f - y);
  }
  return loss;
}

}  // namespace xylem::rank_ae
