// SPDX-License-Identifier: Apache-2.0
#include "algorithms/layers.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "algorithms/weighted_sum.h"
#include "core/parallel.h"

namespace xylem {
namespace {

using Eigen::Index;

constexpr std::size_t kRowsPerTask = 64;  // of a block of a batch
constexpr std::size_t kUnits = 64;        // inputs of a dense layer that are updated together
constexpr std::size_t kFeatures = 64;     // of a sparse layer

// Calls use(begin, n) for blocks of rows.
void for_row_blocks(const Matrix& matrix, auto&& use) {
  parallel_for(static_cast<std::size_t>(matrix.rows()), kRowsPerTask, [&](std::size_t begin, std::size_t end) {
    use(static_cast<Index>(begin), static_cast<Index>(end - begin));
  });
}

// The bias follows the sum of the deltas, which one thread takes in order.
void update_bias(const Matrix& delta, Parameters& bias) {
  if (bias.rows() == 0) return;
  const Eigen::RowVectorXf sum = delta.colwise().sum();
  bias.catch_up(0);
  bias.update(0, sum.data());
}

MatrixView view(const Parameters& parameters) {
  return {parameters.values().data(), parameters.values().rows(), parameters.values().cols()};
}

// add(ids, values, sum) adds the vectors of the features in the table.
void sum_row(SparseRow row, std::size_t n_features, MatrixView bias, Matrix& output, Index i, auto&& add) {
  const auto end = std::ranges::lower_bound(row.ids, static_cast<Feature>(n_features));
  if (bias.size() > 0) {
    output.row(i) = bias.row(0);
  } else {
    output.row(i).setZero();
  }
  add(std::span<const Feature>(row.ids.begin(), end), row.values, output.row(i).data());
}

}  // namespace

void fill_normal(Matrix& values, double deviation, Random random, const Run& run) {
  for (auto column : values.colwise()) {
    run.check();
    for (float& value : column) value = static_cast<float>(deviation * random.normal());
  }
}

void sparse_forward(SparseRows rows, MatrixView table, MatrixView bias, Matrix& output) {
  const auto width = static_cast<std::size_t>(table.cols());
  output.resize(static_cast<Index>(rows.size()), table.cols());
  const auto add = [&](std::span<const Feature> ids, std::span<const float> values, float* sum) {
    add_weighted_rows(table.data(), width, ids, values, sum);
  };
  for_row_blocks(output, [&](Index begin, Index n) {
    for (Index i = begin; i < begin + n; ++i) {
      sum_row(rows[static_cast<std::size_t>(i)], static_cast<std::size_t>(table.rows()), bias, output, i, add);
    }
  });
}

void sparse_forward(SparseRows rows, const PackedVectors& table, MatrixView bias, Matrix& output) {
  output.resize(static_cast<Index>(rows.size()), static_cast<Index>(table.dim()));
  const auto add = [&](std::span<const Feature> ids, std::span<const float> values, float* sum) {
    table.add_weighted(ids, values, sum);
  };
  for (std::size_t i = 0; i < rows.size(); ++i) {
    sum_row(rows[i], table.size(), bias, output, static_cast<Index>(i), add);
  }
}

void dense_forward(const Matrix& input, MatrixView weights, MatrixView bias, Matrix& output) {
  output.resize(input.rows(), weights.cols());
  for_row_blocks(output, [&](Index begin, Index n) {
    output.middleRows(begin, n).noalias() = input.middleRows(begin, n) * weights;
    if (bias.size() > 0) output.middleRows(begin, n).rowwise() += bias.row(0);
  });
}

SparseLayer::SparseLayer(std::size_t n_features, std::size_t width, double deviation, const OptimiserOptions& options,
                         Random random, bool with_bias, const Run& run)
    : table(n_features, width, options), bias(with_bias ? 1 : 0, width, options) {
  fill_normal(table.values(), deviation, random, run);
}

void SparseLayer::begin_epoch(double rate, std::size_t steps) {
  table.begin_epoch(rate, steps);
  bias.begin_epoch(rate, steps);
}

void SparseLayer::begin_step(const SparseBatch& batch) {
  table.begin_step();
  bias.begin_step();
  parallel_for(batch.features().size(), kFeatures, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) table.catch_up(batch.features()[i]);
  });
}

void SparseLayer::forward(SparseRows rows, Matrix& output) const {
  sparse_forward(rows, view(table), view(bias), output);
}

void SparseLayer::backward(const SparseBatch& batch, const Matrix& delta) {
  const SparseRows by_feature = batch.by_feature();
  PerWorker<std::vector<float>> gradients;
  parallel_for(by_feature.size(), kFeatures, [&](std::size_t begin, std::size_t end) {
    std::vector<float>& gradient = gradients.local();
    for (std::size_t i = begin; i < end; ++i) {
      gradient.assign(table.width(), 0.0f);
      add_weighted_rows(delta.data(), table.width(), by_feature[i].ids, by_feature[i].values, gradient.data());
      table.update(batch.features()[i], gradient.data());
    }
  });
  update_bias(delta, bias);
}

