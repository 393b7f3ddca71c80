// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "algorithms/dot_products.h"
#include "core/dense.h"
#include "xylem/model.h"

namespace xylem::neighbours {

// Label vectors of any length.
struct LabelSpace {
  LabelVectors vectors;
  std::vector<float> inverse_lengths;  // 0 where a vector is 0

  LabelSpace(const LabelVectors& of, std::size_t n_labels) : vectors(of), inverse_lengths(n_labels) {
    for (std::size_t label = 0; label < n_labels; ++label) {
      const float length =
          MatrixView(of[static_cast<Label>(label)].data(), 1, static_cast<Eigen::Index>(of.dim)).norm();
      inverse_lengths[label] = length > 0 ? 1 / length : 0;
    }
  }
};

// The cosines of some embedded rows with the vectors of all labels, in the mean over several encoders.
class LabelCosines {
 public:
  void begin(std::size_t n_rows, std::size_t n_labels) {
    n_labels_ = n_labels;
    n_encoders_ = 0;
    sums_.assign(n_rows * n_labels, 0.0f);
  }
  // Of one encoder, whose rows have length 1 or 0.
  void add(const Matrix& rows, const LabelSpace& labels) {
    const auto n_rows = static_cast<std::size_t>(rows.rows());
    products_.resize(sums_.size());
    dot_products(rows.data(), n_rows, labels.vectors.values.data(), n_labels_, labels.vectors.dim, products_.data(),
                 n_labels_);
    ++n_encoders_;
    const float share = 1.0f / static_cast<float>(n_encoders_);
    for (std::size_t row = 0, i = 0; row < n_rows; ++row) {
      for (std::size_t label = 0; label < n_labels_; ++label, ++i) {
        sums_[i] += share * (products_[i] * labels.inverse_lengths[label] - sums_[i]);
      }
    }
  }
  std::span<const float> operator[](std::size_t row) const {
    return std::span(sums_).subspan(row * n_labels_, n_labels_);
  }

 private:
  std::size_t n_labels_ = 0, n_encoders_ = 0;
  std::vector<float> sums_, products_;
};

}  // namespace xylem::neighbours
