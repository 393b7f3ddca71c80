// SPDX-License-Identifier: Apache-2.0
// What the explanations of several methods share.
#pragma once

#include <vector>

#include "xylem/model.h"

namespace xylem {

inline constexpr const char* kNoTrainingRow = "no row that the model learned from has this label";

// An explanation of the only row of a block, with score and rank as predict() has them, 0 and none where it misses the
// label. The rest is open.
Explanation place_label(const Model& model, const RowBlock& row, Label label, Scratch& scratch);

// Brings evidence into the order of an Explanation, without what is 0.
void order_evidence(std::vector<Contribution>& evidence);

}  // namespace xylem
