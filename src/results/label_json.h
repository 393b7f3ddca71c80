// SPDX-License-Identifier: Apache-2.0
// Labels in results, as JSON.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "xylem/tagger.h"

namespace xylem {

// Its name, or its number if it has no name.
nlohmann::ordered_json label_json(const Tagger& tagger, Label label);

// The members of a JSON object that say which label it is: `"label":"its name"`, and `"id":"its identifier"` if it has
// one.
std::string label_members(const Tagger& tagger, Label label);

// Appends the labels of a row, best first, as a JSON array of objects: each with its label_members(), and its score in
// the member called `score`.
void append_labels_json(const Tagger& tagger, const TopLabels& top, std::size_t row, std::string_view score,
                        std::string& out);

}  // namespace xylem
