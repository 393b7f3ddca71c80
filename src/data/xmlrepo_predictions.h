// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "data/line_blocks.h"
#include "data/predictions.h"

namespace xylem {

// Predictions `label:score` per row, from the start of the file. As read_predictions().
Predictions read_xmlrepo_predictions(LineBlocks& blocks, std::optional<Label> first_label);

}  // namespace xylem
