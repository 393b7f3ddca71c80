// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>

namespace xylem {

// Dense matrices are row-major, so that a row (of an example, a label, a feature) is contiguous.
using Matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using MatrixView = Eigen::Map<const Matrix>;

// Eigen cuts its products by the cache sizes that it finds, and the cut decides the last bits of the result. Fixed, so
// that machines agree; called once before any product.
inline void fix_dense_blocking() {
  Eigen::setCpuCacheSizes(32 * 1024, 512 * 1024, 8 * 1024 * 1024);
}

}  // namespace xylem
