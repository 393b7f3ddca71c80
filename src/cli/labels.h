// SPDX-License-Identifier: Apache-2.0
// Labels as users name them and as they are shown.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "xylem/tagger.h"

namespace xylem::cli {

// "the model has no label 'x'", and what might be meant.
std::string no_such_label(const Tagger& tagger, std::string_view name);

// Those that an option, "--label" say, names: several may share a name. Throws kUsage where there is none.
std::vector<Label> named_labels(const Tagger& tagger, const char* option, std::string_view name);

// A warning if labels with identifiers share names, since a file of this format has names alone; else empty.
std::string shared_names_warning(const TextList& names, const TextList& ids, std::string_view format);

// For tables: a name with a TAB or a line break must not become two fields.
std::string as_field(std::string_view name);

// Its name, or its number.
nlohmann::ordered_json label_json(const Tagger& tagger, Label label);

// The members of a JSON object that say which label it is: `"label":"its name"`, and `"id":"its identifier"` if it has
// one.
std::string label_members(const Tagger& tagger, Label label);

}  // namespace xylem::cli
