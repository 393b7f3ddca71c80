// SPDX-License-Identifier: Apache-2.0
#include "cli/parse_errors.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vector>

#include "core/text.h"

namespace xylem::cli {
namespace {

std::string quoted_list(const std::vector<std::string>& values) {
  std::vector<std::string> quoted;
  for (const std::string& value : values) quoted.push_back(quote(value));
  return fmt::format("{}", fmt::join(quoted, ", "));
}

// The option that the message is about. Its name is the only word with a dash in front that stands there before the
// user's own words do: "--seed: At Most 1 required", "Could not convert: --seed = x".
const CLI::Option* find_option(std::string message, const CLI::App& app) {
  constexpr std::string_view kConversion = "Could not convert: ";
  if (message.starts_with(kConversion)) message.erase(0, kConversion.size());
  return app.get_option_no_throw(message.substr(0, message.find_first_of(": =")));
}

// Too few values or too many; values that were not given are not among the results.
std::string count_text(const std::string& message, const CLI::Option& option) {
  const std::vector<std::string>& found = option.results();
  const int wanted = option.get_items_expected_min();
  const bool is_cut = message.ends_with(" missing");
  if (found.empty() || (is_cut && wanted == 1)) {
    return fmt::format("{} needs {}", option.get_name(), wanted == 1 ? "a value" : fmt::format("{} values", wanted));
  }
  return fmt::format("{} takes {}, found {}: {}", option.get_name(),
                     wanted == 1 ? "one value" : fmt::format("{} values", wanted), found.size(), quoted_list(found));
}

std::string expected_text(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  if (option.get_items_expected_max() == 0) return "nothing, or true or false";
  if (type.starts_with("CHAR")) return "one character";
  if (type.starts_with("UINT")) return "a whole number from 0";
  if (type.starts_with("INT")) return "a whole number";
  if (type.starts_with("FLOAT")) return "a number";
  return "another value";
}

}  // namespace

std::string parse_error_text(const CLI::ParseError& error, const CLI::App& app) {
  const std::string message = error.what();
  const CLI::Option* option = find_option(message, app);
  if (option == nullptr) return message;
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr) return count_text(message, *option);
  if (dynamic_cast<const CLI::ConversionError*>(&error) != nullptr) {
    return fmt::format("{}: found {}, expected {}", option->get_name(), quoted_list(option->results()),
                       expected_text(*option));
  }
  return message;  // of our own validators
}

}  // namespace xylem::cli
