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
DenseClusters cluster_rows(const Matrix& rows, std::size_t n_clusters, Random random, const Run& run);

}  // namespace xylem
