// SPDX-License-Identifier: Apache-2.0
#include "methods/rank_ae/word_attention.h"

#include <algorithm>
#include <cmath>

#include "algorithms/weighted_sum.h"
#include "core/parallel.h"

namespace xylem::rank_ae {
namespace {

using Eigen::Index;

constexpr std::uint64_t kWordStream = 0x776f7264;
constexpr std::uint64_t kSqueezeStream = 0x73717565;
constexpr std::uint64_t kExciteStream = 0x65786369;
constexpr std::size_t kWords = 64;         // that a thread takes at once
constexpr std::size_t kManyWords = 16384;  // of all that were learned

void sigmoid(Matrix& values) {
  parallel_for(static_cast<std::size_t>(values.rows()), kWords, [&](std::size_t begin, std::size_t end) {
    auto rows = values.middleRows(static_cast<Index>(begin), static_cast<Index>(end - begin)).array();
    rows = 1.0f / (1.0f + (-rows).exp());
  });
}

MatrixView trained(const Parameters& parameters) {
  return {parameters.trained().data(), parameters.trained().rows(), parameters.trained().cols()};
}

}  // namespace

// Word vectors have a length of about 0.3. What a rare word starts with it keeps, and adds to the rows that have it:
// with length 1, P@1 on held-out rows of reuters-r90 was 93.3 instead of 94.2.
WordAttention::WordAttention(std::size_t n_words, std::size_t dim, std::size_t squeezed,
                             const OptimiserOptions& options, std::uint64_t seed, const Run& run)
    : words(n_words, dim, options), places_(n_words) {
  fill_normal(words.values(), 0.3 / std::sqrt(static_cast<double>(dim)), Random(seed, {kWordStream}), run);
  if (squeezed == 0) return;
  const double from_dim = std::sqrt(2.0 / static_cast<double>(dim));
  const double from_squeezed = std::sqrt(2.0 / static_cast<double>(squeezed));
  squeeze = DenseLayer(dim, squeezed, from_dim, options, Random(seed, {kSqueezeStream}));
  excite = DenseLayer(squeezed, dim, from_squeezed, options, Random(seed, {kExciteStream}));
}

float WordAttention::scale() const {
  return std::sqrt(static_cast<float>(words.width()));
}

void WordAttention::forward(const SparseBatch& batch, Matrix& rows) {
  const std::span<const Feature> features = batch.features();
  words.begin_step();
  vectors_.resize(static_cast<Index>(features.size()), static_cast<Index>(words.width()));
  parallel_for(features.size(), kWords, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      words.catch_up(features[i]);
      vectors_.row(static_cast<Index>(i)) = words.values().row(features[i]);
      places_[features[i]] = static_cast<std::uint32_t>(i);
    }
  });
  if (has_attention()) {
    squeeze.begin_step();
    excite.begin_step();
    squeeze.forward(vectors_, squeezed_);
    relu(squeezed_);
    excite.forward(squeezed_, attention_);
    sigmoid(attention_);
    attended_.resize(vectors_.rows(), vectors_.cols());
    parallel_for(features.size(), kWords, [&](std::size_t begin, std::size_t end) {
      const auto first = static_cast<Index>(begin), n = static_cast<Index>(end - begin);
      attended_.middleRows(first, n) = vectors_.middleRows(first, n).cwiseProduct(attention_.middleRows(first, n));
    });
  }
  local_rows_ = batch.rows();
  for (Feature& id : local_rows_.ids) id = places_[id];
  for (float& value : local_rows_.values) value *= scale();
  const Matrix& table = has_attention() ? attended_ : vectors_;
  sparse_forward(local_rows_.rows(), MatrixView(table.data(), table.rows(), table.cols()), MatrixView(nullptr, 0, 0),
                 rows);
}

void WordAttention::backward(const SparseBatch& batch, const Matrix& delta) {
  const SparseRows by_word = batch.by_feature();
  const auto width = words.width();
  attended_delta_.setZero(vectors_.rows(), vectors_.cols());
  if (has_attention()) attention_delta_.resize(vectors_.rows(), vectors_.cols());
  parallel_for(by_word.size(), kWords, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      add_weighted_rows(delta.data(), width, by_word[i].ids, by_word[i].values,
                        attended_delta_.row(static_cast<Index>(i)).data());
      attended_delta_.row(static_cast<Index>(i)) *= scale();
    }
    if (!has_attention()) return;
    const auto first = static_cast<Index>(begin), n = static_cast<Index>(end - begin);
    const auto attention = attention_.middleRows(first, n).array();
    auto flowing = attended_delta_.middleRows(first, n).array();
    attention_delta_.middleRows(first, n) =
        flowing * vectors_.middleRows(first, n).array() * attention * (1.0f - attention);
    flowing *= attention;
  });
  if (has_attention()) {
    excite.backward(squeezed_, attention_delta_, &squeezed_delta_);
    relu_backward(squeezed_, squeezed_delta_);
    squeeze.backward(vectors_, squeezed_delta_, &input_delta_);
  }
  parallel_for(by_word.size(), kWords, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      auto gradient = attended_delta_.row(static_cast<Index>(i));
      if (has_attention()) gradient += input_delta_.row(static_cast<Index>(i));
      words.update(batch.features()[i], gradient.data());
    }
  });
}

WordAttention::Attended WordAttention::attended() const {
  Attended result{scale() * words.trained(), std::vector<float>(words.rows(), 1.0f)};
  if (!has_attention()) return result;
  Matrix part, inner, attention;
  for (std::size_t begin = 0; begin < words.rows(); begin += kManyWords) {
    const auto first = static_cast<Index>(begin);
    const auto n = static_cast<Index>(std::min(kManyWords, words.rows() - begin));
    part = words.trained().middleRows(first, n);
    dense_forward(part, trained(squeeze.weights), trained(squeeze.bias), inner);
    relu(inner);
    dense_forward(inner, trained(excite.weights), trained(excite.bias), attention);
    sigmoid(attention);
    result.vectors.middleRows(first, n).array() *= attention.array();
    for (Index i = 0; i < n; ++i) result.attention[begin + static_cast<std::size_t>(i)] = attention.row(i).mean();
  }
  return result;
}

std::uint64_t WordAttention::bytes(std::size_t n_words, std::size_t dim, std::size_t squeezed,
                                   const OptimiserOptions& options) {
  return Parameters::bytes(n_words + 2 * squeezed + 2, dim, options) + n_words * sizeof(std::uint32_t);
}

std::uint64_t WordAttention::step_bytes_a_word(std::size_t dim, std::size_t squeezed) {
  return sizeof(float) * (6 * dim + 2 * squeezed);
}

}  // namespace xylem::rank_ae
