// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/numbering.h"
#include "xylem/sparse.h"

namespace xylem {

// Some rows of a data set, by rows and by features: forward passes are cut over rows, gradients over features.
class SparseBatch {
 public:
  // Each feature of a row is kept with probability `keep`, and its value then divided by it. What is kept depends on
  // `seed` and the row's number alone.
  void assign(const SparseMatrix& data, std::span<const std::uint32_t> rows, double keep, std::uint64_t seed);

  std::size_t size() const { return rows_.size(); }
  const SparseMatrix& rows() const { return rows_; }

  // The features that occur, rising; by_feature()[i] has the rows of the batch with feature features()[i], and values.
  std::span<const Feature> features() const { return features_; }
  SparseRows by_feature() const { return by_feature_.rows(); }

 private:
  SparseMatrix rows_, by_feature_;
  std::vector<Feature> features_;
  Numbering numbering_;
  std::vector<std::uint64_t> next_;
};

}  // namespace xylem
