// SPDX-License-Identifier: Apache-2.0
#include "methods/rank_ae/rank_loss.h"

#include <algorithm>
#include <cmath>

#include "core/dense.h"

namespace xylem::rank_ae {
namespace {

using Values = Eigen::Map<Eigen::ArrayXf>;

constexpr double kSharp = 1e-6;  // below it, differences divided by the softness would overflow

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
  std::span<const float> own;     // y of the positives
  std::size_t lowest_own;         // the place of the lowest in it
  Eigen::Index highest_negative;  // in y
  double margin, balance;

  float lowest() const { return own[lowest_own]; }
  float highest() const { return y[highest_negative]; }
};

// The first of the highest with a weight, of which there is one.
Eigen::Index highest_place(const Values& y, const Values& weights) {
  Eigen::Index best = 0;
  while (weights[best] == 0) ++best;
  for (Eigen::Index i = best + 1; i < y.size(); ++i) {
    if (weights[i] > 0 && y[i] > y[best]) best = i;
  }
  return best;
}

// Equations 3 and 4 of the paper. The worst one of equals is the first.
double sharp_ranking(Row row) {
  const auto margin = static_cast<float>(row.margin), balance = static_cast<float>(row.balance);
  const float lowest = row.lowest(), highest = row.highest();
  double loss = 0, pull = 0;  // on the lowest positive
  for (Eigen::Index i = 0; i < row.y.size(); ++i) {
    const float violation = row.weights[i] > 0 ? margin + row.y[i] - lowest : 0;
    row.y[i] = violation > 0 ? balance * row.weights[i] : 0;
    if (violation <= 0) continue;
    loss += static_cast<double>(row.y[i] * violation);
    pull += static_cast<double>(row.y[i]);
  }
  float push = 0;  // on the highest negative
  for (std::size_t i = 0; i < row.positives.size(); ++i) {
    const float violation = margin + highest - row.own[i];
    if (violation <= 0) continue;
    loss += static_cast<double>(violation);
    row.y[row.positives[i]] -= 1;
    push += 1;
  }
  row.y[row.highest_negative] += push;
  row.y[row.positives[row.lowest_own]] -= static_cast<float>(pull);
  return loss;
}

// The same with smooth maxima.
double soft_ranking(Row row, double softness, LossScratch& scratch) {
  const auto inverse = static_cast<float>(1 / softness);
  const float lowest = row.lowest(), highest = row.highest();
  double loss = 0;
  // Each positive against all negatives: their sum, and how much of it each of them is.
  scratch.shares.resize(static_cast<std::size_t>(row.y.size()));
  Values shares = view(scratch.shares);
  shares = row.weights * ((row.y - highest).min(0.0f) * inverse).exp();
  const auto all_negatives = static_cast<double>(shares.sum());
  scratch.pulls.resize(row.positives.size());
  double pushed = 0;
  for (std::size_t i = 0; i < row.positives.size(); ++i) {
    const double x = std::log(all_negatives) + (row.margin + static_cast<double>(highest - row.own[i])) / softness;
    loss += softness * softplus(x);
    scratch.pulls[i] = -sigmoid(x);
    pushed -= scratch.pulls[i];
  }
  shares *= static_cast<float>(pushed / all_negatives);
  // Each negative against all positives.
  double all_positives = 0;
  for (const float score : row.own) all_positives += std::exp(static_cast<double>(lowest - score) / softness);
  row.y = (row.y - lowest) * inverse + static_cast<float>(std::log(all_positives) + row.margin / softness);
  row.weights *= static_cast<float>(row.balance);
  loss += softness * weighted_softplus(row.y, row.weights);
  const auto pulled = static_cast<double>(row.y.sum());
  row.y += shares;
  for (std::size_t i = 0; i < row.positives.size(); ++i) {
    const double share = std::exp(static_cast<double>(lowest - row.own[i]) / softness) / all_positives;
    row.y[row.positives[i]] = static_cast<float>(scratch.pulls[i] - pulled * share);
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
  const Row row{.y = gradient,
                .positives = positives,
                .weights = own_weights,
                .own = scratch.own,
                .lowest_own = static_cast<std::size_t>(std::ranges::min_element(scratch.own) - scratch.own.begin()),
                .highest_negative = highest_place(gradient, own_weights),
                .margin = options.margin,
                .balance = options.normalise ? options.balance * static_cast<double>(positives.size()) / n_negatives
                                             : options.balance};
  const double loss = options.softness < kSharp ? sharp_ranking(row) : soft_ranking(row, options.softness, scratch);
  if (has_sigmoids) {
    const Values y = view(scratch.compared);
    gradient *= y * (1.0f - y);
  }
  return loss;
}

}  // namespace xylem::rank_ae
