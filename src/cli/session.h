// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "cli/options.h"
#include "cli/progress_bar.h"
#include "cli/signals.h"
#include "xylem/run.h"

namespace xylem::cli {

// One run of a verb: progress, messages, and while it lives, signals ask the work to stop.
class Session {
 public:
  explicit Session(const CommonOptions& options);

  Run run(std::uint64_t seed = 1);
  // Lines for people, on standard error; silent with --quiet.
  void say(const std::string& message);
  void warn(const std::string& message);

 private:
  CommonOptions options_;
  SignalHandling signals_;
  ProgressBar bar_;
};

}  // namespace xylem::cli
