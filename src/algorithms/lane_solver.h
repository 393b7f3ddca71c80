// SPDX-License-Identifier: Apache-2.0
// Linear classifiers for many labels over the same rows, sixteen at a time. Each is an L2-regularised problem: minimise
// |w|²/2 + Σ cost · loss(y wᵀx), bias included in w, with loss(m) = max(0, 1 - m)² or log(1 + exp(-m)).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "algorithms/local_rows.h"
#include "core/aligned.h"
#include "core/options.h"
#include "xylem/run.h"

namespace xylem {

enum class Loss { kSquaredHinge, kLogistic };
inline auto choice_names(Loss) {
  return std::array<std::string_view, 2>{"squared_hinge", "logistic"};
}

struct LinearOptions {
  Loss loss = Loss::kSquaredHinge;
  double cost = 1;
  int passes = 8;
  double tolerance = 0.1;

  void fields(auto&& field) {
    field("cost", cost, "weight of the loss against the size of the weights", Range{1e-6, 1e6});
    field("passes", passes,
          "most passes of the solver over the rows of a node; 0: 20, on large data down to 8, or 10 with tolerance 0.1",
          Range{0, 10000});
    field("tolerance", tolerance, "the solver stops when the gradients of a pass lie within it", Range{1e-6, 10});
  }
};

inline constexpr std::size_t kLanes = 16;
using LaneBits = std::uint16_t;

// One problem in each lane. Bit l of members[i] says whether row i is part of lane l's problem, bit l of positives[i]
// whether it is a positive there.
struct LaneProblem {
  const LocalRows& rows;
  std::span<const LaneBits> members;
  std::span<const LaneBits> positives;
  std::array<float, kLanes> positive_cost;  // times options.cost
};

struct LaneScratch {
  AlignedVector<float> duals;  // [row][lane], as the loss keeps them
  std::vector<LaneBits> active;
  std::vector<std::uint32_t> order, stretches;
};

// Makes `weights` [feature][lane], the bias in the place after the last feature. Dual coordinate descent as liblinear
// does it, all lanes in lock step: a visit of a row loads and stores whole groups of sixteen floats. Rows whose
// gradient is small in all lanes are left out for a few passes. A lane stops when its gradients in a pass over all rows
// are within the tolerance; the weights of one without rows are 0. The result depends on nothing but the arguments.
// Returns the number of passes made. `run` can stop it between two passes.
int solve_lanes(const LaneProblem& problem, const LinearOptions& options, std::uint64_t seed, LaneScratch& scratch,
                AlignedVector<float>& weights, const Run& run = {});

// Calls use for the weights of so many features that are not 0 and not closer to 0 than `least`, by
// features.
void for_each_large(const AlignedVector<float>& weights, std::size_t n_features, float least,
                    const std::function<void(std::size_t feature, std::size_t lane, float weight)>& use);

}  // namespace xylem
