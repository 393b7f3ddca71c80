// SPDX-License-Identifier: Apache-2.0
// What is chosen by nDCG@5 on the validation rows, by the votes of the nearest training rows.
#pragma once

#include <cstddef>
#include <cstdint>

#include "methods/dxml/learner.h"

namespace xylem::dxml {

struct VoteChoice {
  double figure = -1;
  std::uint64_t k = 0;
  double blend = 0;
};

// The best k and blend, the smallest of equals; those of the options where they are given. The search is exact.
VoteChoice choose_votes(const Net& net, const LearnerData& data, const DxmlOptions& options, const Run& run);

// options.clusters, or where that is 0 the root of the number of rows; few rows are searched as a whole.
std::size_t cluster_count(const DxmlOptions& options, std::size_t n_rows);

struct CellChoice {
  std::size_t clusters, probes;
};

// What is given; else clusters by the number of rows, and the fewest probes with which the figure is nearly as good as
// with all. 1 of what is not given where there are no validation rows. options.k and options.blend are given.
CellChoice choose_cells(const Net& net, const LearnerData& data, const DxmlOptions& options, Random random,
                        const Run& run);

}  // namespace xylem::dxml
