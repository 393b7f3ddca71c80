// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include "xylem/options.h"

namespace xylem {

inline constexpr std::string_view kTextPrefix = "text.";

// Those of the vectoriser, without their prefix, and all others.
struct SplitSettings {
  Settings text, method;
};
SplitSettings split_settings(const Settings& settings);

// Throws kUsage for a name that is not among `known`, with the nearest of them. `who` begins the sentence, like "the
// method knn has".
void check_names(const Settings& settings, const std::vector<OptionInfo>& known, std::string_view who);

// The same for the vectoriser's options, whose names have their prefix.
void check_text_names(const Settings& settings);

}  // namespace xylem
