// SPDX-License-Identifier: Apache-2.0
// What the machine can do at most, and ways to time. CPU time of the process: the programs that use it have one thread.
#pragma once

#include <benchmark/benchmark.h>

#include <algorithm>
#include <array>
#include <vector>

#include "core/stopwatch.h"

namespace xylem {

// Calls `work` again and again for some time; gives the shortest call.
double least_seconds(const auto& work, double period = 0.25) {
  double least = 1e9;
  for (const double begin = cpu_seconds(); cpu_seconds() - begin < period;) {
    const double start = cpu_seconds();
    work();
    least = std::min(least, cpu_seconds() - start);
  }
  return least;
}

inline double median(std::vector<double> values) {
  std::ranges::nth_element(values, values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2));
  return values[values.size() / 2];
}

// Multiply-adds a second in chains that wait for nothing but themselves.
inline double peak_rate(double period = 0.25) {
  using Vector __attribute__((vector_size(32))) = float;
  constexpr std::size_t kSize = sizeof(Vector) / sizeof(float);
  constexpr std::size_t kChains = 12;
  constexpr std::size_t kSteps = 1'000'000;
  // Unknown to the compiler, or it would make one chain of all.
  std::array<Vector, kChains> start{};
  Vector factor{}, term{};
  benchmark::DoNotOptimize(start);
  benchmark::DoNotOptimize(factor);
  benchmark::DoNotOptimize(term);
  const auto work = [&] {
    std::array<Vector, kChains> chains = start;
    for (std::size_t step = 0; step < kSteps; ++step) {
      for (Vector& chain : chains) chain = chain * factor + term;
    }
    for (Vector& chain : chains) benchmark::DoNotOptimize(chain);
  };
  return static_cast<double>(kSteps * kChains * kSize) / least_seconds(work, period);
}

}  // namespace xylem
