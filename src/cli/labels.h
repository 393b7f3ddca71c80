// SPDX-License-Identifier: Apache-2.0
// Labels as users name them and as they are shown.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "xylem/tagger.h"

namespace xylem::cli {

// "the model has no label 'x'", and what might be meant.
std::string no_such_label(const Tagger& tagger, std::string_view name);

// Its name, or its number.
nlohmann::ordered_json label_json(const Tagger& tagger, Label label);

}  // namespace xylem::cli
