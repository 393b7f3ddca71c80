// SPDX-License-Identifier: Apache-2.0
#include "data/bad_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "xylem/error.h"

namespace xylem {

void BadLines::add(std::size_t line, std::string_view problem) {
  lines_.push_back({line, lines_.size() < kMaxProblems ? std::string(problem) : std::string()});
}

void BadLines::merge(std::vector<BadLine> late) {
  lines_.insert(lines_.end(), std::make_move_iterator(late.begin()), std::make_move_iterator(late.end()));
  std::sort(lines_.begin(), lines_.end(), [](const BadLine& a, const BadLine& b) { return a.line < b.line; });
}

void BadLines::check() const {
  if (lines_.size() <= most_) return;
  const BadLine& first = lines_.front();
  if (most_ == 0) fail_at(first.line, first.problem);
  fail_at(first.line,
          fmt::format("{}; at least {} lines are bad and only {} may be skipped", first.problem, most_ + 1, most_));
}

void BadLines::check_rows(std::size_t n_rows) const {
  if (n_rows == 0 && !empty()) fail_at(lines_.front().line, lines_.front().problem + "; all lines are bad");
}

void BadLines::fail_at(std::size_t line, std::string_view problem) const {
  throw Error(ErrorKind::kData, message(line, problem));
}

std::vector<std::string> BadLines::messages() const {
  std::vector<std::string> result;
  for (std::size_t i = 0; i < std::min(lines_.size(), kMaxProblems); ++i) {
    result.push_back(message(lines_[i].line, lines_[i].problem));
  }
  return result;
}

void BadLines::put_into(ReadReport& report) const {
  report.bad_lines = lines_.size();
  report.bad_line_messages = messages();
}

std::string BadLines::message(std::size_t line, std::string_view problem) const {
  return fmt::format("{}:{}: {}", file_, line + first_line_, problem);
}

}  // namespace xylem
