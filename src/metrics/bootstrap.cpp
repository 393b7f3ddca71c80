// SPDX-License-Identifier: Apache-2.0
// Percentile bootstrap over rows. A resample is kept as how often it holds each row; its sums are then one pass over
// the rows in their order, contiguous in memory, and several resamples share the pass.
#include "metrics/bootstrap.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "core/parallel.h"
#include "core/random.h"

namespace xylem {
namespace {

constexpr std::size_t kReplicatesPerPass = 8;

void draw_rows(std::uint64_t seed, std::uint64_t replicate, std::span<std::uint32_t> times) {
  Random random(seed, {replicate});
  for (std::size_t i = 0; i < times.size(); ++i) ++times[random.below(times.size())];
}

double percentile(const std::vector<double>& sorted, double share) {
  const double place = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return std::lerp(sorted[below], sorted[above], place - static_cast<double>(below));
}

}  // namespace

std::vector<std::vector<double>> resample(const RowFigures& figures, std::size_t replicates, std::uint64_t seed,
                                          const Run& run) {
  const std::size_t n_rows = figures.n_rows;
  const std::size_t n_parts = figures.n_parts();
  std::vector<std::vector<double>> values(figures.names.size(), std::vector<double>(replicates));

  parallel_for(replicates, kReplicatesPerPass, [&](std::size_t begin, std::size_t end) {
    run.check();
    const std::size_t n = end - begin;
    std::vector<std::uint32_t> times(n * n_rows);  // replicates x rows: how often each holds each
    for (std::size_t r = 0; r < n; ++r) draw_rows(seed, begin + r, {times.data() + r * n_rows, n_rows});

    std::vector<double> sums(n * n_parts);
    for (std::size_t i = 0; i < n_rows; ++i) {
      const double* parts = figures.row(i);
      for (std::size_t r = 0; r < n; ++r) {
        const auto weight = static_cast<double>(times[r * n_rows + i]);
        double* sum = sums.data() + r * n_parts;
        for (std::size_t p = 0; p < n_parts; ++p) sum[p] += weight * parts[p];
      }
    }

    for (std::size_t r = 0; r < n; ++r) {
      const std::vector<double> of_replicate = figures.values_of({sums.data() + r * n_parts, n_parts});
      for (std::size_t f = 0; f < values.size(); ++f) values[f][begin + r] = of_replicate[f];
    }
  });
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
