// SPDX-License-Identifier: Apache-2.0
#include "metrics/propensity.h"

#include <gtest/gtest.h>

#include <cmath>

namespace xylem {
namespace {

TEST(InversePropensity, FollowsItsFormula) {
  const InversePropensity worth({.rows = 4880, .labels = {51, 1042}}, {});
  const double c = (std::log(4880.0) - 1) * std::pow(2.5, 0.55);
  EXPECT_NEAR(worth[0], 1 + c * std::pow(52.5, -0.55), 1e-12);
  EXPECT_NEAR(worth[1], 1 + c * std::pow(1043.5, -0.55), 1e-12);
}

TEST(InversePropensity, TakesLabelsBeyondTheListForUnseen) {
  const InversePropensity worth({.rows = 1000, .labels = {0, 5}}, {});
  EXPECT_EQ(worth[2], worth[0]);
  EXPECT_EQ(worth[4'000'000'000U], worth[0]);
  EXPECT_GT(worth[2], worth[1]);
}

TEST(InversePropensity, StaysFiniteAndAtLeastOneForTinyTrainingSets) {
  for (const std::size_t rows : {0, 1, 2, 3}) {
    const InversePropensity worth({.rows = rows, .labels = {0, 1, 2}}, {});
    for (const Label label : {0, 1, 2, 3}) {
      EXPECT_TRUE(std::isfinite(worth[label])) << rows;
      EXPECT_GE(worth[label], 1) << rows;
    }
  }
}

}  // namespace
}  // namespace xylem
