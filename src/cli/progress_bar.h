// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "xylem/run.h"

namespace xylem::cli {

// Shows progress on standard error: a bar that renews itself on a terminal, a line every ten seconds elsewhere.
class ProgressBar {
 public:
  explicit ProgressBar(bool quiet);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  void show(const Progress& state);
  // Removes the bar, so that a message can take its line.
  void clear();

 private:
  bool quiet_;
  bool terminal_;
  bool visible_ = false;
  std::string stage_;
  double first_position_ = 0, last_position_ = 0;
  double stage_start_ = 0, last_shown_ = 0;  // in wall_seconds()
};

}  // namespace xylem::cli
