// SPDX-License-Identifier: Apache-2.0
#include "tagger/extrapolation.h"

#include <gtest/gtest.h>

#include <cmath>

namespace xylem {
namespace {

std::vector<Measured> steps_of(double (*value)(double)) {
  return {{250, value(250)}, {500, value(500)}, {1000, value(1000)}};
}

TEST(Extrapolation, ContinuesPowersLinesAndConstants) {
  EXPECT_NEAR(extrapolate_seconds(steps_of([](double n) { return 3e-6 * n * n; }), 1e5), 3e4, 1);
  EXPECT_NEAR(extrapolate_seconds(steps_of([](double n) { return 2e-3 * n; }), 1e5), 200, 1e-6);
  EXPECT_NEAR(extrapolate_seconds(steps_of([](double n) { return 7 + 2e-3 * n; }), 1e5), 207, 1e-6);
  EXPECT_NEAR(extrapolate_seconds(steps_of([](double) { return 7.0; }), 1e5), 7, 1e-9);
  EXPECT_NEAR(extrapolate_power(steps_of([](double n) { return std::sqrt(n); }), 1e4, 0, 1), 100, 1e-6);
}

TEST(Extrapolation, IsBounded) {
  const auto cubes = steps_of([](double n) { return n * n * n; });
  EXPECT_NEAR(extrapolate_seconds(cubes, 10'000) / 1e9, 100, 1e-6);
  const auto falling = steps_of([](double n) { return 1 / n; });
  EXPECT_NEAR(extrapolate_seconds(falling, 10'000), 1e-3, 1e-9);
  EXPECT_NEAR(extrapolate_power(falling, 10'000, 0, 1), 1e-3, 1e-9);
}

TEST(Extrapolation, TakesOneStepForALine) {
  EXPECT_DOUBLE_EQ(extrapolate_seconds({{100, 2}}, 1000), 20);
  EXPECT_DOUBLE_EQ(extrapolate_power({{100, 2}}, 1000, 0, 1), 2);
  EXPECT_DOUBLE_EQ(extrapolate_seconds({}, 1000), 0);
  EXPECT_DOUBLE_EQ(extrapolate_seconds({{100, 0}, {200, 0}}, 1000), 0);
}

TEST(Extrapolation, IsMeasuredOnDoubledSamplesUpToAllRows) {
  std::vector<std::size_t> seen;
  const auto steps = climb(250, 1700, 1e9, [&](std::size_t n) -> Step {
    seen.push_back(n);
    return {static_cast<double>(n), true};
  });
  EXPECT_EQ(seen, (std::vector<std::size_t>{250, 500, 1000, 1700}));
  EXPECT_EQ(steps.size(), 4U);
  EXPECT_EQ(steps.back().rows, 1700);
  seen.clear();
  EXPECT_TRUE(climb(250, 0, 1e9, [](std::size_t) { return Step{1, true}; }).empty());
  EXPECT_EQ(climb(250, 20, 1e9, [](std::size_t) { return Step{1, true}; }).back().rows, 20);
}

TEST(Extrapolation, IsMeasuredOnceAtLeastAndNoLongerThanAllowed) {
  EXPECT_EQ(climb(250, 1'000'000, 0, [](std::size_t) { return Step{1, true}; }).size(), 1U);
  EXPECT_EQ(climb(250, 1'000'000, 1e9, [](std::size_t n) { return Step{1, n < 500}; }).size(), 2U);
}

TEST(Extrapolation, PassesOverSamplesWithoutResult) {
  const auto steps = climb(10, 40, 1e9, [](std::size_t n) -> Step {
    if (n < 20) return {{}, true};
    return {1, true};
  });
  ASSERT_EQ(steps.size(), 2U);
  EXPECT_EQ(steps[0].rows, 20);
}

}  // namespace
}  // namespace xylem
