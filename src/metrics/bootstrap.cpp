// SPDX-License-Identifier: Apache-2.0
// Poisson bootstrap: a resample holds each row a number of times that is drawn from the Poisson distribution with mean
// 1, row by row, so that nobody has to know how many rows there will be. With many rows it gives the intervals of
// drawing as many rows as there are, with replacement (Chamandy et al., "Estimating uncertainty for massive data
// streams", 2012).
#include "metrics/bootstrap.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/parallel.h"

namespace xylem {
namespace {

constexpr std::size_t kReplicatesPerPass = 8;  // they share the rows' figures while these are in the cache
constexpr std::size_t kMostTimes = 12;         // more has a chance below 1e-9

// Chances of at most 0, 1, 2, ... times, of 2^32.
std::array<std::uint64_t, kMostTimes> poisson_table() {
  std::array<std::uint64_t, kMostTimes> table{};
  double term = std::exp(-1.0), sum = 0;
  for (std::size_t times = 0; times < table.size(); ++times) {
    sum += term;
    term /= static_cast<double>(times + 1);
    table[times] = static_cast<std::uint64_t>(std::llround(std::ldexp(sum, 32)));
  }
  return table;
}

// How many times a resample holds the next row.
std::size_t draw_times(Random& random) {
  static const std::array<std::uint64_t, kMostTimes> table = poisson_table();
  const std::uint64_t drawn = random.bits() >> 32;
  std::size_t times = 0;
  while (times < table.size() && drawn >= table[times]) ++times;
  return times;
}

double percentile(const std::vector<double>& sorted, double share) {
  const double place = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return std::lerp(sorted[below], sorted[above], place - static_cast<double>(below));
}

}  // namespace

ResampledSums::ResampledSums(std::size_t replicates, std::uint64_t seed) {
  for (std::size_t r = 0; r < replicates; ++r) replicates_.push_back({Random(seed, {r}), 0, {}});
}

void ResampledSums::add(const RowFigures& rows, const Run& run) {
  const std::size_t n_parts = rows.n_parts();
  names_ = rows.names;
  sums_.resize(n_parts);
  for (std::size_t i = 0; i < rows.n_rows; ++i) {
    for (std::size_t p = 0; p < n_parts; ++p) sums_[p] += rows.row(i)[p];
  }
  parallel_for(replicates_.size(), kReplicatesPerPass, [&](std::size_t begin, std::size_t end) {
    run.check();
    for (std::size_t r = begin; r < end; ++r) replicates_[r].sums.resize(n_parts);
    for (std::size_t i = 0; i < rows.n_rows; ++i) {
      const double* parts = rows.row(i);
      for (std::size_t r = begin; r < end; ++r) {
        Replicate& replicate = replicates_[r];
        const std::size_t times = draw_times(replicate.random);
        if (times == 0) continue;
        replicate.rows += times;
        for (std::size_t p = 0; p < n_parts; ++p) replicate.sums[p] += static_cast<double>(times) * parts[p];
      }
    }
  });
}

std::vector<double> ResampledSums::values_of(const double* sums) const {
  std::vector<double> values;
  for (std::size_t f = 0; f < names_.size(); ++f) values.push_back(100 * ratio_or_zero(sums[2 * f], sums[2 * f + 1]));
  return values;
}

std::vector<std::vector<double>> ResampledSums::resampled() const {
  std::vector<std::vector<double>> values(names_.size());
  for (const Replicate& replicate : replicates_) {
    const std::vector<double> of_replicate = values_of(replicate.rows > 0 ? replicate.sums.data() : sums_.data());
    for (std::size_t f = 0; f < values.size(); ++f) values[f].push_back(of_replicate[f]);
  }
  return values;
}

Interval middle_95(std::vector<double> values) {
  std::ranges::sort(values);
  return {percentile(values, 0.025), percentile(values, 0.975)};
}

double two_sided_p(const std::vector<double>& differences) {
  const auto n = static_cast<double>(differences.size());
  const auto not_above = static_cast<double>(std::ranges::count_if(differences, [](double d) { return d <= 0; }));
  const auto not_below = static_cast<double>(std::ranges::count_if(differences, [](double d) { return d >= 0; }));
  return std::clamp(2 * std::min(not_above, not_below) / n, 1 / (n + 1), 1.0);
}

}  // namespace xylem
