// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace xylem {

// out[i · stride + j] = Σ a[i · dim + x] · b[j · dim + x]. Each sum is taken in an order that depends on `dim` alone:
// a row has the same products whatever other rows it is asked with, which a matrix product of Eigen's does not promise.
void dot_products(const float* a, std::size_t n_a, const float* b, std::size_t n_b, std::size_t dim, float* out,
                  std::size_t stride);

// out[j] = Σ a[x] · b[j · dim + x], of whole numbers. `dim` is a multiple of 8, and the sum of |a[x]| below 2^24, so
// that no sum overflows.
void dot_products(const std::int16_t* a, const std::int8_t* b, std::size_t n_b, std::size_t dim, std::int32_t* out);

}  // namespace xylem
