// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "core/dense.h"
#include "core/random.h"
#include "xylem/run.h"

namespace xylem {

struct DenseClusters {
  Matrix centres;
  std::vector<std::uint32_t> cluster_of;  // of each row the nearest centre
};

// k-means by squared distance, with at most as many clusters as there are rows; none is empty unless rows are equal.
// With `sample` the centres are learned from so many random rows for each cluster, if there are more: then some
// clusters may be empty.
DenseClusters cluster_rows(const Matrix& rows, std::size_t n_clusters, Random random, const Run& run,
                           std::size_t sample = 0);

}  // namespace xylem
