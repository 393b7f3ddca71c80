// SPDX-License-Identifier: Apache-2.0
#include "methods/rank_ae/word_attention.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "gradients.h"
#include "toy_data.h"

namespace xylem::rank_ae {
namespace {

using Eigen::Index;

constexpr std::size_t kDim = 6, kSqueezed = 3;

SparseBatch batch_of(const Dataset& data, std::size_t n_rows) {
  std::vector<std::uint32_t> rows(n_rows);
  std::iota(rows.begin(), rows.end(), 0u);
  SparseBatch batch;
  batch.assign(data.features, rows, 1, 1);
  return batch;
}

// Word by word, as the formula has it.
Matrix slow_forward(const WordAttention& words, const Dataset& data, std::size_t n_rows) {
  Matrix result = Matrix::Zero(static_cast<Index>(n_rows), static_cast<Index>(kDim));
  for (std::size_t row = 0; row < n_rows; ++row) {
    for (std::size_t i = 0; i < data.features[row].size(); ++i) {
      const Matrix e = words.words.values().row(data.features[row].ids[i]);
      Matrix attention = Matrix::Ones(1, static_cast<Index>(kDim));
      if (words.excite.weights.rows() > 0) {
        const Matrix inner = (e * words.squeeze.weights.values() + words.squeeze.bias.values()).cwiseMax(0.0f);
        const Matrix outer = inner * words.excite.weights.values() + words.excite.bias.values();
        attention = (1.0f / (1.0f + (-outer.array()).exp())).matrix();
      }
      const float weight = std::sqrt(static_cast<float>(kDim)) * data.features[row].values[i];
      result.row(static_cast<Index>(row)) += weight * e.cwiseProduct(attention).row(0);
    }
  }
  return result;
}

TEST(WordAttention, PoolsWordsAsTheFormulaSays) {
  const Dataset data = test::toy_data(1);
  for (const std::size_t squeezed : {std::size_t{0}, kSqueezed}) {
    WordAttention words(data.features.n_columns, kDim, squeezed, {}, 1);
    for (Parameters* part : words.parameters()) part->begin_epoch(0, 1);
    const SparseBatch batch = batch_of(data, 20);
    Matrix rows;
    words.forward(batch, rows);
    EXPECT_TRUE(rows.isApprox(slow_forward(words, data, 20), 1e-5f));
    const WordAttention::Attended attended = words.attended();
    Matrix again;
    sparse_forward(batch.rows().rows(), MatrixView(attended.vectors.data(), attended.vectors.rows(), kDim),
                   MatrixView(nullptr, 0, 0), again);
    EXPECT_TRUE(again.isApprox(rows, 1e-5f));
    for (const float attention : attended.attention) {
      EXPECT_GT(attention, 0);
      EXPECT_LE(attention, 1);
    }
  }
}

// A step of sgd without momentum and with rate 1 takes the gradient off the parameters. The loss is Σ rows ⊙ direction.
TEST(WordAttention, HasTheGradientOfItsDifferences) {
  const Dataset data = test::toy_data(1);
  constexpr std::size_t kRows = 10;
  const SparseBatch batch = batch_of(data, kRows);
  Matrix direction(kRows, kDim);
  Random random(3, {});
  for (float& value : direction.reshaped()) value = static_cast<float>(random.normal());
  for (const std::size_t squeezed : {std::size_t{0}, kSqueezed}) {
    const WordAttention before(data.features.n_columns, kDim, squeezed, kPlain, 1);
    WordAttention after = before, probe = before;
    for (Parameters* part : after.parameters()) part->begin_epoch(1, 1);
    Matrix rows;
    after.forward(batch, rows);
    after.backward(batch, direction);
    const auto loss = [&] {
      return static_cast<double>(slow_forward(probe, data, kRows).cwiseProduct(direction).sum());
    };
    std::size_t n_moved = 0;
    const auto parts_after = after.parameters(), parts = probe.parameters();
    for (std::size_t part = 0; part < parts.size(); ++part) {
      for (Index i = 0; i < parts[part]->values().size(); ++i) {
        constexpr float kStep = 0.003f;
        float& value = parts[part]->values().data()[i];
        const float start = value;
        value = start + kStep;
        const double above = loss();
        value = start - kStep;
        const double below = loss();
        value = start;
        const double slope = (above - below) / (2 * static_cast<double>(kStep));
        const auto moved = static_cast<double>(start - parts_after[part]->values().data()[i]);
        EXPECT_NEAR(moved, slope, 0.01 * std::max(1.0, std::abs(slope))) << "part " << part << " number " << i;
        n_moved += std::abs(slope) > 0.05 ? 1 : 0;
      }
    }
    EXPECT_GT(n_moved, 50u);
  }
}

}  // namespace
}  // namespace xylem::rank_ae
