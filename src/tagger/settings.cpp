// SPDX-License-Identifier: Apache-2.0
#include "tagger/settings.h"

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

}  // namespace xylem
