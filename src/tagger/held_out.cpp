// SPDX-License-Identifier: Apache-2.0
#include "tagger/held_out.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/fail.h"
#include "xylem/tagger.h"

namespace xylem {
namespace {

constexpr std::uint64_t kHoldOutStream = 0x686f6c64;  // of the random numbers that hold rows out

}  // namespace

std::size_t held_out_count(std::size_t n_rows, std::optional<double> fraction) {
  const double wanted = static_cast<double>(n_rows) * fraction.value_or(kHeldOutFraction);
  std::size_t n_held = std::max<std::size_t>(1, static_cast<std::size_t>(std::lround(wanted)));
  if (!fraction) n_held = std::min(n_held, kMaxHeldOut);
  if (n_held >= n_rows) {
    fail(ErrorKind::kData, "{} rows with labels are too few to hold {} out for validation", n_rows, n_held);
  }
  return n_held;
}

HeldOutRows::HeldOutRows(std::size_t n_rows, std::size_t n_held, std::uint64_t seed) : seed_(seed), last_(key_of(0)) {
  std::vector<RowKey> keys;
  keys.reserve(n_rows);
  for (std::size_t row = 0; row < n_rows; ++row) keys.push_back(key_of(row));
  const auto last = keys.begin() + static_cast<std::ptrdiff_t>(n_held - 1);
  std::nth_element(keys.begin(), last, keys.end());
  last_ = *last;
}

RowKey HeldOutRows::key_of(std::size_t row) const {
  return {seed_, kHoldOutStream, row};
}

Split hold_out(const Dataset& data, std::optional<double> fraction, std::uint64_t seed) {
  const HeldOutRows held_out(data.size(), held_out_count(data.size(), fraction), seed);
  std::vector<std::size_t> train, valid;
  for (std::size_t row = 0; row < data.size(); ++row) (held_out.has(row) ? valid : train).push_back(row);
  return {select_rows(data, train), select_rows(data, valid)};
}

}  // namespace xylem
