// SPDX-License-Identifier: Apache-2.0
#include "methods/glas/regularisers.h"

#include <algorithm>
#include <numeric>

#include "core/parallel.h"
#include "core/random.h"

namespace xylem::glas {
namespace {

using Eigen::Index;

constexpr std::size_t kRowsPerSum = 64;

}  // namespace

DrawnLabels draw_labels(const LabelLists& positives, std::uint64_t seed) {
  std::vector<std::uint32_t> all;
  Random random(seed, {});
  for (std::size_t row = 0; row < positives.size(); ++row) {
    if (!positives[row].empty()) all.push_back(positives[row][random.below(positives[row].size())]);
  }
  std::ranges::sort(all);
  DrawnLabels drawn;
  for (const std::uint32_t place : all) {
    if (drawn.places.empty() || drawn.places.back() != place) {
      drawn.places.push_back(place);
      drawn.counts.push_back(0);
    }
    drawn.counts.back() += 1;
  }
  return drawn;
}

double regularise(const RegulariserOptions& options, const Matrix& vectors, const DrawnLabels& drawn,
                  const Matrix& together, const Matrix& phi, Matrix& gradient, Matrix& phi_delta) {
  const auto n = static_cast<Index>(drawn.places.size());
  gradient.setZero(n, vectors.cols());
  const float total = std::accumulate(drawn.counts.begin(), drawn.counts.end(), 0.0f);
  if (options.regulariser == Regulariser::kNone || n == 0) return 0;
  const float share = 1 / (total * total);
  const auto factor = static_cast<float>(options.lambda) * share;
  Matrix labels(n, vectors.cols());
  for (Index i = 0; i < n; ++i) labels.row(i) = vectors.row(drawn.places[static_cast<std::size_t>(i)]);
  const Eigen::Map<const Eigen::RowVectorXf> counts(drawn.counts.data(), n);

  const bool gravity = options.regulariser == Regulariser::kGravity;
  const bool glas = options.regulariser == Regulariser::kGlas;
  const bool laplacian = options.regulariser == Regulariser::kLaplacian;
  const auto n_rows = static_cast<std::size_t>(gravity ? phi.rows() : n);
  std::vector<double> values((n_rows + kRowsPerSum - 1) / kRowsPerSum);
  Matrix products(static_cast<Index>(n_rows), n);  // becomes the gradient by them, without the factor
  parallel_for(n_rows, kRowsPerSum, [&](std::size_t begin, std::size_t end) {
    const auto first = static_cast<Index>(begin), size = static_cast<Index>(end - begin);
    auto block = products.middleRows(first, size);
    block.noalias() = (gravity ? phi : labels).middleRows(first, size) * labels.transpose();
    double value = 0;
    for (Index i = 0; i < size; ++i) {
      auto row = block.row(i).array();
      const float count = gravity ? 1.0f : counts[first + i];
      if (laplacian) {
        const auto u = together.row(first + i).array();
        value += static_cast<double>(count * (counts.array() * u * (2 - 2 * row)).sum());
        row = -2 * u;
      } else {
        if (glas) row -= together.row(first + i).array();
        value += static_cast<double>(count * (counts.array() * row.square()).sum());
        row *= 2;
      }
      row *= counts.array() * count;
    }
    values[begin / kRowsPerSum] = value;
  });
  // Both factors of VVᵀ are V, and the matrix between them is symmetric.
  const float times = gravity ? factor : 2 * factor;
  parallel_for(static_cast<std::size_t>(n), kRowsPerSum, [&](std::size_t begin, std::size_t end) {
    const auto first = static_cast<Index>(begin), size = static_cast<Index>(end - begin);
    gradient.middleRows(first, size).noalias() =
        times * (products.middleCols(first, size).transpose() * (gravity ? phi : labels));
  });
  if (gravity) {
    parallel_for(n_rows, kRowsPerSum, [&](std::size_t begin, std::size_t end) {
      const auto first = static_cast<Index>(begin), size = static_cast<Index>(end - begin);
      phi_delta.middleRows(first, size).noalias() += factor * (products.middleRows(first, size) * labels);
    });
  }
  return static_cast<double>(share) * std::accumulate(values.begin(), values.end(), 0.0);
}

}  // namespace xylem::glas
