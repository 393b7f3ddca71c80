// SPDX-License-Identifier: Apache-2.0
// For tests of what learns by gradients.
#pragma once

#include <gtest/gtest.h>

#include <functional>

#include "algorithms/optimiser.h"
#include "core/dense.h"
#include "core/random.h"

namespace xylem {

// With these a step takes the gradient itself off the parameters.
constexpr OptimiserOptions kPlain = {.optimiser = OptimiserKind::kSgd, .rate = 1, .momentum = 0, .weight_decay = 0};

inline Matrix random_matrix(Eigen::Index rows, Eigen::Index columns, std::uint64_t seed) {
  Random random(seed, {});
  Matrix result(rows, columns);
  for (float& value : result.reshaped()) value = static_cast<float>(random.normal());
  return result;
}

// The sum of the products of their numbers.
inline double product(const Matrix& a, const Matrix& b) {
  return a.cast<double>().cwiseProduct(b.cast<double>()).sum();
}

// Compares `gradient` with the change of `loss` when each number of `at` changes a little.
inline void expect_gradient(Matrix& at, const Matrix& gradient, const std::function<double()>& loss,
                            float tolerance = 2e-2f, float little = 1e-2f) {
  for (Eigen::Index i = 0; i < at.size(); ++i) {
    float& value = at.data()[i];
    const float before = value;
    value = before + little;
    const double above = loss();
    value = before - little;
    const double below = loss();
    value = before;
    EXPECT_NEAR(gradient.data()[i], (above - below) / (2 * static_cast<double>(little)), tolerance) << "number " << i;
  }
}

}  // namespace xylem
