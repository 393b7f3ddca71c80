// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <ctime>
#include <utility>

namespace xylem {

// Seconds since some moment, for differences.
inline double wall_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// CPU time of the process, or with CLOCK_THREAD_CPUTIME_ID of the calling thread.
inline double cpu_seconds(clockid_t clock = CLOCK_PROCESS_CPUTIME_ID) {
  timespec time{};
  clock_gettime(clock, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

struct Cost {
  double wall_seconds = 0;
  double cpu_seconds = 0;

  Cost& operator+=(const Cost& other) {
    wall_seconds += other.wall_seconds;
    cpu_seconds += other.cpu_seconds;
    return *this;
  }
};

class Stopwatch {
 public:
  explicit Stopwatch(clockid_t cpu = CLOCK_PROCESS_CPUTIME_ID) : cpu_(cpu) {}

  // Since the last call, or since the stopwatch was made.
  Cost lap() {
    const Cost before = std::exchange(last_, now());
    return {last_.wall_seconds - before.wall_seconds, last_.cpu_seconds - before.cpu_seconds};
  }

 private:
  Cost now() const { return {wall_seconds(), cpu_seconds(cpu_)}; }

  clockid_t cpu_;
  Cost last_ = now();
};

}  // namespace xylem
