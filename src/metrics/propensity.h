// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "xylem/metrics.h"

namespace xylem {

// 1 / p_l of every label: what one correct prediction of it is worth to the propensity-scored figures. Finite and never
// below 1, also for training sets of so few rows that the model's C would be negative or infinite.
class InversePropensity {
 public:
  // Throws kUsage unless a >= 0 and b > 0.
  InversePropensity(const TrainingCounts& counts, const Propensity& constants);

  double operator[](Label label) const { return label < known_.size() ? known_[label] : unseen_; }

 private:
  std::vector<double> known_;
  double unseen_;  // of labels beyond the list: they never occurred
};

}  // namespace xylem
