// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "methods/parabel/search.h"
#include "xylem/explanation.h"

namespace xylem::parabel {

// Adds the label's path in every tree, and as evidence what the features bring to the margins along a path, averaged
// over the trees. `explanation` knows label, score and rank; a label without a rank gets the score that a search of all
// nodes would give it.
void explain_paths(const Forest& forest, const SearchOptions& options, const ModelShape& shape, SparseRow row,
                   SearchScratch& scratch, Explanation& explanation);

}  // namespace xylem::parabel
