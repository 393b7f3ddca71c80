// SPDX-License-Identifier: Apache-2.0
#include "cli/progress_bar.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "cli/streams.h"

namespace xylem::cli {
namespace {

constexpr auto kTerminalPause = std::chrono::milliseconds(100);
constexpr auto kLinePause = std::chrono::seconds(10);
constexpr std::size_t kWidth = 24;

std::string duration_text(double seconds) {
  const auto whole = static_cast<long>(seconds + 0.5);
  if (whole >= 3600) return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
  return fmt::format("{}:{:02}", whole / 60, whole % 60);
}

std::string bar_text(double share) {
  const auto filled = static_cast<std::size_t>(share * kWidth);
  return fmt::format("[{}{}]", std::string(filled, '#'), std::string(kWidth - filled, '.'));
}

std::string progress_text(const Progress& state, double seconds, bool with_bar) {
  const double rate = seconds > 0 ? static_cast<double>(state.done) / seconds : 0;
  std::string text(state.stage);
  if (state.total > 0) {
    const double share = std::min(1.0, static_cast<double>(state.done) / static_cast<double>(state.total));
    if (with_bar) text += " " + bar_text(share);
    text += fmt::format(" {:.0f} %  {}/{} {}", 100 * share, state.done, state.total, state.unit);
    if (rate > 0) {
      text += fmt::format("  {:.0f}/s  {} left", rate,
                          duration_text(static_cast<double>(state.total - std::min(state.total, state.done)) / rate));
    }
  } else {
    text += fmt::format("  {} {}  {:.0f}/s", state.done, state.unit, rate);
  }
  if (state.loss) text += fmt::format("  loss {:.4f}", *state.loss);
  if (state.metric) text += fmt::format("  validation {:.2f}", *state.metric);
  return text;
}

}  // namespace

ProgressBar::ProgressBar(bool quiet) : quiet_(quiet), terminal_(isatty(STDERR_FILENO) == 1) {}

ProgressBar::~ProgressBar() {
  clear();
}

void ProgressBar::show(const Progress& state) {
  if (quiet_) return;
  const Clock::time_point now = Clock::now();
  if (state.stage != stage_ || state.done < last_done_) {
    stage_ = state.stage;
    stage_start_ = now;
    last_shown_ = now;
  }
  last_done_ = state.done;
  if (now - last_shown_ < (terminal_ ? Clock::duration(kTerminalPause) : Clock::duration(kLinePause))) return;
  last_shown_ = now;
  const double seconds = std::chrono::duration<double>(now - stage_start_).count();
  const std::string text = progress_text(state, seconds, terminal_);
  print_remark(fmt::format("{}{}{}", terminal_ ? "\r\x1b[K" : "", text, terminal_ ? "" : "\n"));
  visible_ = terminal_;
}

void ProgressBar::clear() {
  if (visible_) print_remark("\r\x1b[K");
  visible_ = false;
}

}  // namespace xylem::cli
