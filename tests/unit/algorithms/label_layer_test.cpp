// SPDX-License-Identifier: Apache-2.0
#include "algorithms/label_layer.h"

#include <gtest/gtest.h>

#include <cmath>

#include <numeric>

#include "core/parallel.h"
#include "gradients.h"

namespace xylem {
namespace {

using Eigen::Index;

std::vector<Label> all_labels(std::size_t n) {
  std::vector<Label> labels(n);
  std::iota(labels.begin(), labels.end(), Label{0});
  return labels;
}

TEST(LabelLayer, ScoresTheLabelsOfTheStep) {
  LabelLayer layer(5, 3, 1, kPlain, Random(1, {}));
  layer.bias.values() = random_matrix(5, 1, 2);
  const Matrix input = random_matrix(4, 3, 3);
  const std::vector<Label> labels{1, 4};
  Matrix in_use, scores;
  layer.begin_epoch(1, 1);
  layer.begin_step(labels, in_use);
  layer.forward(input, in_use, scores);
  ASSERT_EQ(scores.rows(), 4);
  ASSERT_EQ(scores.cols(), 2);
  for (Index row = 0; row < 4; ++row) {
    for (Index place = 0; place < 2; ++place) {
      const Label label = labels[static_cast<std::size_t>(place)];
      const float expected = input.row(row).dot(layer.vectors.values().row(label)) + layer.bias.values()(label, 0);
      EXPECT_NEAR(scores(row, place), expected, 1e-5);
    }
  }
}

TEST(LabelLayer, StartsAtTheLogarithmOfALabelsOdds) {
  LabelLayer layer(3, 2, 1, kPlain, Random(1, {}));
  layer.start_biases(std::vector<std::uint32_t>{0, 4, 9}, 9);
  EXPECT_FLOAT_EQ(layer.bias.values()(0, 0), std::log(0.5f / 9.5f));
  EXPECT_FLOAT_EQ(layer.bias.values()(1, 0), std::log(4.5f / 5.5f));
  EXPECT_FLOAT_EQ(layer.bias.values()(2, 0), std::log(9.5f / 0.5f));
}

// Both over all labels and over some: the others stay as they were.
TEST(LabelLayer, FollowsItsGradient) {
  for (const std::vector<Label>& labels : {all_labels(6), std::vector<Label>{0, 2, 5}}) {
    for (const bool with_bias : {true, false}) {
      Matrix input = random_matrix(5, 4, 1);
      const Matrix delta = random_matrix(5, static_cast<Index>(labels.size()), 2);
      LabelLayer layer(6, 4, 1, kPlain, Random(3, {}), with_bias);
      LabelLayer still = layer;
      const auto loss = [&] {
        Matrix in_use, scores;
        LabelLayer copy = still;
        copy.begin_epoch(1, 1);
        copy.begin_step(labels, in_use);
        copy.forward(input, in_use, scores);
        return product(scores, delta);
      };
      Matrix in_use, input_delta;
      layer.begin_epoch(1, 1);
      layer.begin_step(labels, in_use);
      layer.backward(input, in_use, delta, input_delta);
      layer.finish_epoch();
      expect_gradient(still.vectors.values(), still.vectors.values() - layer.vectors.values(), loss);
      expect_gradient(still.bias.values(), still.bias.values() - layer.bias.values(), loss);
      expect_gradient(input, input_delta, loss);
    }
  }
}

TEST(LabelLayer, GradientsMayBeAdjusted) {
  LabelLayer layer(3, 2, 1, kPlain, Random(3, {}), false);
  const Matrix before = layer.vectors.values();
  Matrix in_use, input_delta;
  layer.begin_epoch(1, 1);
  layer.begin_step(std::vector<Label>{0, 2}, in_use);
  in_use *= 2;
  layer.backward(random_matrix(4, 2, 1), in_use, random_matrix(4, 2, 2), input_delta,
                 [&](std::size_t place, float* gradient) {
                   gradient[0] = static_cast<float>(place);
                   gradient[1] = 5;
                 });
  layer.finish_epoch();
  Matrix expected(3, 2);
  expected << 0, 5, 0, 0, 1, 5;
  EXPECT_TRUE((before - layer.vectors.values()).isApprox(expected, 1e-5f));
}

TEST(LabelLayer, GivesTheSameBytesForAnyNumberOfThreads) {
  constexpr std::size_t kLabels = 700, kDim = 300;
  const Matrix input = random_matrix(300, kDim, 1), delta = random_matrix(300, kLabels, 2);
  std::vector<Matrix> vectors, scores(3), input_deltas(3);
  for (const int threads : {1, 2, 3}) {
    with_threads(threads, [&] {
      LabelLayer layer(kLabels, kDim, 1, {}, Random(3, {}));
      Matrix in_use;
      layer.begin_epoch(0.01, 1);
      layer.begin_step(all_labels(kLabels), in_use);
      layer.forward(input, in_use, scores[static_cast<std::size_t>(threads - 1)]);
      layer.backward(input, in_use, delta, input_deltas[static_cast<std::size_t>(threads - 1)]);
      layer.finish_epoch();
      vectors.push_back(layer.vectors.values());
    });
  }
  for (const std::size_t i : {1u, 2u}) {
    EXPECT_EQ(scores[i], scores[0]);
    EXPECT_EQ(input_deltas[i], input_deltas[0]);
    EXPECT_EQ(vectors[i], vectors[0]);
  }
}

TEST(TakeFrequenciesBack, RaisesRareLabelsAndLeavesThoseWithoutRows) {
  const std::vector<std::uint32_t> counts = {100, 1, 0, 10};
  std::vector<float> bias = {1, 1, 1, 1};
  take_frequencies_back(0.5, counts, bias);
  const auto tenfold = static_cast<float>(0.5 * std::log(10.0));
  EXPECT_EQ(bias[0], 1);
  EXPECT_FLOAT_EQ(bias[1], 1 + 2 * tenfold);
  EXPECT_EQ(bias[2], 1);
  EXPECT_FLOAT_EQ(bias[3], 1 + tenfold);
}

}  // namespace
}  // namespace xylem
