// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "xylem/metrics.h"

namespace xylem {

// Which of a row's predictions count: the first k, or those that score enough.
struct Cut {
  std::string name;  // "@5" or ">=0.3", the end of a figure's name
  std::size_t k = std::numeric_limits<std::size_t>::max();
  float lowest_score = -std::numeric_limits<float>::infinity();

  std::span<const Label> of(const TopLabels& predictions, std::size_t row) const;
};

struct CutList {
  std::vector<Cut> at_k;  // in the order of options.ks
  std::optional<Cut> at_threshold;

  const Cut& largest_k() const;
};

// Throws kUsage for ks that are empty or contain 0, and for a threshold that is no number.
CutList make_cuts(const EvalOptions& options);

}  // namespace xylem
