// SPDX-License-Identifier: Apache-2.0
#include "tagger/extrapolation.h"

#include <algorithm>
#include <cmath>

#include "core/stopwatch.h"

namespace xylem {
namespace {

// Of the power law through two points; `otherwise` where there is none.
double exponent(const Measured& small, const Measured& large, double otherwise) {
  if (small.value <= 0 || large.value <= 0 || large.rows <= small.rows) return otherwise;
  return std::log(large.value / small.value) / std::log(large.rows / small.rows);
}

}  // namespace

double extrapolate_power(const std::vector<Measured>& steps, double rows, double lowest, double highest) {
  if (steps.empty()) return 0;
  const Measured& last = steps.back();
  const double power = steps.size() < 2 ? lowest : exponent(steps[steps.size() - 2], last, lowest);
  return last.value * std::pow(rows / last.rows, std::clamp(power, lowest, highest));
}

double extrapolate_seconds(const std::vector<Measured>& steps, double rows) {
  constexpr double kHighest = 2;
  if (steps.size() >= 2) {
    const Measured& before = steps[steps.size() - 2];
    const Measured& last = steps.back();
    if (exponent(before, last, 1) < 1) {
      const double slope = std::max(0.0, (last.value - before.value) / (last.rows - before.rows));
      return last.value + slope * (rows - last.rows);
    }
  }
  return extrapolate_power(steps, rows, 1, kHighest);
}

std::vector<Measured> climb(std::size_t first, std::size_t most, double seconds,
                            const std::function<Step(std::size_t)>& work) {
  constexpr double kWorst = 4;  // twice the rows, and work that grows with their square
  std::vector<Measured> steps;
  const double begin = wall_seconds();
  for (std::size_t n = std::min(first, most); n > 0; n = std::min(2 * n, most)) {
    const double step_begin = wall_seconds();
    const Step step = work(n);
    if (step.seconds) steps.push_back({static_cast<double>(n), *step.seconds});
    const double now = wall_seconds();
    if (!step.go_on || n == most || now - begin + kWorst * (now - step_begin) > seconds) break;
  }
  return steps;
}

}  // namespace xylem
