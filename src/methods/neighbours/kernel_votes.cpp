// SPDX-License-Identifier: Apache-2.0
#include "methods/neighbours/kernel_votes.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <utility>

namespace xylem::neighbours {
namespace {

using Eigen::Index;

// Of the first n rows and columns. A cosine of 0 or less counts as next to nothing, as blended() has it.
auto logarithms(const Matrix& cosines, Index n) {
  return cosines.topLeftCorner(n, n).array().max(1e-30f).log();
}

}  // namespace

void KernelVotes::multiply_embedded() {
  embedded_.resize(vectors_.rows(), vectors_.rows());
  embedded_.noalias() = vectors_ * vectors_.transpose();
}

// Feature by feature: only what two rows share is multiplied, a third of what they have on eurlex57k.
void KernelVotes::multiply_own(const OwnMetric& metric) {
  own_.setZero(static_cast<Index>(rows_.size()), static_cast<Index>(rows_.size()));
  counts_.resize(metric.n_features(), 0);
  features_.clear();
  for (const Own& own : rows_) {
    for (const Feature feature : own.row.ids) {
      if (feature < counts_.size() && counts_[feature]++ == 0) features_.push_back(feature);
    }
  }
  std::uint32_t end = 0;
  for (const Feature feature : features_) end += std::exchange(counts_[feature], end);
  row_of_.resize(end);
  value_of_.resize(end);
  for (std::uint32_t number = 0; number < rows_.size(); ++number) {
    const auto& [row, inverse_length] = rows_[number];
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (row.ids[i] >= counts_.size()) continue;
      const std::uint32_t place = counts_[row.ids[i]]++;
      row_of_[place] = number;
      value_of_[place] = row.values[i] * inverse_length;
    }
  }
  std::uint32_t first = 0;
  for (const Feature feature : features_) {
    const float square = metric.square(feature);
    const std::uint32_t behind = std::exchange(counts_[feature], 0u);
    for (std::uint32_t i = first; i < behind; ++i) {
      const float value = value_of_[i] * square;
      float* products = own_.row(row_of_[i]).data();
      for (std::uint32_t j = first; j < i; ++j) products[row_of_[j]] += value * value_of_[j];
    }
    first = behind;
  }
}

std::span<const float> KernelVotes::votes(std::span<const Scored> first, double power, double ridge) {
  const auto positive = [](const Scored& neighbour) { return neighbour.score > 0; };
  const auto n = std::ranges::partition_point(first, positive) - first.begin();
  votes_.resize(static_cast<std::size_t>(n));
  if (n == 0) return votes_;
  const auto exponent = static_cast<float>(power), of_own = static_cast<float>(power * blend_);
  if (blend_ == 0) {
    kernel_ = (exponent * logarithms(embedded_, n)).exp();
  } else if (blend_ == 1) {
    kernel_ = (exponent * logarithms(own_, n)).exp();
  } else {
    kernel_ = ((exponent - of_own) * logarithms(embedded_, n) + of_own * logarithms(own_, n)).exp();
  }
  for (std::size_t i = 0; i < votes_.size(); ++i) votes_[i] = std::pow(first[i].score, exponent);
  Eigen::Map<Eigen::VectorXf> solution(votes_.data(), n);
  // The geometric mean of two kernels need not be one: then it takes a larger ridge. One of n is always enough.
  for (auto diagonal = static_cast<float>(std::max(ridge, 1e-3)); diagonal < 4 * static_cast<float>(n); diagonal *= 4) {
    factor_ = kernel_;
    factor_.diagonal().setConstant(1 + diagonal);
    const Eigen::LLT<Eigen::Ref<Matrix>, Eigen::Lower> cholesky(factor_);
    if (cholesky.info() != Eigen::Success) continue;
    cholesky.solveInPlace(solution);
    return votes_;
  }
  return votes_;
}

std::uint64_t KernelVotes::bytes(std::size_t n, std::size_t dim, const DataShape& shape) {
  constexpr std::uint64_t kNonzeros = 512;  // of a row, where nothing is known
  const std::uint64_t entries = std::min<std::uint64_t>(shape.nonzeros, n * kNonzeros);
  return sizeof(float) * (4 * n * n + n * dim) + 2 * sizeof(float) * entries +
         (sizeof(std::uint32_t) + sizeof(Feature)) * shape.features;
}

}  // namespace xylem::neighbours
