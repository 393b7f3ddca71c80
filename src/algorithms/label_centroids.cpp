// SPDX-License-Identifier: Apache-2.0
#include "algorithms/label_centroids.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/row_blocks.h"
#include "core/sparse_tools.h"

namespace xylem {

using Eigen::Index;

LabelCentroids label_centroids(const LabelLists& labels, std::size_t n_labels, std::size_t dim,
                               const std::function<void(std::size_t begin, std::size_t n, Matrix& out)>& embed) {
  constexpr std::size_t kRows = 256;
  constexpr float kLeast = 1e-4f;  // of the rows' length: below it, a direction is what rounding left over
  LabelCentroids result{Matrix::Zero(static_cast<Index>(n_labels), static_cast<Index>(dim)),
                        Eigen::RowVectorXf::Zero(static_cast<Index>(dim)), 0};
  std::vector<float> counts(n_labels);
  Matrix embedded, block;
  const std::size_t n_rows = labels.size();
  for (std::size_t first = 0; first < n_rows; first += kBlockRows) {
    LabelLists block_labels;
    block.resize(static_cast<Index>(std::min(kBlockRows, n_rows - first)), static_cast<Index>(dim));
    for (std::size_t begin = 0; begin < static_cast<std::size_t>(block.rows()); begin += kRows) {
      const std::size_t n = std::min(kRows, static_cast<std::size_t>(block.rows()) - begin);
      embed(first + begin, n, embedded);
      block.middleRows(static_cast<Index>(begin), static_cast<Index>(n)) = embedded;
      for (std::size_t i = 0; i < n; ++i) block_labels.push_back(labels[first + begin + i]);
    }
    result.mean += block.colwise().sum() / static_cast<float>(n_rows);
    result.mean_square += static_cast<double>(block.squaredNorm()) / static_cast<double>(n_rows);
    const LabelLists label_rows = rows_of_labels(block_labels, n_labels);
    Eigen::RowVectorXf sum(static_cast<Index>(dim));
    for (std::size_t label = 0; label < n_labels; ++label) {
      if (label_rows[label].empty()) continue;
      sum.setZero();
      for (const std::uint32_t row : label_rows[label]) sum += block.row(row);
      result.directions.row(static_cast<Index>(label)) += sum;
      counts[label] += static_cast<float>(label_rows[label].size());
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
