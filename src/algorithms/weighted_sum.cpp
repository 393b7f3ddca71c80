// SPDX-License-Identifier: Apache-2.0
#include "algorithms/weighted_sum.h"

#include <algorithm>
#include <array>

namespace xylem {
namespace {

constexpr std::size_t kAtOnce = 4;  // rows: `out` is then read and written once for each four
constexpr std::size_t kAhead = 4;   // rows from which memory is asked for

template <class T>
void prefetch(const T* row, std::size_t width) {
  for (std::size_t c = 0; c < width; c += 64 / sizeof(T)) __builtin_prefetch(row + c);
}

float to_float(float value) {
  return value;
}

template <class T>
void add_rows(const T* table, std::size_t width, std::span<const std::uint32_t> ids, std::span<const float> values,
              float* __restrict out) {
  const auto row = [&](std::size_t i) { return table + ids[i] * width; };
  std::size_t i = 0;
  for (; i + kAtOnce <= ids.size(); i += kAtOnce) {
    for (std::size_t j = i + kAhead; j < std::min(i + kAhead + kAtOnce, ids.size()); ++j) prefetch(row(j), width);
    const T *a = row(i), *b = row(i + 1), *c = row(i + 2), *d = row(i + 3);
    const std::array<float, kAtOnce> v{values[i], values[i + 1], values[i + 2], values[i + 3]};
    for (std::size_t x = 0; x < width; ++x) {
      out[x] =
          (((out[x] + v[0] * to_float(a[x])) + v[1] * to_float(b[x])) + v[2] * to_float(c[x])) + v[3] * to_float(d[x]);
    }
  }
  for (; i < ids.size(); ++i) {
    const T* a = row(i);
    for (std::size_t x = 0; x < width; ++x) out[x] += values[i] * to_float(a[x]);
  }
}

}  // namespace

void add_weighted_rows(const float* table, std::size_t width, std::span<const std::uint32_t> ids,
                       std::span<const float> values, float* out) {
  add_rows(table, width, ids, values, out);
}

void add_weighted_rows(const Bf16* table, std::size_t width, std::span<const std::uint32_t> ids,
                       std::span<const float> values, float* out) {
  add_rows(table, width, ids, values, out);
}

}  // namespace xylem
