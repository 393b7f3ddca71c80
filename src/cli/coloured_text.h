// SPDX-License-Identifier: Apache-2.0
// An explanation shown in the text itself, for terminals.
#pragma once

#include <string>
#include <string_view>

#include "xylem/tagger.h"

namespace xylem::cli {

// Whether standard output is a terminal, and nobody has set NO_COLOR (no-color.org).
bool wants_colour();

// The text in one line, its words green where they speak for the label and red where they speak against it, the more
// important ones bold. A pair of words counts half for each of them.
std::string coloured_text(std::string_view text, const Explanation& explanation, const Tagger& tagger);

}  // namespace xylem::cli