void SparseLayer::finish_epoch() {
  table.finish_epoch();
  bias.finish_epoch();
}

DenseLayer::DenseLayer(std::size_t inputs, std::size_t outputs, double deviation, const OptimiserOptions& options,
                       Random random)
    : weights(inputs, outputs, options), bias(1, outputs, options) {
  fill_normal(weights.values(), deviation, random);
}

void DenseLayer::begin_epoch(double rate, std::size_t steps) {
  weights.begin_epoch(rate, steps);
  bias.begin_epoch(rate, steps);
}

void DenseLayer::begin_step() {
  weights.begin_step();
  bias.begin_step();
}

void DenseLayer::forward(const Matrix& input, Matrix& output) const {
  dense_forward(input, view(weights), view(bias), output);
}

void DenseLayer::backward(const Matrix& input, const Matrix& delta, Matrix* input_delta) {
  if (input_delta != nullptr) {
    input_delta->resize(input.rows(), input.cols());
    for_row_blocks(*input_delta, [&](Index begin, Index n) {
      input_delta->middleRows(begin, n).noalias() = delta.middleRows(begin, n) * weights.values().transpose();
    });
  }
  PerWorker<Matrix> gradients;
  parallel_for(weights.rows(), kUnits, [&](std::size_t begin, std::size_t end) {
    Matrix& gradient = gradients.local();
    gradient.noalias() =
        input.middleCols(static_cast<Index>(begin), static_cast<Index>(end - begin)).transpose() * delta;
    for (std::size_t unit = begin; unit < end; ++unit) {
      weights.catch_up(unit);
      weights.update(unit, gradient.row(static_cast<Index>(unit - begin)).data());
    }
  });
  update_bias(delta, bias);
}

void DenseLayer::finish_epoch() {
  weights.finish_epoch();
  bias.finish_epoch();
}

void relu(Matrix& values) {
  for_row_blocks(
      values, [&](Index begin, Index n) { values.middleRows(begin, n) = values.middleRows(begin, n).cwiseMax(0.0f); });
}

void relu_backward(const Matrix& output, Matrix& delta) {
  for_row_blocks(delta, [&](Index begin, Index n) {
    delta.middleRows(begin, n).array() *= (output.middleRows(begin, n).array() > 0).cast<float>();
  });
}

void dropout(Matrix& values, double probability, std::uint64_t seed) {
  if (probability == 0) return;
  const auto scale = static_cast<float>(1 / (1 - probability));
  for_row_blocks(values, [&](Index begin, Index n) {
    for (Index i = begin; i < begin + n; ++i) {
      Random random(seed, {static_cast<std::uint64_t>(i)});
      for (float& value : values.row(i)) value = random.uniform() < probability ? 0.0f : value * scale;
    }
  });
}

void dropout_backward(Matrix& delta, double probability, std::uint64_t seed) {
  dropout(delta, probability, seed);  // the same are dropped, the others scaled alike
}

void normalise_rows(Matrix& values, std::vector<float>& lengths) {
  lengths.resize(static_cast<std::size_t>(values.rows()));
  for_row_blocks(values, [&](Index begin, Index n) {
    for (Index i = begin; i < begin + n; ++i) {
      const float length = values.row(i).norm();
      lengths[static_cast<std::size_t>(i)] = length;
      if (length > 0) values.row(i) /= length;
    }
  });
}

void normalise_rows_backward(const Matrix& output, const std::vector<float>& lengths, Matrix& delta) {
  for_row_blocks(delta, [&](Index begin, Index n) {
    for (Index i = begin; i < begin + n; ++i) {
      const float length = lengths[static_cast<std::size_t>(i)];
      if (length == 0) {
        delta.row(i).setZero();
      } else {
        const float along = delta.row(i).dot(output.row(i));
        delta.row(i) = (delta.row(i) - along * output.row(i)) / length;
      }
    }
  });
}

double smooth_l1(const Matrix& output, const Matrix& target, Matrix& delta) {
  delta.resize(output.rows(), output.cols());
  std::vector<double> losses(static_cast<std::size_t>(output.rows()));
  const float share = 1.0f / static_cast<float>(std::max<Index>(1, output.rows()));
  for_row_blocks(delta, [&](Index begin, Index n) {
    for (Index i = begin; i < begin + n; ++i) {
      const auto difference = output.row(i).array() - target.row(i).array();
      const auto inside = difference.max(-1.0f).min(1.0f);
      // x²/2 inside, and beyond |x| - 1/2 = c x - c²/2 with c = ±1.
      losses[static_cast<std::size_t>(i)] =
          static_cast<double>((inside * difference - 0.5f * inside.square()).sum()) * static_cast<double>(share);
      delta.row(i) = share * inside.matrix();
    }
  });
  return std::accumulate(losses.begin(), losses.end(), 0.0);
}

}  // namespace xylem
