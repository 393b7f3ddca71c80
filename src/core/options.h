// SPDX-License-Identifier: Apache-2.0
// Options written once. A struct lists its members in `fields`; parsing, checking, help and the model file follow.
//
//   struct KnnOptions {
//     int k = 0;
//     void fields(auto&& field) { field("k", k, "neighbours that vote; 0: chosen on validation rows", Range{0, 10000});
//     }
//   };
//
// Members are bool, int, double, std::string, an enum, or another struct with `fields` (its names get a prefix and a
// dot). An enum has a function next to it that names its values 0, 1, ...: `auto choice_names(Vote)` -> array of
// string_view.
#pragma once

#include <concepts>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "xylem/options.h"

namespace xylem {

// The values a number may take, both ends included.
struct Range {
  double low;
  double high;
};

// What the program did before an option existed, as a value of it. Models from then are read with this value, whatever
// the default has become. Options of version 0.1 need none: every model file has them.
struct Before {
  std::string_view value;
};

// One member of an options struct, its type forgotten.
struct OptionField {
  std::string name;
  std::string type;
  std::string help;
  std::optional<Range> range;
  std::optional<std::string> before;
  std::function<std::string()> get;
  std::function<bool(std::string_view)> set;  // false where the text is no value of the type
};

// "1 .. 100", or empty.
std::string range_text(const std::optional<Range>& range);

// Sets the fields that `settings` names. Throws kUsage: an unknown name with the nearest known one, or name, value and
// what is allowed.
void assign_options(const std::vector<OptionField>& fields, const Settings& settings);

// Sets the fields from the settings of a model file, which may be older or newer than this program: what is unknown is
// ignored, what is missing gets its value from before it existed. Throws kUsage for a value that makes no sense, and
// for a missing option without such a value.
void assign_stored_options(const std::vector<OptionField>& fields, const Settings& stored);

namespace detail {

std::string option_text(bool value);
std::string option_text(int value);
std::string option_text(double value);
std::string option_text(const std::string& value);
bool parse_option(std::string_view text, bool& value);
bool parse_option(std::string_view text, int& value);
bool parse_option(std::string_view text, double& value);
bool parse_option(std::string_view text, std::string& value);
std::string join_choices(const std::vector<std::string_view>& names);

// Collects the members that `fields` shows it.
class FieldCollector {
 public:
  explicit FieldCollector(std::string prefix, std::vector<OptionField>& fields)
      : prefix_(std::move(prefix)), fields_(fields) {}

  template <class T>
  void operator()(std::string_view name, T& value, std::string_view help, std::optional<Range> range = {},
                  std::optional<Before> before = {}) {
    const std::string full_name = prefix_ + std::string(name);
    if constexpr (std::is_enum_v<T>) {
      const auto known = choice_names(value);
      const std::vector<std::string_view> names(known.begin(), known.end());
      add({full_name,
           join_choices(names),
           std::string(help),
           {},
           text_of(before),
           [&value, names] { return std::string(names[static_cast<std::size_t>(value)]); },
           [&value, names](std::string_view text) {
             for (std::size_t i = 0; i < names.size(); ++i) {
               if (names[i] == text) return value = static_cast<T>(i), true;
             }
             return false;
           }});
    } else if constexpr (requires { value.fields(*this); }) {
      value.fields(FieldCollector(full_name + ".", fields_));
    } else {
      add({full_name, type_name<T>(), std::string(help), range, text_of(before),
           [&value] { return option_text(value); },
           [&value](std::string_view text) { return parse_option(text, value); }});
    }
  }

 private:
  template <class T>
  static std::string type_name() {
    if constexpr (std::same_as<T, bool>) return "yes|no";
    if constexpr (std::same_as<T, int>) return "integer";
    if constexpr (std::same_as<T, double>) return "number";
    return "text";
  }
  static std::optional<std::string> text_of(const std::optional<Before>& before) {
    return before ? std::optional<std::string>(before->value) : std::nullopt;
  }
  void add(OptionField field) { fields_.push_back(std::move(field)); }

  std::string prefix_;
  std::vector<OptionField>& fields_;
};

}  // namespace detail

// The members of `options`, which must outlive the result, with `prefix` before their names.
template <class Options>
std::vector<OptionField> option_fields(Options& options, std::string_view prefix = "") {
  std::vector<OptionField> fields;
  options.fields(detail::FieldCollector(std::string(prefix), fields));
  return fields;
}

template <class Options>
Options parse_options(const Settings& settings) {
  Options options;
  assign_options(option_fields(options), settings);
  return options;
}

// Names, types, defaults, ranges and help of all options, in the order of `fields`.
template <class Options>
std::vector<OptionInfo> describe_options() {
  Options options;
  std::vector<OptionInfo> result;
  for (const OptionField& field : option_fields(options)) {
    result.push_back({field.name, field.type, field.get(), range_text(field.range), field.help});
  }
  return result;
}

// All options with the values they have.
template <class Options>
Settings option_values(Options options) {
  Settings settings;
  for (const OptionField& field : option_fields(options)) settings[field.name] = field.get();
  return settings;
}

}  // namespace xylem
