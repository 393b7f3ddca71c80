// SPDX-License-Identifier: Apache-2.0
#include "algorithms/label_layer.h"

#include <algorithm>
#include <cmath>

#include "algorithms/layers.h"
#include "core/parallel.h"

namespace xylem {
namespace {

using Eigen::Index;

// Of the blocks that one thread multiplies: large enough that Eigen's copying of their parts does not count.
constexpr std::size_t kLabels = 256;
constexpr Index kRows = 128, kColumns = 256;

}  // namespace

LabelLayer::LabelLayer(std::size_t n_labels, std::size_t dim, double deviation, const OptimiserOptions& options,
                       Random random, bool with_bias, const Run& run)
    : vectors(n_labels, dim, options), bias(with_bias ? n_labels : 0, 1, options) {
  fill_normal(vectors.values(), deviation, random, run);
}

void LabelLayer::start_biases(std::span<const std::uint32_t> counts, std::size_t n_rows) {
  for (std::size_t label = 0; label < counts.size(); ++label) {
    const double with = counts[label] + 0.5, without = static_cast<double>(n_rows) - counts[label] + 0.5;
    bias.values()(static_cast<Index>(label), 0) = static_cast<float>(std::log(with / without));
  }
}

void LabelLayer::begin_epoch(double rate, std::size_t steps) {
  vectors.begin_epoch(rate, steps);
  bias.begin_epoch(rate, steps);
}

void LabelLayer::begin_step(std::span<const Label> labels, Matrix& in_use) {
  labels_.assign(labels.begin(), labels.end());
  vectors.begin_step();
  bias.begin_step();
  in_use.resize(static_cast<Index>(labels.size()), static_cast<Index>(vectors.width()));
  parallel_for(labels.size(), kLabels, [&](std::size_t begin, std::size_t end) {
    for (std::size_t place = begin; place < end; ++place) {
      vectors.catch_up(labels[place]);
      if (bias.rows() > 0) bias.catch_up(labels[place]);
      in_use.row(static_cast<Index>(place)) = vectors.values().row(labels[place]);
    }
  });
}

void LabelLayer::forward(const Matrix& input, const Matrix& in_use, Matrix& scores) const {
  scores.resize(input.rows(), in_use.rows());
  parallel_for(labels_.size(), kLabels, [&](std::size_t begin, std::size_t end) {
    const auto first = static_cast<Index>(begin), n = static_cast<Index>(end - begin);
    auto block = scores.middleCols(first, n);
    block.noalias() = input * in_use.middleRows(first, n).transpose();
    if (bias.rows() == 0) return;
    Eigen::RowVectorXf biases(n);
    for (Index i = 0; i < n; ++i) biases[i] = bias.values()(labels_[begin + static_cast<std::size_t>(i)], 0);
    block.rowwise() += biases;
  });
}

void LabelLayer::backward(const Matrix& input, const Matrix& in_use, const Matrix& delta, Matrix& input_delta,
                          const Adjust& adjust) {
  input_delta.resize(input.rows(), input.cols());
  const Index n_columns = (input.cols() + kColumns - 1) / kColumns, n_rows = (input.rows() + kRows - 1) / kRows;
  parallel_for(static_cast<std::size_t>(n_rows * n_columns), 1, [&](std::size_t tile, std::size_t) {
    const Index row = static_cast<Index>(tile) / n_columns * kRows;
    const Index column = static_cast<Index>(tile) % n_columns * kColumns;
    const Index rows = std::min(kRows, input.rows() - row), columns = std::min(kColumns, input.cols() - column);
    input_delta.block(row, column, rows, columns).noalias() =
        delta.middleRows(row, rows) * in_use.middleCols(column, columns);
  });
  PerWorker<Matrix> gradients;
  parallel_for(labels_.size(), kLabels, [&](std::size_t begin, std::size_t end) {
    Matrix& gradient = gradients.local();
    gradient.resize(static_cast<Index>(end - begin), input.cols());
    update(begin, gradient, input, delta, adjust);
  });
}

// The labels from place `begin` on, one for each row of the gradient.
void LabelLayer::update(std::size_t begin, Matrix& gradient, const Matrix& input, const Matrix& delta,
                        const Adjust& adjust) {
  const auto block = delta.middleCols(static_cast<Index>(begin), gradient.rows());
  gradient.noalias() = block.transpose() * input;
  Eigen::RowVectorXf sums;
  if (bias.rows() > 0) sums = block.colwise().sum();
  for (Index i = 0; i < gradient.rows(); ++i) {
    const std::size_t place = begin + static_cast<std::size_t>(i);
    float* row = gradient.row(i).data();
    if (adjust) adjust(place, row);
    vectors.update(labels_[place], row);
    if (bias.rows() > 0) bias.update(labels_[place], &sums[i]);
  }
}

void LabelLayer::finish_epoch() {
  vectors.finish_epoch();
  bias.finish_epoch();
}

void take_frequencies_back(double share, std::span<const std::uint32_t> counts, std::span<float> bias) {
  if (share == 0 || counts.empty()) return;
  const double most = std::ranges::max(counts);
  for (std::size_t i = 0; i < bias.size(); ++i) {
    if (counts[i] > 0) bias[i] += static_cast<float>(share * std::log(most / counts[i]));
  }
}

}  // namespace xylem
