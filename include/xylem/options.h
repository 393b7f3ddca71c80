// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <any>
#include <functional>
#include <map>
#include <string>
#include <utility>

#include "xylem/error.h"

namespace xylem {

// What the user set, as text: option name to value. Options that are not here keep their defaults.
using Settings = std::map<std::string, std::string, std::less<>>;

// One option of a method, for help texts and tables.
struct OptionInfo {
  std::string name;
  std::string type;  // "integer", "number", "text", or the choices: "yes|no"
  std::string default_value;
  std::string range;  // "1 .. 1000", or empty
  std::string help;
};

// Settings that a method has parsed and checked: its own options struct, the type known to the method alone. An
// immutable value.
class CheckedOptions {
 public:
  CheckedOptions() = default;  // of what has no options
  template <class Options>
  CheckedOptions(Options options, Settings values) : options_(std::move(options)), values_(std::move(values)) {}

  // Throws kUsage for options of another method.
  template <class Options>
  const Options& as() const {
    if (const Options* options = std::any_cast<Options>(&options_)) return *options;
    throw Error(ErrorKind::kUsage, "found the options of another method, expected what its own parse() gives");
  }
  // Every option with its value.
  const Settings& values() const& { return values_; }
  Settings values() && { return std::move(values_); }

 private:
  std::any options_;
  Settings values_;
};

}  // namespace xylem
