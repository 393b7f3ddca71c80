// SPDX-License-Identifier: Apache-2.0
#include "cli/options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/fail.h"
#include "core/numbers.h"
#include "core/text.h"

namespace xylem::cli {

void add_common_options(CLI::App& app, CommonOptions& options) {
  app.add_option("-j,--threads", options.threads, "threads; 0: all of the machine")
      ->capture_default_str()
      ->check(whole_number(0, 1024));
  app.add_flag("-q,--quiet", options.quiet, "no progress and no remarks on standard error, only warnings");
}

void add_json_option(CLI::App& app, CommonOptions& options) {
  app.add_flag("--json", options.json, "results as JSON");
}

CLI::Validator whole_number(std::uint64_t low, std::uint64_t high) {
  const auto check = [low, high](const std::string& text) {
    const auto number = parse_number<std::uint64_t>(text);
    if (number && *number >= low && *number <= high) return std::string();
    return fmt::format("found {}, expected a whole number from {} to {}", quote(text), low, high);
  };
  return {check, ""};
}

CLI::Validator finite_number() {
  const auto check = [](const std::string& text) {
    return parse_number<double>(text) ? std::string() : fmt::format("found {}, expected a number", quote(text));
  };
  return {check, ""};
}

CLI::Validator one_of(std::vector<std::string> names) {
  const auto check = [names](const std::string& text) {
    if (std::ranges::find(names, text) != names.end()) return std::string();
    const bool may_be_misspelt = text.size() > 2;
    return fmt::format("found {}, expected {} {}{}", quote(text), names.size() > 2 ? "one of" : "either",
                       fmt::join(names, names.size() > 2 ? ", " : " or "),
                       may_be_misspelt ? nearest_name_hint(text, names) : "");
  };
  return {check, fmt::format("{{{}}}", fmt::join(names, ","))};
}

std::uint64_t parse_max_memory(const std::string& text) {
  if (text.empty()) return 0;
  const auto bytes = parse_bytes(text);
  if (!bytes || *bytes == 0) fail(ErrorKind::kUsage, "--max-memory {}: expected a size like 500M or 8G", quote(text));
  return *bytes;
}

void require(const std::string& value, const char* option) {
  if (value.empty()) fail(ErrorKind::kUsage, "{} is needed; --help shows an example", option);
}

}  // namespace xylem::cli
