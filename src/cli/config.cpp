// SPDX-License-Identifier: Apache-2.0
#include "cli/config.h"

#include <fmt/format.h>

#include <toml++/toml.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/parse_errors.h"
#include "core/fail.h"
#include "core/file.h"
#include "core/numbers.h"
#include "core/text.h"
#include "tagger/settings.h"
#include "xylem/tagger.h"

namespace xylem::cli {
namespace {

constexpr const char* kOptionsTable = "options";
// They steer the command itself and have no place in a file.
constexpr std::string_view kNotInConfig[] = {"help", "config", "print-config", "set"};

bool configurable(const CLI::Option& option) {
  return !option.get_lnames().empty() &&
         std::ranges::find(kNotInConfig, option.get_lnames()[0]) == std::end(kNotInConfig);
}

std::string place(const std::string& path, const toml::node& node) {
  return fmt::format("{}:{}", path, node.source().begin.line);
}

// A TOML value as the text that a user would type.
std::string value_text(const std::string& path, std::string_view key, const toml::node& node) {
  if (const auto* text = node.as_string()) return text->get();
  if (const auto* whole = node.as_integer()) return std::to_string(whole->get());
  if (const auto* number = node.as_floating_point()) return fmt::format("{}", number->get());
  if (const auto* truth = node.as_boolean()) return truth->get() ? "yes" : "no";
  fail(ErrorKind::kUsage, "{}: {} is neither text, number nor truth value", place(path, node), quote(key));
}

// Of the method, and of the vectoriser that texts need.
std::vector<OptionInfo> all_options(const Method& method) {
  std::vector<OptionInfo> options = method.options();
  std::ranges::move(text_options(), std::back_inserter(options));
  return options;
}

// Tables inside [options] are parts: [options.linear] cost = 2 is the option linear.cost.
void collect_settings(const std::string& path, const std::string& prefix, const toml::table& table,
                      const Method& method, Settings& settings) {
  std::vector<std::string> known;
  for (const OptionInfo& option : all_options(method)) known.push_back(option.name);
  for (const auto& [key, node] : table) {
    const std::string name = prefix + std::string(key.str());
    if (const auto* part = node.as_table()) {
      collect_settings(path, name + ".", *part, method, settings);
    } else {
      if (std::ranges::find(known, name) == known.end()) {
        fail(ErrorKind::kUsage, "{}: the method {} has no option {}{}", place(path, node), method.name, quote(name),
             nearest_name_hint(name, known));
      }
      settings.try_emplace(name, value_text(path, name, node));
    }
  }
}

void apply_option(const std::string& path, CLI::App& app, const std::string& name, const toml::node& node) {
  CLI::Option* option = app.get_option_no_throw("--" + name);
  if (option == nullptr || !configurable(*option)) {
    std::vector<std::string> known = {kOptionsTable};
    for (const CLI::Option* candidate : app.get_options()) {
      if (configurable(*candidate)) known.push_back(candidate->get_lnames()[0]);
    }
    fail(ErrorKind::kUsage, "{}: unknown name {}{}", place(path, node), quote(name), nearest_name_hint(name, known));
  }
  if (option->count() > 0) return;  // the command line comes first
  std::string value = value_text(path, name, node);
  if (option->get_expected_max() == 0) {  // a flag
    if (!node.is_boolean())
      fail(ErrorKind::kUsage, "{}: {} is {}, expected true or false", place(path, node), name, quote(value));
    value = value == "yes" ? "true" : "false";
  }
  try {
    option->add_result(value);
    option->run_callback();
  } catch (const CLI::ParseError& error) {
    fail(ErrorKind::kUsage, "{}: {}", place(path, node), parse_error_text(error, app));
  }
}

// Not every number is one in TOML: .5, 5. and 007 are not, nor is what a signed 64-bit number cannot hold.
bool is_toml_number(const std::string& text) {
  if (!parse_number<double>(text)) return false;
  try {
    (void)toml::parse("x = " + text);
    return true;
  } catch (const toml::parse_error&) {
    return false;
  }
}

std::string toml_value(const std::string& text) {
  if (text == "true" || text == "false" || is_toml_number(text)) return text;
  return nlohmann::json(text).dump();  // a JSON string is a TOML string
}

}  // namespace

void apply_config(const std::string& path, CLI::App& app, const std::string& method, Settings& settings) {
  toml::table file;
  try {
    file = toml::parse(read_whole_file(path), path);
  } catch (const toml::parse_error& error) {
    fail(ErrorKind::kUsage, "{}:{}: {}", path, error.source().begin.line, error.description());
  }
  for (const auto& [key, node] : file) {
    if (key != kOptionsTable) apply_option(path, app, std::string(key.str()), node);
  }
  const toml::node* options = file.get(kOptionsTable);
  if (options == nullptr) return;
  if (!options->is_table()) fail(ErrorKind::kUsage, "{}: '{}' must be a table", place(path, *options), kOptionsTable);
  collect_settings(path, "", *options->as_table(), find_method(method), settings);
}

std::string config_text(const CLI::App& app, const Method& method, const Settings& settings) {
  std::string text;
  for (const CLI::Option* option : app.get_options()) {
    if (!configurable(*option)) continue;
    std::string value = option->count() > 0 ? option->results().back() : option->get_default_str();
    const bool is_flag = option->get_expected_max() == 0;
    if (is_flag) value = option->count() > 0 && option->as<bool>() ? "true" : "false";
    text += fmt::format("{}{} = {}  # {}\n", value.empty() ? "# " : "", option->get_lnames()[0], toml_value(value),
                        option->get_description());
  }
  text += fmt::format("\n[{}]  # of the method {}\n", kOptionsTable, method.name);
  const SplitSettings split = split_settings(settings);
  Settings values = method.parse(split.method).values();
  for (const auto& [name, value] : settings) values.emplace(name, value);  // those of texts
  for (const OptionInfo& option : all_options(method)) {
    const auto known = values.find(option.name);
    text += fmt::format("{} = {}  # {}\n", option.name,
                        toml_value(known != values.end() ? known->second : option.default_value), option.help);
  }
  return text;
}

Settings parse_settings(const std::vector<std::string>& pairs) {
  Settings settings;
  for (const std::string& pair : pairs) {
    const std::size_t equals = pair.find('=');
    if (equals == std::string::npos || equals == 0) {
      fail(ErrorKind::kUsage, "--set {}: expected name=value", quote(pair));
    }
    const std::string name = pair.substr(0, equals);
    if (!settings.emplace(name, pair.substr(equals + 1)).second) {
      fail(ErrorKind::kUsage, "--set {}: found the option twice, expected it once", quote(name));
    }
  }
  return settings;
}

}  // namespace xylem::cli
