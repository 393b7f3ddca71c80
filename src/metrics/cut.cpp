// SPDX-License-Identifier: Apache-2.0
#include "metrics/cut.h"

#include <algorithm>
#include <cmath>

#include "core/fail.h"

namespace xylem {

std::span<const Label> Cut::of(const TopLabels& predictions, std::size_t row) const {
  const std::span<const float> scores = predictions.row_scores(row);
  std::size_t n = std::min(k, scores.size());
  while (n > 0 && scores[n - 1] < lowest_score) --n;
  return predictions.row_labels(row).first(n);
}

const Cut& CutList::largest_k() const {
  return *std::ranges::max_element(at_k, {}, &Cut::k);
}

CutList make_cuts(const EvalOptions& options) {
  if (options.ks.empty()) fail(ErrorKind::kUsage, "no k to evaluate at: give at least one, 1 or more");
  CutList cuts;
  for (const std::size_t k : options.ks) {
    if (k == 0) fail(ErrorKind::kUsage, "cannot evaluate at k = 0: k is 1 or more");
    cuts.at_k.push_back({.name = fmt::format("@{}", k), .k = k});
  }
  if (options.threshold) {
    const double threshold = *options.threshold;
    if (std::isnan(threshold)) fail(ErrorKind::kUsage, "the threshold is not a number");
    // Compared as float, so that a score printed as 0.7 reaches a threshold of 0.7.
    cuts.at_threshold = Cut{.name = fmt::format(">={}", threshold), .lowest_score = static_cast<float>(threshold)};
  }
  return cuts;
}

}  // namespace xylem
