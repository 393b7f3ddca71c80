// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace xylem {

// out[i · stride + j] = Σ a[i · dim + x] · b[j · dim + x]. Each sum is taken in an order that depends on `dim` alone:
// a row has the same products whatever other rows it is asked with, which a matrix product of Eigen's does not promise.
void dot_products(const float* a, std::size_t n_a, const float* b, std::size_t n_b, std::size_t dim, float* out,
                  std::size_t stride);

}  // namespace xylem
