// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "xylem/options.h"

namespace xylem {

inline constexpr std::string_view kTextPrefix = "text.";

// Those of the vectoriser, without their prefix, and all others.
struct SplitSettings {
  Settings text, method;
};
SplitSettings split_settings(const Settings& settings);

}  // namespace xylem
