// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "xylem/explanation.h"
#include "xylem/tagger.h"

namespace xylem {

// An object with everything that the explanation holds, the names of labels and features in it.
std::string explanation_json(const Explanation& explanation, const Tagger& tagger);

// The object for a row to which the tagger gives no label.
inline constexpr const char* kNoLabelText = "the model gives this row no label";
std::string no_label_json();

// What a node of a tree is about: the most frequent of the labels below it.
std::vector<Label> examples_of(const PathStep& step, const Tagger& tagger);

}  // namespace xylem
