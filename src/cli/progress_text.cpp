// SPDX-License-Identifier: Apache-2.0
#include "cli/progress_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

namespace xylem::cli {
namespace {

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

// Never more than is done: 7.99 epochs are 7.9.
std::string done_text(const Progress& state) {
  if (state.part <= 0) return std::to_string(state.done);
  return fmt::format("{}.{}", state.done, std::clamp(static_cast<int>(state.part * 10), 0, 9));
}

// "passes" -> "pass", "epochs" -> "epoch"
std::string_view singular(std::string_view unit) {
  if (unit.ends_with("sses")) return unit.substr(0, unit.size() - 2);
  return unit.ends_with('s') ? unit.substr(0, unit.size() - 1) : unit;
}

std::string pace_text(double rate, std::string_view unit) {
  const auto number = [](double value) { return fmt::format("{:.{}f}", value, value < 9.95 ? 1 : 0); };
  if (rate >= 1) return number(rate) + "/s";
  return fmt::format("{} s/{}", number(1 / rate), singular(unit));
}

}  // namespace

std::string progress_text(const Progress& state, const Pace& pace, bool with_bar) {
  const double rate = pace.seconds > 0 ? pace.units / pace.seconds : 0;
  std::string text(state.stage);
  if (state.total > 0) {
    const double share = std::min(1.0, position(state) / static_cast<double>(state.total));
    if (with_bar) text += " " + bar_text(share);
    text += fmt::format(" {:.0f} %  {}/{} {}", std::floor(100 * share), done_text(state), state.total, state.unit);
  } else if (state.share > 0) {
    if (with_bar) text += " " + bar_text(std::min(1.0, state.share));
    text += fmt::format(" {:.0f} %  {} {}", std::floor(100 * std::min(1.0, state.share)), done_text(state), state.unit);
  } else {
    text += fmt::format("  {} {}", done_text(state), state.unit);
  }
  if (rate > 0) {
    const auto time_to = [&](std::size_t units) {
      return duration_text(std::max(0.0, static_cast<double>(units) - position(state)) / rate);
    };
    text += "  " + pace_text(rate, state.unit);
    if (state.total > 0) text += fmt::format("  {} left", time_to(state.total));
    if (state.total == 0 && state.share > 0) {
      const auto in_all = static_cast<std::size_t>(static_cast<double>(state.done) / state.share);
      text += fmt::format("  {} left", time_to(in_all));
    }
    if (state.left_without_gain > 0) {
      text += fmt::format("  {} left unless it gains", time_to(state.done + state.left_without_gain));
    }
  }
  if (state.loss) text += fmt::format("  loss {:.4f}", *state.loss);
  if (state.metric) text += fmt::format("  validation {:.2f}", *state.metric);
  return text;
}

}  // namespace xylem::cli
