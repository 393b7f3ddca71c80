// SPDX-License-Identifier: Apache-2.0
// Problems for the lane solver that own their parts, what is to be minimised in them, and the solver's slow twin.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <variant>
#include <vector>

#include "algorithms/lane_solver.h"
#include "core/random.h"

namespace xylem::test {

using Weights = std::vector<double>;  // of the features, then the bias

// What solve_lanes is asked, owning its parts.
struct Problem {
  LocalRows rows;
  std::vector<LaneBits> members, positives;
  std::array<float, kLanes> positive_cost;

  LaneProblem view() const { return {rows, members, positives, positive_cost}; }
  bool is_member(std::size_t row, std::size_t lane) const { return members[row] >> lane & 1; }
  double sign(std::size_t row, std::size_t lane) const { return (positives[row] >> lane & 1) != 0 ? 1 : -1; }
  double cost(std::size_t row, std::size_t lane, const LinearOptions& options) const {
    return options.cost * (sign(row, lane) > 0 ? static_cast<double>(positive_cost[lane]) : 1.0);
  }
};

struct PlainEntry {
  std::uint32_t id;
  double value;
};

inline std::vector<PlainEntry> entries_of(const LocalRows& rows, std::size_t row) {
  std::vector<PlainEntry> result;
  std::visit(
      [&](const auto& entries) {
        for (std::uint64_t i = rows.offsets()[row]; i < rows.offsets()[row + 1]; ++i)
          result.push_back({entries[i].id(), static_cast<double>(entries[i].value())});
      },
      rows.entries());
  return result;
}

inline double product(const std::vector<PlainEntry>& entries, const Weights& weights) {
  double sum = weights.back();
  for (const PlainEntry& entry : entries) sum += weights[entry.id] * entry.value;
  return sum;
}

// What is to be minimised in a lane.
inline double objective(const Problem& problem, const LinearOptions& options, std::size_t lane,
                        const Weights& weights) {
  double sum = 0;
  for (const double weight : weights) sum += weight * weight / 2;
  for (std::size_t row = 0; row < problem.rows.size(); ++row) {
    if (!problem.is_member(row, lane)) continue;
    const double margin = problem.sign(row, lane) * product(entries_of(problem.rows, row), weights);
    const double missing = std::max(0.0, 1 - margin);
    const bool is_logistic = options.loss == Loss::kLogistic;
    sum += problem.cost(row, lane, options) * (is_logistic ? std::log1p(std::exp(-margin)) : missing * missing);
  }
  return sum;
}

// What a row's dual should be while all others stay as they are.
inline double best_dual(const LinearOptions& options, double margin, double dual, double square_norm, double cost) {
  if (options.loss == Loss::kSquaredHinge) {
    const double shift = 1 / (2 * cost);
    return std::max(0.0, dual - (margin - 1 + shift * dual) / (square_norm + shift));
  }
  double low = 0, high = cost;
  for (int i = 0; i < 100; ++i) {
    const double middle = (low + high) / 2;
    const bool is_above = std::log(middle / (cost - middle)) + square_norm * (middle - dual) + margin > 0;
    (is_above ? high : low) = middle;
  }
  return (low + high) / 2;
}

// Dual coordinate descent for one lane, in double, on all rows in random order. It stops when solve_lanes would: after
// so many passes, or when the steps of a pass, as changes of margins, lie within the tolerance.
inline Weights slow_twin(const Problem& problem, const LinearOptions& options, std::size_t lane) {
  std::vector<std::vector<PlainEntry>> rows;
  for (std::size_t row = 0; row < problem.rows.size(); ++row) rows.push_back(entries_of(problem.rows, row));
  Weights weights(problem.rows.n_features() + 1, 0.0);
  std::vector<double> duals(rows.size(), 0.0), square_norms(rows.size(), 1.0);  // bias included
  std::vector<std::size_t> order;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    if (problem.is_member(row, lane)) order.push_back(row);
    for (const PlainEntry& entry : rows[row]) square_norms[row] += entry.value * entry.value;
  }
  Random random(0, {});
  for (int pass = 0; pass < options.passes; ++pass) {
    random.shuffle(std::span(order));
    double largest = -std::numeric_limits<double>::infinity(), smallest = -largest;
    for (const std::size_t row : order) {
      const double sign = problem.sign(row, lane);
      const double improved = best_dual(options, sign * product(rows[row], weights), duals[row], square_norms[row],
                                        problem.cost(row, lane, options));
      const double step = improved - duals[row];
      largest = std::max(largest, square_norms[row] * step);
      smallest = std::min(smallest, square_norms[row] * step);
      duals[row] = improved;
      weights.back() += sign * step;
      for (const PlainEntry& entry : rows[row]) weights[entry.id] += sign * step * entry.value;
    }
    if (largest - smallest <= options.tolerance) break;
  }
  return weights;
}

inline Weights lane_of(const AlignedVector<float>& weights, std::size_t lane) {
  Weights result;
  for (std::size_t i = lane; i < weights.size(); i += kLanes) result.push_back(static_cast<double>(weights[i]));
  return result;
}

}  // namespace xylem::test
