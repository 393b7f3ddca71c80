// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/random.h"
#include "metrics/row_figures.h"
#include "xylem/run.h"

namespace xylem {

// Sums of what rows add to figures, over the rows as they are and over resamples of them. Rows come block by block and
// are not kept; where the blocks end makes no difference. The same seed makes the same resamples, so that two systems
// on the same rows are compared on the same ones.
class ResampledSums {
 public:
  ResampledSums(std::size_t replicates, std::uint64_t seed);

  // On the threads of the calling arena. All blocks have the same figures.
  void add(const RowFigures& rows, const Run& run);

  const std::vector<std::string>& names() const { return names_; }
  // The figures in percent, in the order of names().
  std::vector<double> values() const { return values_of(sums_.data()); }
  // values[figure][replicate], in percent. A resample of a few rows may have none of them: it has the figures of all.
  std::vector<std::vector<double>> resampled() const;

 private:
  struct Replicate {
    Random random;
    std::size_t rows;
    std::vector<double> sums;
  };
  std::vector<double> values_of(const double* sums) const;

  std::vector<std::string> names_;
  std::vector<double> sums_;
  std::vector<Replicate> replicates_;
};

struct Interval {
  double low, high;
};

// The percentiles 2.5 and 97.5, between two values by linear interpolation. `values` is not empty.
Interval middle_95(std::vector<double> values);

// Two-sided, of "no difference", for resampled differences: twice the share on the rarer side of 0, at least
// 1 / (replicates + 1), because no number of resamples shows that something is impossible.
double two_sided_p(const std::vector<double>& differences);

}  // namespace xylem
