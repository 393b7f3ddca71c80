// SPDX-License-Identifier: Apache-2.0
// Explanations as `xylem explain` prints them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "xylem/tagger.h"

namespace xylem::cli {

// The row that is explained, as the user may recognise it.
struct RowName {
  std::size_t number = 0;  // from 1 on
  std::string_view id;     // as in Corpus
  std::string_view text;   // to show in colours, empty where none is wanted
};

// For people: the largest parts of the evidence.
std::string explanation_text(const Explanation& explanation, const Tagger& tagger, const RowName& row);
// For programs: everything, as a line with a JSON object.
std::string explanation_line(const Explanation& explanation, const Tagger& tagger, const RowName& row);

// For a row without any label to explain.
std::string no_label_text(const RowName& row);
std::string no_label_line(const RowName& row);

}  // namespace xylem::cli
