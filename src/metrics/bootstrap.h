// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "metrics/row_figures.h"
#include "xylem/run.h"

namespace xylem {

// values[figure][replicate]: the figures of so many resamples of the rows, drawn with replacement. A resample depends
// on (seed, replicate, number of rows) only, so two systems that answered the same rows are resampled alike.
std::vector<std::vector<double>> resample(const RowFigures& figures, std::size_t replicates, std::uint64_t seed,
                                          const Run& run);

struct Interval {
  double low, high;
};

// The percentiles 2.5 and 97.5, between two values by linear interpolation. `values` is not empty.
Interval middle_95(std::vector<double> values);

// Two-sided, of "no difference", for resampled differences: twice the share on the rarer side of 0, at least
// 1 / (replicates + 1), because no number of resamples shows that something is impossible.
double two_sided_p(const std::vector<double>& differences);

}  // namespace xylem
