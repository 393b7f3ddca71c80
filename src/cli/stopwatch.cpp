// SPDX-License-Identifier: Apache-2.0
#include "cli/stopwatch.h"

#include <sys/resource.h>

#include "core/wall_clock.h"

namespace xylem::cli {
namespace {

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

Cost now() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return {wall_seconds(), seconds(usage.ru_utime) + seconds(usage.ru_stime)};
}

}  // namespace

Stopwatch::Stopwatch() : last_(now()) {}

Cost Stopwatch::lap() {
  const Cost current = now();
  const Cost result{current.wall_seconds - last_.wall_seconds, current.cpu_seconds - last_.cpu_seconds};
  last_ = current;
  return result;
}

}  // namespace xylem::cli
