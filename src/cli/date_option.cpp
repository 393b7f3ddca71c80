// SPDX-License-Identifier: Apache-2.0
#include "cli/date_option.h"

#include <fmt/format.h>

#include <chrono>
#include <cstdint>
#include <cstdlib>

#include "core/fail.h"
#include "core/numbers.h"
#include "core/text.h"

namespace xylem::cli {

void add_date_option(CLI::App& app, std::string& date) {
  app.add_option("--date", date, "date for the model's card, like 2026-01-31; default: SOURCE_DATE_EPOCH, or none");
}

std::string card_date(const std::string& given) {
  const char* epoch = std::getenv("SOURCE_DATE_EPOCH");
  if (!given.empty() || epoch == nullptr || *epoch == '\0') return given;
  constexpr std::uint64_t kEndOfYear9999 = 253'402'300'799;
  const auto seconds = parse_number<std::uint64_t>(epoch);
  if (!seconds || *seconds > kEndOfYear9999) {
    fail(ErrorKind::kUsage, "SOURCE_DATE_EPOCH is {}, expected the seconds since 1970", quote(epoch));
  }
  const std::chrono::sys_seconds time{std::chrono::seconds(*seconds)};
  const auto midnight = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day day(midnight);
  const std::chrono::hh_mm_ss clock(time - midnight);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", static_cast<int>(day.year()),
                     static_cast<unsigned>(day.month()), static_cast<unsigned>(day.day()), clock.hours().count(),
                     clock.minutes().count(), clock.seconds().count());
}

}  // namespace xylem::cli
