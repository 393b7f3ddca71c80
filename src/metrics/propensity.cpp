// SPDX-License-Identifier: Apache-2.0
#include "metrics/propensity.h"

#include <algorithm>
#include <cmath>

#include "core/fail.h"

namespace xylem {

InversePropensity::InversePropensity(const TrainingCounts& counts, const Propensity& constants) {
  const double a = constants.a;
  const double b = constants.b;
  if (!std::isfinite(a) || !std::isfinite(b) || a < 0 || b <= 0) {
    fail(ErrorKind::kUsage, "propensity constants a = {} and b = {}: a must be 0 or more, b above 0", a, b);
  }
  // Below e rows ln N - 1 is negative and 1/p would fall below 1; a propensity is a probability, so C stops at 0.
  const double log_rows = std::log(static_cast<double>(std::max<std::size_t>(counts.rows, 1)));
  const double c = std::max(0.0, log_rows - 1) * std::pow(b + 1, a);
  const auto inverse = [&](double training_rows) { return 1 + c * std::pow(training_rows + b, -a); };

  unseen_ = inverse(0);
  known_.reserve(counts.labels.size());
  for (const std::uint32_t training_rows : counts.labels) known_.push_back(inverse(training_rows));
}

}  // namespace xylem
