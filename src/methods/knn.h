// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/options.h"
#include "xylem/method.h"

namespace xylem {

inline constexpr int kMostNeighbours = 1'000'000;

struct KnnOptions {
  int k = 0;

  void fields(auto&& field) {
    field("k", k, "nearest rows that vote; 0: chosen on validation rows", Range{0, kMostNeighbours});
  }
};

extern const Method knn;

}  // namespace xylem
