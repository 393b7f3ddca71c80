// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "data/vectoriser.h"
#include "xylem/method.h"
#include "xylem/options.h"

namespace xylem {

// Those of the vectoriser, without their prefix, and all others.
struct SplitSettings {
  Settings text, method;
};
SplitSettings split_settings(const Settings& settings);

// What the user has set for a training, parsed and checked.
struct TrainSettings {
  const Method& method;
  CheckedOptions options;  // of the method
  TextOptions text;
};
// Throws kUsage if a name or value is wrong.
TrainSettings parse_settings(const std::string& method, const Settings& settings);

// What is set for learning more with a model of this method; the same for check_learning().
CheckedOptions parse_learn_settings(const Method& method, const Settings& settings);

// Throws kUsage for a name that is not among `known`, with the nearest of them. `who` begins the sentence, like "the
// method knn has".
void check_names(const Settings& settings, const std::vector<OptionInfo>& known, std::string_view who);

// The same for the vectoriser's options, whose names have their prefix.
void check_text_names(const Settings& settings);

}  // namespace xylem
