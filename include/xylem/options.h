// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <string>

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

}  // namespace xylem
