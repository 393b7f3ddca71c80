// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <mutex>
#include <string_view>

#include "xylem/run.h"

namespace xylem {

// Counts what the threads of a loop have done, and tells `run` from one of them at a time. Throws kInterrupted from
// add() once somebody has asked to stop.
class ProgressCounter {
 public:
  ProgressCounter(const Run& run, std::string_view stage, std::string_view unit, std::size_t total)
      : run_(run), state_{.stage = stage, .unit = unit, .total = total, .loss = {}, .metric = {}} {}

  void add(std::size_t n) {
    run_.check();
    const std::lock_guard lock(mutex_);
    state_.done += n;
    run_.progress(state_);
  }

 private:
  const Run& run_;
  std::mutex mutex_;
  Progress state_;
};

}  // namespace xylem
