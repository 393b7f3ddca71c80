// SPDX-License-Identifier: Apache-2.0
#include "methods/neighbours/kernel_votes.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

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

void KernelVotes::begin_own(std::size_t n, const OwnMetric& metric) {
  own_.setZero(static_cast<Index>(n), static_cast<Index>(n));
  counts_.resize(metric.n_features(), 0);
  entries_.clear();
  features_.clear();
  n_rows_ = 0;
}

void KernelVotes::add_own(SparseRow row, float inverse_length) {
  for (std::size_t i = 0; i < row.size(); ++i) {
    const Feature feature = row.ids[i];
    if (feature >= counts_.size()) continue;
    if (counts_[feature]++ == 0) features_.push_back(feature);
    entries_.push_back({feature, n_rows_, row.values[i] * inverse_length});
  }
  ++n_rows_;
}

// Feature by feature: only what two rows share is multiplied, a third of what they have on eurlex57k.
void KernelVotes::multiply_own(const OwnMetric& metric) {
  std::uint32_t end = 0;
  for (const Feature feature : features_) {
    const std::uint32_t begin = end;
    end += counts_[feature];
    counts_[feature] = begin;
  }
  by_feature_.resize(entries_.size());
  for (const Entry& entry : entries_) by_feature_[counts_[entry.feature]++] = entry;
  std::size_t first = 0;
  for (const Feature feature : features_) {
    const float square = metric.square(feature);
    for (std::size_t i = first; i < counts_[feature]; ++i) {
      const float value = by_feature_[i].value * square;
      float* products = own_.row(by_feature_[i].row).data();
      for (std::size_t j = first; j < i; ++j) products[by_feature_[j].row] += value * by_feature_[j].value;
    }
    first = counts_[feature];
    counts_[feature] = 0;
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
  return sizeof(float) * (4 * n * n + n * dim) + 2 * sizeof(Entry) * entries +
         (sizeof(std::uint32_t) + sizeof(Feature)) * shape.features;
}

}  // namespace xylem::neighbours
