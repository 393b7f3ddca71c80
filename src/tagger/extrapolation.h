// SPDX-License-Identifier: Apache-2.0
// How something grows with the number of rows, as far as small samples tell.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

namespace xylem {

// Something that was measured on so many rows.
struct Measured {
  double rows = 0;
  double value = 0;
};

// The value to be expected for `rows`: by the power law through the last two of `steps`, its exponent kept between
// `lowest` and `highest`, from the last of them on. With one step the exponent is `lowest`, without any the value 0.
double extrapolate_power(const std::vector<Measured>& steps, double rows, double lowest, double highest);

// The same for seconds. Where they grow slower than the rows, part of them is there for any number of rows, and a
// straight line is laid through the last two steps; else they grow with a power of at most 2. One step alone counts as
// if all of it grew with the rows.
double extrapolate_seconds(const std::vector<Measured>& steps, double rows);

// What came of some work on a sample.
struct Step {
  std::optional<double> seconds;  // that count; none where so few rows gave no result
  bool go_on = true;              // to a larger sample
};

// Calls work(n) for n = first, 2 first, 4 first, ... and at last n = most, as long as the next call will take no more
// than what is left of `seconds` even if it takes four times as long as the one before. Returns the steps with a
// result.
std::vector<Measured> climb(std::size_t first, std::size_t most, double seconds,
                            const std::function<Step(std::size_t)>& work);

}  // namespace xylem
