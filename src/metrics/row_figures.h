// SPDX-License-Identifier: Apache-2.0
// The figures that are sums over rows, which is what makes them cheap to resample.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "metrics/cut.h"
#include "metrics/propensity.h"
#include "xylem/sparse.h"

namespace xylem {

inline double ratio_or_zero(double numerator, double denominator) {
  return denominator > 0 ? numerator / denominator : 0;
}

// What every row of a block adds to every figure. A figure in percent is 100 x its sum of numerators / its sum of
// denominators.
struct RowFigures {
  std::size_t n_rows = 0;
  std::vector<std::string> names;
  std::vector<double> parts;  // n_rows x names x (numerator, denominator): rows are contiguous

  std::size_t n_parts() const { return 2 * names.size(); }
  const double* row(std::size_t i) const { return parts.data() + i * n_parts(); }
};

// In this order: P, nDCG, PSP, PSnDCG, R, microF1, each for all k; then microF1 at the threshold, if there is one.
RowFigures row_figures(const LabelLists& truth, const TopLabels& predictions, const InversePropensity& worth,
                       const CutList& cuts);

// nDCG@k in percent of as many rows as were predicted: the same as among the figures above, for whoever needs it alone
// and often.
double ndcg(const LabelLists& truth, const TopLabels& predictions, std::size_t k);

}  // namespace xylem
