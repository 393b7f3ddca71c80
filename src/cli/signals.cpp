// SPDX-License-Identifier: Apache-2.0
#include "cli/signals.h"

#include <unistd.h>

#include <csignal>

#include "core/part_files.h"
#include "xylem/error.h"

namespace xylem::cli {
namespace {

std::atomic<bool> asked_to_stop{false};
std::atomic<bool> ends_at_once{false};
static_assert(std::atomic<bool>::is_always_lock_free);

void on_stop(int) {
  if (!asked_to_stop.exchange(true) && !ends_at_once) return;
  remove_part_files();
  _exit(static_cast<int>(ErrorKind::kInterrupted));
}

// Whoever sends it may want the core file, and so the death by the signal itself.
void on_quit(int signal) {
  remove_part_files();
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

constexpr struct {
  int signal;
  void (*handler)(int);
} kHandlers[] = {{SIGINT, on_stop}, {SIGTERM, on_stop}, {SIGHUP, on_stop}, {SIGQUIT, on_quit}};

void handle(int signal, void (*handler)(int)) {
  if (std::signal(signal, handler) == SIG_IGN) std::signal(signal, SIG_IGN);
}

}  // namespace

SignalHandling::SignalHandling() {
  asked_to_stop = false;
  for (const auto& [signal, handler] : kHandlers) handle(signal, handler);
}

SignalHandling::~SignalHandling() {
  for (const auto& [signal, handler] : kHandlers) handle(signal, SIG_DFL);
}

const std::atomic<bool>* SignalHandling::stop() const {
  return &asked_to_stop;
}

EndingAtOnce::EndingAtOnce(bool at_once) {
  ends_at_once = at_once;
}

EndingAtOnce::~EndingAtOnce() {
  ends_at_once = false;
}

}  // namespace xylem::cli
