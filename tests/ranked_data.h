// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <numeric>
#include <vector>

#include "methods/parabel/node_problem.h"

namespace xylem::test {

// With the rows in the order of the data.
inline parabel::RankedData ranked(const Dataset& data) {
  std::vector<std::uint32_t> order(data.size());
  std::iota(order.begin(), order.end(), 0u);
  return parabel::rank_features(data, order);
}

}  // namespace xylem::test
