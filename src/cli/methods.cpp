// SPDX-License-Identifier: Apache-2.0
#include "xylem/method.h"

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/streams.h"
#include "xylem/tagger.h"

namespace xylem::cli {
namespace {

std::vector<OptionInfo> learn_options(const Method& method) {
  return method.learn_options != nullptr ? method.learn_options() : std::vector<OptionInfo>();
}

nlohmann::ordered_json options_json(const std::vector<OptionInfo>& options) {
  nlohmann::ordered_json result = nlohmann::ordered_json::array();
  for (const OptionInfo& option : options) {
    result.push_back({{"name", option.name},
                      {"type", option.type},
                      {"default", option.default_value},
                      {"range", option.range},
                      {"help", option.help}});
  }
  return result;
}

nlohmann::ordered_json methods_json() {
  nlohmann::ordered_json result = nlohmann::ordered_json::array();
  for (const Method* method : methods()) {
    nlohmann::ordered_json entry = {
        {"name", method->name}, {"summary", method->summary}, {"options", options_json(method->options())}};
    if (method->learns) entry["learn_options"] = options_json(learn_options(*method));
    result.push_back(entry);
  }
  return result;
}

std::string options_text(const std::vector<OptionInfo>& options) {
  std::string text;
  for (const OptionInfo& option : options) {
    text += fmt::format("  {} = {}  ({}{}) {}\n", option.name, option.default_value, option.type,
                        option.range.empty() ? "" : ", " + option.range, option.help);
  }
  return text;
}

std::string methods_text() {
  std::string text;
  for (const Method* method : methods()) {
    text += fmt::format("{:<10} {}\n{}", method->name, method->summary, options_text(method->options()));
    if (method->learns) text += "  takes more rows with `xylem learn`\n";
    text += options_text(learn_options(*method));
  }
  return text + "\nbefore any method, texts become rows\n" + options_text(text_options());
}

}  // namespace

Runner define_methods(CLI::App& app) {
  auto json = std::make_shared<bool>(false);
  app.add_flag("--json", *json, "as JSON");
  app.footer("Example:\n  xylem methods");
  return [json] {
    print_result(*json ? methods_json().dump(2) + "\n" : methods_text());
    return 0;
  };
}

}  // namespace xylem::cli
