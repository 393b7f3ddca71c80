// SPDX-License-Identifier: Apache-2.0
#include "algorithms/fixed_layer.h"

#include <gtest/gtest.h>

#include <limits>

#include "gradients.h"

namespace xylem {
namespace {

TEST(FixedLayer, MultipliesAsItsWeightsSay) {
  const Matrix weights = random_matrix(7, 5, 1), bias = random_matrix(1, 7, 2), input = random_matrix(3, 5, 3);
  const FixedLayer layer(weights, bias);
  EXPECT_EQ(layer.inputs(), 5u);
  EXPECT_EQ(layer.outputs(), 7u);
  Matrix output;
  layer.forward(input, output);
  const Matrix expected = (input * weights.transpose()).rowwise() + bias.row(0);
  EXPECT_TRUE(output.isApprox(expected, 1e-5f));

  const Matrix delta = random_matrix(1, 7, 4);
  std::vector<float> input_delta;
  layer.backward({delta.data(), 7}, input_delta);
  EXPECT_TRUE(MatrixView(input_delta.data(), 1, 5).isApprox(delta * weights, 1e-5f));
}

TEST(FixedLayer, ComesBackFromBytes) {
  const FixedLayer layer(random_matrix(7, 5, 1), random_matrix(1, 7, 2));
  std::string bytes, again;
  layer.save(bytes);
  std::string_view rest = bytes;
  const FixedLayer loaded(rest, 5, 7);
  EXPECT_TRUE(rest.empty());
  loaded.save(again);
  EXPECT_EQ(again, bytes);
}

TEST(FixedLayer, SeesWhatIsNotFinite) {
  Matrix weights = random_matrix(7, 5, 1), bias = random_matrix(1, 7, 2);
  EXPECT_TRUE(FixedLayer(weights, bias).is_finite());
  bias(0, 6) = std::numeric_limits<float>::infinity();
  EXPECT_FALSE(FixedLayer(weights, bias).is_finite());
  bias(0, 6) = 0;
  weights(6, 4) = std::numeric_limits<float>::quiet_NaN();
  EXPECT_FALSE(FixedLayer(weights, bias).is_finite());
}

}  // namespace
}  // namespace xylem
