// SPDX-License-Identifier: Apache-2.0
// Where the labels' vectors of a network may start: at their rows, as the network sees them before it has learned.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <string_view>

#include "core/dense.h"
#include "xylem/dataset.h"

namespace xylem {

enum class LabelStart { kRandom, kCentroid };
inline auto choice_names(LabelStart) {
  return std::array<std::string_view, 2>{"random", "centroid"};
}

struct LabelCentroids {
  // For each label the direction from the mean of all rows to the mean of its own, of length 1: what all rows share
  // says nothing of labels. 0 where there is none.
  Matrix directions;
  Eigen::RowVectorXf mean;  // of all rows
  double mean_square;       // of the lengths of all rows
};

// Made of the sums of blocks (core/row_blocks.h), in their order. `labels` are those of all rows, below n_labels.
// embed(begin, n, out) gives the vectors of n rows from `begin` on.
LabelCentroids label_centroids(const LabelLists& labels, std::size_t n_labels, std::size_t dim,
                               const std::function<void(std::size_t begin, std::size_t n, Matrix& out)>& embed);

}  // namespace xylem
