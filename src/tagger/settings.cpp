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

}  // namespace xylem
