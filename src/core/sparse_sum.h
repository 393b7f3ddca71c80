// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "xylem/sparse.h"

namespace xylem {

// Adds up sparse rows. A buffer to reuse: 0 again when the sum is taken.
class SparseSum {
 public:
  void set_columns(std::size_t n) { values_.resize(n); }

  void add(Feature column, float value) {
    float& sum = values_[column];
    if (sum == 0 && value != 0) columns_.push_back(column);
    sum += value;
  }
  void add(SparseRow row) {
    for (std::size_t i = 0; i < row.size(); ++i) add(row.ids[i], row.values[i]);
  }

  // Calls use(column, value) for what is not 0, in the order in which columns came up.
  void take(auto&& use) {
    for (const Feature column : columns_) {
      // Values that are 0 on the way are listed twice; the second time nothing is left.
      const float value = std::exchange(values_[column], 0.0f);
      if (value != 0) use(column, value);
    }
    columns_.clear();
  }

 private:
  std::vector<float> values_;
  std::vector<Feature> columns_;
};

}  // namespace xylem
