// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "methods/parabel/label_tree.h"
#include "methods/parabel/search.h"
#include "methods/parabel/train_node.h"

namespace xylem::parabel {

// The trees with their trained nodes, tree by tree; nodes that are not trained become leaves without labels. rank_of:
// of each feature.
Forest merge_forest(const std::vector<LabelTree>& trees, std::vector<TrainedNode> trained,
                    std::vector<std::uint32_t> rank_of);

}  // namespace xylem::parabel
