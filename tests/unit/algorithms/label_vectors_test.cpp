// SPDX-License-Identifier: Apache-2.0
#include "algorithms/label_vectors.h"

#include <gtest/gtest.h>

#include <cmath>

namespace xylem {
namespace {

TEST(NearestLabels, AreOrderedByCosineAndThenById) {
  const std::vector<float> values = {
      1,  0,  // asked for
      0,  5,  //
      2,  2,  // the length does not matter
      -3, 0,  //
      1,  1,  // as near as label 2
      9,  1,
  };
  const TopLabels near = nearest_labels({values, 2}, 0, 6, 10);
  EXPECT_EQ(near.labels, (std::vector<Label>{5, 2, 4, 1, 3}));
  EXPECT_FLOAT_EQ(near.scores[0], 9 / std::sqrt(82.0f));
  EXPECT_FLOAT_EQ(near.scores[1], std::sqrt(0.5f));
  EXPECT_EQ(near.scores[1], near.scores[2]);
  EXPECT_EQ(near.scores[3], 0);
  EXPECT_EQ(near.scores[4], -1);
  EXPECT_EQ(near.offsets, (std::vector<std::uint64_t>{0, 5}));
  EXPECT_EQ(nearest_labels({values, 2}, 0, 6, 2).labels, (std::vector<Label>{5, 2}));
  EXPECT_TRUE(nearest_labels({values, 2}, 0, 6, 0).labels.empty());
}

TEST(NearestLabels, LeaveOutVectorsOfZeros) {
  const std::vector<float> values = {1, 2, 0, 0, 2, 1};
  EXPECT_EQ(nearest_labels({values, 2}, 0, 3, 10).labels, (std::vector<Label>{2}));
  EXPECT_EQ(nearest_labels({values, 2}, 1, 3, 10).size(), 1u);
  EXPECT_TRUE(nearest_labels({values, 2}, 1, 3, 10).labels.empty());
}

TEST(NearestLabels, CanHaveVectorsOfAnyLength) {
  const std::vector<float> values = {3e38f, 3e38f, 1e-45f, 1e-45f, 1e-45f, -1e-45f};
  const TopLabels near = nearest_labels({values, 2}, 0, 3, 10);
  EXPECT_EQ(near.labels, (std::vector<Label>{1, 2}));
  EXPECT_FLOAT_EQ(near.scores[0], 1);
  EXPECT_EQ(near.scores[1], 0);
}

}  // namespace
}  // namespace xylem
