// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace xylem::cli {

struct Cost {
  double wall_seconds = 0;
  double cpu_seconds = 0;

  Cost& operator+=(const Cost& other) {
    wall_seconds += other.wall_seconds;
    cpu_seconds += other.cpu_seconds;
    return *this;
  }
};

// Since the last call, or since it was made.
class Stopwatch {
 public:
  Stopwatch();
  Cost lap();

 private:
  Cost last_;
};

}  // namespace xylem::cli
