// SPDX-License-Identifier: Apache-2.0
// Ctrl-C and the other signals by which somebody asks the program to end.
#pragma once

#include <atomic>

namespace xylem::cli {

// While it lives, Ctrl-C (SIGINT), SIGTERM and a closed terminal (SIGHUP) ask the work to stop, and the second of them
// ends the program, as SIGQUIT does at once. None of them leaves a half-written file behind. What whoever started the
// program has it ignore, as a shell does for background jobs and nohup for SIGHUP, stays ignored.
class SignalHandling {
 public:
  SignalHandling();
  ~SignalHandling();
  SignalHandling(const SignalHandling&) = delete;
  SignalHandling& operator=(const SignalHandling&) = delete;

  // Set once somebody has asked to stop.
  const std::atomic<bool>* stop() const;
};

// While it lives, the first signal ends the program: somebody types, or another program is still to write, nobody looks
// whether there was a signal, and there is nothing yet that could be saved.
class EndingAtOnce {
 public:
  explicit EndingAtOnce(bool at_once);
  ~EndingAtOnce();
  EndingAtOnce(const EndingAtOnce&) = delete;
  EndingAtOnce& operator=(const EndingAtOnce&) = delete;
};

}  // namespace xylem::cli
