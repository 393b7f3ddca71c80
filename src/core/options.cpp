// SPDX-License-Identifier: Apache-2.0
#include "core/options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/fail.h"
#include "core/numbers.h"
#include "core/text.h"

namespace xylem {

std::string range_text(const std::optional<Range>& range) {
  return range ? fmt::format("{:.10g} .. {:.10g}", range->low, range->high) : "";
}

void assign_options(const std::vector<OptionField>& fields, const Settings& settings) {
  for (const auto& [name, value] : settings) {
    const auto field = std::ranges::find(fields, name, &OptionField::name);
    if (field == fields.end()) {
      std::vector<std::string> known;
      for (const OptionField& candidate : fields) known.push_back(candidate.name);
      fail(ErrorKind::kUsage, "unknown option {}{}", quote(name),
           known.empty() ? "; this method has none" : nearest_name_hint(name, known));
    }
    const std::string allowed =
        field->range ? fmt::format("{} in {}", field->type, range_text(field->range)) : field->type;
    bool valid = field->set(value);
    if (valid && field->range) {
      const double number = *parse_number<double>(value);
      valid = number >= field->range->low && number <= field->range->high;
    }
    if (!valid) fail(ErrorKind::kUsage, "option {} is {}, expected {}", name, quote(value), allowed);
  }
}

void assign_stored_options(const std::vector<OptionField>& fields, const Settings& stored) {
  Settings settings;
  for (const OptionField& field : fields) {
    const auto found = stored.find(field.name);
    if (found == stored.end() && !field.before) fail(ErrorKind::kUsage, "option {} is missing", field.name);
    settings[field.name] = found != stored.end() ? found->second : *field.before;
  }
  assign_options(fields, settings);
}

namespace detail {

std::string option_text(bool value) {
  return value ? "yes" : "no";
}
std::string option_text(int value) {
  return fmt::format("{}", value);
}
std::string option_text(double value) {
  return fmt::format("{}", value);
}
std::string option_text(const std::string& value) {
  return value;
}

bool parse_option(std::string_view text, bool& value) {
  value = text == "yes";
  return text == "yes" || text == "no";
}

bool parse_option(std::string_view text, int& value) {
  const auto parsed = parse_number<int>(text);
  value = parsed.value_or(0);
  return parsed.has_value();
}

bool parse_option(std::string_view text, double& value) {
  const auto parsed = parse_number<double>(text);
  value = parsed.value_or(0);
  return parsed.has_value();
}

bool parse_option(std::string_view text, std::string& value) {
  value = text;
  return true;
}

std::string join_choices(const std::vector<std::string_view>& names) {
  return fmt::format("{}", fmt::join(names, "|"));
}

}  // namespace detail
}  // namespace xylem
