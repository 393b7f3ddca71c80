// SPDX-License-Identifier: Apache-2.0
#include "core/stopwatch.h"

#include <gtest/gtest.h>

#include <thread>

namespace xylem {
namespace {

void spend(double seconds) {
  for (const double end = cpu_seconds(CLOCK_THREAD_CPUTIME_ID) + seconds; cpu_seconds(CLOCK_THREAD_CPUTIME_ID) < end;) {
  }
}

TEST(Stopwatch, CountsTheProcessOrTheThread) {
  Stopwatch process, thread(CLOCK_THREAD_CPUTIME_ID);
  std::jthread([] { spend(0.05); }).join();
  EXPECT_LT(thread.lap().cpu_seconds, 0.05);
  const Cost cost = process.lap();
  EXPECT_GE(cost.cpu_seconds, 0.05);
  EXPECT_GE(cost.wall_seconds, 0.05);
}

TEST(Stopwatch, LapsFollowEachOther) {
  const double begin = wall_seconds();
  Stopwatch stopwatch;
  Cost sum;
  for (int i = 0; i < 3; ++i) sum += stopwatch.lap();
  EXPECT_LE(sum.wall_seconds, wall_seconds() - begin + 1e-9);
}

}  // namespace
}  // namespace xylem
