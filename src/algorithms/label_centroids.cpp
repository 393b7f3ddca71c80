// SPDX-License-Identifier: Apache-2.0
#include "algorithms/label_centroids.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace xylem {

using Eigen::Index;

LabelCentroids label_centroids(const LabelLists& labels, std::size_t n_labels, std::size_t dim,
                               const std::function<void(std::size_t begin, std::size_t n, Matrix& out)>& embed) {
  constexpr std::size_t kRows = 256;
  constexpr float kLeast = 1e-4f;  // of the rows' length: below it, a direction is what rounding left over
  LabelCentroids result{Matrix::Zero(static_cast<Index>(n_labels), static_cast<Index>(dim)),
                        Eigen::RowVectorXf::Zero(static_cast<Index>(dim)), 0};
  std::vector<float> counts(n_labels);
  Matrix embedded;
  const std::size_t n_rows = labels.size();
  for (std::size_t begin = 0; begin < n_rows; begin += kRows) {
    const std::size_t n = std::min(kRows, n_rows - begin);
    embed(begin, n, embedded);
    result.mean += embedded.colwise().sum() / static_cast<float>(n_rows);
    result.mean_square += static_cast<double>(embedded.squaredNorm()) / static_cast<double>(n_rows);
    for (std::size_t i = 0; i < n; ++i) {
      for (const Label label : labels[begin + i]) {
        result.directions.row(label) += embedded.row(static_cast<Index>(i));
        counts[label] += 1;
      }
    }
  }
  for (std::size_t label = 0; label < n_labels; ++label) {
    auto direction = result.directions.row(static_cast<Index>(label));
    direction -= counts[label] * result.mean;
    const float length = direction.norm();
    if (length > kLeast * counts[label] * static_cast<float>(std::sqrt(result.mean_square))) {
      direction /= length;
    } else {
      direction.setZero();
    }
  }
  return result;
}

}  // namespace xylem
