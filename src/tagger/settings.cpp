// SPDX-License-Identifier: Apache-2.0
#include "tagger/settings.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>

#include "core/fail.h"
#include "core/text.h"
#include "xylem/tagger.h"

namespace xylem {

SplitSettings split_settings(const Settings& settings) {
  SplitSettings split;
  for (const auto& [name, value] : settings) {
    if (name.starts_with(kTextPrefix)) {
      split.text[name.substr(kTextPrefix.size())] = value;
    } else {
      split.method[name] = value;
    }
  }
  return split;
}

void check_names(const Settings& settings, const std::vector<OptionInfo>& known, std::string_view who) {
  std::vector<std::string> names;
  for (const OptionInfo& option : known) names.push_back(option.name);
  for (const auto& [name, value] : settings) {
    if (std::ranges::find(names, name) != names.end()) continue;
    const std::string hint = nearest_name_hint(name, names);
    const std::string all = names.empty() ? "; it has none" : fmt::format("; there are {}", fmt::join(names, ", "));
    fail(ErrorKind::kUsage, "{} no option {}{}", who, quote(name), hint.empty() ? all : hint);
  }
}

void check_text_names(const Settings& settings) {
  Settings texts;
  for (const auto& [name, value] : settings) {
    if (name.starts_with(kTextPrefix)) texts[name] = value;
  }
  check_names(texts, text_options(), "the reader of texts has");
}

std::vector<OptionInfo> text_options() {
  std::vector<OptionInfo> options = describe_options<TextOptions>();
  for (OptionInfo& option : options) option.name.insert(0, kTextPrefix);
  return options;
}

TrainSettings parse_settings(const std::string& method, const Settings& settings) {
  const SplitSettings split = split_settings(settings);
  const Method& found = find_method(method);
  check_names(split.method, found.options(), fmt::format("the method {} has", found.name));
  check_text_names(settings);
  return {found, found.parse(split.method), parse_text_options(split.text)};
}

void check_settings(const std::string& method, const Settings& settings) {
  parse_settings(method, settings);
}

CheckedOptions parse_learn_settings(const Method& method, const Settings& settings) {
  if (!method.learns) {
    std::vector<std::string_view> others;
    for (const Method* other : methods()) {
      if (other->learns) others.push_back(other->name);
    }
    fail(ErrorKind::kUsage, "models of {} cannot learn more rows and must be retrained; those of {} can", method.name,
         fmt::join(others, ", "));
  }
  if (method.parse_learn != nullptr) {
    check_names(settings, method.learn_options(), fmt::format("learning with {} has", method.name));
    return method.parse_learn(settings);
  }
  if (!settings.empty()) {
    fail(ErrorKind::kUsage, "unknown option {}; learning has none for models of {}", quote(settings.begin()->first),
         method.name);
  }
  return {};
}

void check_learning(const Method& method, const Settings& settings) {
  parse_learn_settings(method, settings);
}

}  // namespace xylem
