// SPDX-License-Identifier: Apache-2.0
#include "tagger/date.h"

#include <chrono>
#include <string_view>

#include "core/fail.h"
#include "core/text.h"

namespace xylem {
namespace {

constexpr std::string_view kShape = "0000-00-00T00:00:00Z";
constexpr std::size_t kDayLength = 10;

bool has_shape(std::string_view date) {
  if (date.size() != kDayLength && date.size() != kShape.size()) return false;
  for (std::size_t i = 0; i < date.size(); ++i) {
    const bool is_digit = date[i] >= '0' && date[i] <= '9';
    if (kShape[i] == '0' ? !is_digit : date[i] != kShape[i]) return false;
  }
  return true;
}

bool is_time(const std::string& date) {
  const auto number = [&](std::size_t begin, std::size_t n) { return std::stoi(date.substr(begin, n)); };
  const auto unsigned_number = [&](std::size_t begin) { return static_cast<unsigned>(number(begin, 2)); };
  const std::chrono::year_month_day day{std::chrono::year(number(0, 4)), std::chrono::month(unsigned_number(5)),
                                        std::chrono::day(unsigned_number(8))};
  if (!day.ok()) return false;
  return date.size() == kDayLength || (number(11, 2) < 24 && number(14, 2) < 60 && number(17, 2) < 60);
}

}  // namespace

void check_date(const std::string& date) {
  if (date.empty() || (has_shape(date) && is_time(date))) return;
  fail(ErrorKind::kUsage, "found the date {}, expected a day or a time in UTC, like 2026-01-31 or 2026-01-31T12:00:00Z",
       quote(date));
}

}  // namespace xylem
