// SPDX-License-Identifier: Apache-2.0
#include "cli/progress_bar.h"

#include <fmt/format.h>
#include <unistd.h>

#include "cli/progress_text.h"
#include "cli/streams.h"
#include "core/stopwatch.h"

namespace xylem::cli {
namespace {

// In seconds.
constexpr double kTerminalPause = 0.1;
constexpr double kLinePause = 10;

}  // namespace

ProgressBar::ProgressBar(bool quiet) : quiet_(quiet), terminal_(isatty(STDERR_FILENO) == 1) {}

ProgressBar::~ProgressBar() {
  clear();
}

void ProgressBar::show(const Progress& state) {
  if (quiet_) return;
  const double now = wall_seconds();
  if (state.stage != stage_ || position(state) < last_position_) {
    stage_ = state.stage;
    first_position_ = position(state);
    stage_start_ = now;
    last_shown_ = now;
  }
  last_position_ = position(state);
  if (now - last_shown_ < (terminal_ ? kTerminalPause : kLinePause)) return;
  last_shown_ = now;
  const Pace pace{position(state) - first_position_, now - stage_start_};
  const std::string text = progress_text(state, pace, terminal_);
  print_remark(fmt::format("{}{}{}", terminal_ ? "\r\x1b[K" : "", text, terminal_ ? "" : "\n"));
  visible_ = terminal_;
}

void ProgressBar::clear() {
  if (visible_) print_remark("\r\x1b[K");
  visible_ = false;
}

}  // namespace xylem::cli
