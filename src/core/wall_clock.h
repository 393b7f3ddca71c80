// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>

namespace xylem {

// Seconds since some moment, for differences.
inline double wall_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace xylem
