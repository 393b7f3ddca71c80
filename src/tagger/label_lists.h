// SPDX-License-Identifier: Apache-2.0
// Labels as users name them.
#pragma once

#include <string_view>
#include <vector>

#include "data/lines.h"
#include "xylem/tagger.h"

namespace xylem {

// Those called `name`: several labels may share it. Throws kUsage if there is none; `option`, e.g. "--label", is for
// the message.
std::vector<Label> named_labels(const Tagger& tagger, std::string_view option, std::string_view name);

enum class Listed { kAllowed, kExcluded };

// The filter that a list stands for. A line has a label's name, its identifier or, if it has neither, its number; or
// two of them, `number<TAB>name` or `identifier<TAB>name`, as files of label names and vocabularies have it; an
// identifier may stand in angle brackets. Throws kData, with the line, for a label that the tagger does not have, and
// if no label is left.
LabelFilter filter_of(const Tagger& tagger, const FileLines& list, Listed listed);

}  // namespace xylem
