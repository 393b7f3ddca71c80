// SPDX-License-Identifier: Apache-2.0
#include "tagger/held_out.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <vector>

#include "core/fail.h"
#include "core/random.h"
#include "xylem/tagger.h"

namespace xylem {
namespace {

constexpr std::uint64_t kHoldOutStream = 0x686f6c64;  // of the random numbers that hold rows out

}  // namespace

Split hold_out(const Dataset& data, std::optional<double> fraction, std::uint64_t seed) {
  const double wanted = static_cast<double>(data.size()) * fraction.value_or(kHeldOutFraction);
  std::size_t n_valid = std::max<std::size_t>(1, static_cast<std::size_t>(std::lround(wanted)));
  if (!fraction) n_valid = std::min(n_valid, kMaxHeldOut);
  if (n_valid >= data.size()) {
    fail(ErrorKind::kData, "{} rows with labels are too few to hold {} out for validation", data.size(), n_valid);
  }
  std::vector<std::size_t> order(data.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  Random(seed, {kHoldOutStream}).shuffle(std::span(order));
  const auto border = order.begin() + static_cast<std::ptrdiff_t>(n_valid);
  std::sort(order.begin(), border);
  std::sort(border, order.end());
  return {select_rows(data, {border, order.end()}), select_rows(data, {order.begin(), border})};
}

}  // namespace xylem
