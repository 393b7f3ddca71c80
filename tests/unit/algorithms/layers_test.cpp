// SPDX-License-Identifier: Apache-2.0
#include "algorithms/layers.h"

#include <gtest/gtest.h>

#include <functional>

#include "core/parallel.h"
#include "gradients.h"

namespace xylem {
namespace {

using Eigen::Index;

SparseMatrix random_rows(std::size_t n, std::size_t n_features, std::uint64_t seed) {
  Random random(seed, {});
  SparseMatrix rows;
  rows.n_columns = n_features;
  for (std::size_t row = 0; row < n; ++row) {
    for (Feature feature = 0; feature < n_features; ++feature) {
      if (random.below(3) != 0) continue;
      rows.ids.push_back(feature);
      rows.values.push_back(static_cast<float>(random.normal()));
    }
    rows.offsets.push_back(rows.ids.size());
  }
  return rows;
}

TEST(SparseLayer, FollowsItsGradient) {
  const SparseMatrix data = random_rows(6, 9, 1);
  SparseBatch batch;
  batch.assign(data, std::vector<std::uint32_t>{0, 3, 5}, 1, 1);
  const Matrix delta = random_matrix(3, 4, 2);
  SparseLayer layer(9, 4, 1, kPlain, Random(3, {}));
  SparseLayer still = layer;
  const auto loss = [&] {
    Matrix output;
    still.forward(batch.rows().rows(), output);
    return product(output, delta);
  };
  layer.begin_epoch(1, 1);
  layer.begin_step(batch);
  layer.backward(batch, delta);
  layer.finish_epoch();
  expect_gradient(still.table.values(), still.table.values() - layer.table.values(), loss);
  expect_gradient(still.bias.values(), still.bias.values() - layer.bias.values(), loss);
}

TEST(SparseForward, LeavesOutIdsBeyondTheTable) {
  const std::vector<std::uint64_t> offsets{0, 3};
  const std::vector<Feature> ids{1, 2, 70};
  const std::vector<float> values{1, 10, 100};
  const Matrix table = random_matrix(3, 2, 1), bias = random_matrix(1, 2, 2);
  Matrix output;
  sparse_forward({offsets, ids.data(), values.data()}, {table.data(), 3, 2}, {bias.data(), 1, 2}, output);
  EXPECT_TRUE(output.isApprox(bias + table.row(1) + 10 * table.row(2)));
}

TEST(DenseLayer, FollowsItsGradient) {
  Matrix input = random_matrix(5, 3, 1);
  const Matrix delta = random_matrix(5, 4, 2);
  DenseLayer layer(3, 4, 1, kPlain, Random(3, {}));
  DenseLayer still = layer;
  const auto loss = [&] {
    Matrix output;
    still.forward(input, output);
    return product(output, delta);
  };
  Matrix input_delta;
  layer.begin_epoch(1, 1);
  layer.begin_step();
  layer.backward(input, delta, &input_delta);
  layer.finish_epoch();
  expect_gradient(still.weights.values(), still.weights.values() - layer.weights.values(), loss);
  expect_gradient(still.bias.values(), still.bias.values() - layer.bias.values(), loss);
  expect_gradient(input, input_delta, loss);
}

TEST(Layers, ActivationsAndLossHaveTheirGradients) {
  const Matrix weights = random_matrix(4, 6, 1);
  Matrix input = random_matrix(4, 6, 2);
  const auto check = [&](const std::function<void(Matrix&)>& forward, const Matrix& delta) {
    expect_gradient(input, delta, [&] {
      Matrix output = input;
      forward(output);
      return product(output, weights);
    });
  };
  Matrix output = input, delta = weights;
  relu(output);
  relu_backward(output, delta);
  check(relu, delta);

  delta = weights;
  dropout_backward(delta, 0.4, 7);
  check([](Matrix& values) { dropout(values, 0.4, 7); }, delta);

  std::vector<float> lengths;
  output = input;
  normalise_rows(output, lengths);
  for (Index row = 0; row < output.rows(); ++row) EXPECT_NEAR(output.row(row).norm(), 1, 1e-5);
  delta = weights;
  normalise_rows_backward(output, lengths, delta);
  check([&](Matrix& values) { normalise_rows(values, lengths); }, delta);

  const Matrix target = random_matrix(4, 6, 3);
  smooth_l1(input, target, delta);
  const Matrix gradient = delta;
  expect_gradient(input, gradient, [&] { return smooth_l1(input, target, delta); });
}

TEST(SmoothL1, IsASquareInsideAndALineOutside) {
  const Matrix target = Matrix::Zero(2, 2);
  Matrix output(2, 2), delta;
  output << 0.5f, -3, 1, 0;
  EXPECT_DOUBLE_EQ(smooth_l1(output, target, delta), (0.125 + 2.5 + 0.5) / 2);
  Matrix expected(2, 2);
  expected << 0.25f, -0.5f, 0.5f, 0;
  EXPECT_EQ(delta, expected);
}

TEST(Layers, RowsOfLengthZeroStay) {
  Matrix values = Matrix::Zero(1, 3), delta = Matrix::Ones(1, 3);
  std::vector<float> lengths;
  normalise_rows(values, lengths);
  EXPECT_EQ(values, Matrix::Zero(1, 3));
  normalise_rows_backward(values, lengths, delta);
  EXPECT_EQ(delta, Matrix::Zero(1, 3));
}

TEST(Layers, GiveTheSameBytesForAnyNumberOfThreads) {
  const SparseMatrix data = random_rows(500, 300, 1);
  std::vector<std::uint32_t> rows(500);
  for (std::uint32_t i = 0; i < 500; ++i) rows[i] = i;
  const OptimiserOptions options;
  std::vector<Matrix> tables, weights;
  for (const int threads : {1, 2, 3}) {
    with_threads(threads, [&] {
      SparseLayer first(300, 70, 1, options, Random(3, {}));
      DenseLayer second(70, 20, 1, options, Random(4, {}));
      const Matrix target = random_matrix(500, 20, 5);
      SparseBatch batch;
      first.begin_epoch(0.01, 3);
      second.begin_epoch(0.01, 3);
      for (std::uint64_t step = 0; step < 3; ++step) {
        batch.assign(data, rows, 0.5, step);
        first.begin_step(batch);
        second.begin_step();
        Matrix hidden, output, delta, hidden_delta;
        first.forward(batch.rows().rows(), hidden);
        relu(hidden);
        second.forward(hidden, output);
        smooth_l1(output, target, delta);
        second.backward(hidden, delta, &hidden_delta);
        relu_backward(hidden, hidden_delta);
        first.backward(batch, hidden_delta);
      }
      first.finish_epoch();
      second.finish_epoch();
      tables.push_back(first.table.values());
      weights.push_back(second.weights.values());
    });
  }
  EXPECT_EQ(tables[1], tables[0]);
  EXPECT_EQ(tables[2], tables[0]);
  EXPECT_EQ(weights[1], weights[0]);
  EXPECT_EQ(weights[2], weights[0]);
}

}  // namespace
}  // namespace xylem
