// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "core/random.h"

namespace xylem::generate {

// Draws 0 .. n-1 with given weights, each draw in constant time (Walker 1977, built as Vose 1991 does it).
class AliasTable {
 public:
  explicit AliasTable(std::span<const double> weights) : keep_(weights.size()), other_(weights.size()) {
    const double mean = std::accumulate(weights.begin(), weights.end(), 0.0) / static_cast<double>(weights.size());
    std::vector<std::uint32_t> small, large;
    for (std::uint32_t i = 0; i < weights.size(); ++i) {
      keep_[i] = weights[i] / mean;
      other_[i] = i;
      (keep_[i] < 1 ? small : large).push_back(i);
    }
    while (!small.empty() && !large.empty()) {
      const std::uint32_t low = small.back(), high = large.back();
      small.pop_back();
      other_[low] = high;
      keep_[high] -= 1 - keep_[low];
      if (keep_[high] >= 1) continue;
      large.pop_back();
      small.push_back(high);
    }
  }

  std::uint32_t draw(Random& random) const {
    const std::size_t i = random.below(keep_.size());
    return random.uniform() < keep_[i] ? static_cast<std::uint32_t>(i) : other_[i];
  }

 private:
  std::vector<double> keep_;
  std::vector<std::uint32_t> other_;
};

}  // namespace xylem::generate
