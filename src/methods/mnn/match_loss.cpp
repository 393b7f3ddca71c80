// SPDX-License-Identifier: Apache-2.0
#include "methods/mnn/match_loss.h"

#include <algorithm>
#include <numeric>

#include "algorithms/dot_products.h"
#include "core/parallel.h"
#include "core/random.h"

namespace xylem::mnn {
namespace {

using Eigen::Index;

constexpr std::size_t kGrain = 16;

float cosine(const Matrix& rows, std::size_t row, const Matrix& sets, std::size_t set) {
  float result = 0;
  const auto dim = static_cast<std::size_t>(rows.cols());
  dot_products(rows.data() + row * dim, 1, sets.data() + set * dim, 1, dim, &result, 1);
  return result;
}

}  // namespace

std::vector<std::uint32_t> hardest_negatives(const Matrix& rows, const Matrix& sets,
                                             std::span<const std::span<const Label>> labels, std::size_t n_negatives,
                                             std::uint64_t seed) {
  std::vector<std::uint32_t> result(labels.size(), kNoNegative);
  parallel_for(labels.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      Random random(seed, {i});
      float nearest = 0;
      for (std::size_t draw = 0; draw < n_negatives; ++draw) {
        const auto other = static_cast<std::uint32_t>(random.below(labels.size()));
        if (std::ranges::equal(labels[other], labels[i])) continue;
        const float c = cosine(rows, i, sets, other);
        if (result[i] != kNoNegative && c <= nearest) continue;
        nearest = c;
        result[i] = other;
      }
    }
  });
  return result;
}

double match_loss(const Matrix& rows, const Matrix& sets, const std::vector<std::uint32_t>& negatives, double margin,
                  Matrix& rows_delta, Matrix& sets_delta) {
  const std::size_t n = negatives.size();
  const float share = 1.0f / static_cast<float>(std::max<std::size_t>(1, n));
  std::vector<double> losses(n);
  std::vector<float> own(n), other(n);                     // the loss's gradients by the two cosines
  std::vector<std::vector<std::uint32_t>> negative_of(n);  // which rows
  for (std::uint32_t i = 0; i < n; ++i) {
    if (negatives[i] != kNoNegative) negative_of[negatives[i]].push_back(i);
  }
  rows_delta.resize(rows.rows(), rows.cols());
  sets_delta.resize(rows.rows(), rows.cols());
  parallel_for(n, kGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const auto row = static_cast<Index>(i);
      const float c = cosine(rows, i, sets, i);
      own[i] = -share * (1 - c) / 2;
      losses[i] = static_cast<double>(share * (1 - c) * (1 - c) / 4);
      rows_delta.row(row) = own[i] * sets.row(row);
      if (negatives[i] == kNoNegative) continue;
      const float wrong = cosine(rows, i, sets, negatives[i]);
      if (static_cast<double>(wrong) <= margin) continue;
      other[i] = 2 * share * wrong;
      losses[i] += static_cast<double>(share * wrong * wrong);
      rows_delta.row(row) += other[i] * sets.row(negatives[i]);
    }
  });
  // Each set has one owner, which takes the rows in order.
  parallel_for(n, kGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      auto delta = sets_delta.row(static_cast<Index>(i));
      delta = own[i] * rows.row(static_cast<Index>(i));
      for (const std::uint32_t row : negative_of[i]) delta += other[row] * rows.row(row);
    }
  });
  return std::accumulate(losses.begin(), losses.end(), 0.0);
}

}  // namespace xylem::mnn
