// SPDX-License-Identifier: Apache-2.0
#include "metrics/bootstrap.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "core/parallel.h"
#include "unit/metrics/cases.h"
#include "xylem/error.h"

namespace xylem {
namespace {

using test::Case;

// Rows with label 0, which a system finds with the given probability.
TopLabels guesses(std::size_t n_rows, double skill, Random& random) {
  TopLabels predictions;
  for (std::size_t i = 0; i < n_rows; ++i) {
    predictions.push_back(random.uniform() < skill ? 0 : 1, 1);
    predictions.end_row();
  }
  return predictions;
}

LabelLists all_zero(std::size_t n_rows) {
  LabelLists truth;
  for (std::size_t i = 0; i < n_rows; ++i) truth.push_back(std::vector<Label>{0});
  return truth;
}

TEST(Middle95, InterpolatesBetweenValues) {
  std::vector<double> values(101);
  std::iota(values.rbegin(), values.rend(), 0.0);
  const Interval interval = middle_95(values);
  EXPECT_DOUBLE_EQ(interval.low, 2.5);
  EXPECT_DOUBLE_EQ(interval.high, 97.5);
}

TEST(Middle95, OfOneValueIsThatValue) {
  const Interval interval = middle_95({7});
  EXPECT_EQ(interval.low, 7);
  EXPECT_EQ(interval.high, 7);
}

TEST(TwoSidedP, CountsTheRarerSide) {
  EXPECT_DOUBLE_EQ(two_sided_p({1, 2, 3, -1}), 0.5);
  EXPECT_DOUBLE_EQ(two_sided_p({-1, -2, 0, -1}), 0.5);
  EXPECT_DOUBLE_EQ(two_sided_p({1, 2, 3, 4}), 0.2);  // not less than 1 / (4 + 1)
  EXPECT_DOUBLE_EQ(two_sided_p({0, 0, 0}), 1);       // not more than 1
}

TEST(Resample, DrawsOtherRowsForOtherSeeds) {
  const Case random = test::random_case(2, 100);
  const auto low_of = [&](std::uint64_t seed) {
    return *evaluate(random.truth, random.predictions, random.counts, {.bootstrap = 50, .seed = seed})
                .figure("nDCG@5")
                .low;
  };
  EXPECT_EQ(low_of(1), low_of(1));
  EXPECT_NE(low_of(1), low_of(2));
}

TEST(Interval, HasTheWidthThatTheoryGives) {
  Random random(1, {2});
  const std::size_t n_rows = 2000;
  const TopLabels predictions = guesses(n_rows, 0.3, random);
  const Figure figure =
      evaluate(all_zero(n_rows), predictions, {100, {50}}, {.ks = {1}, .bootstrap = 2000}).figure("P@1");
  const double share = figure.value / 100;
  const double half_width = 100 * 1.96 * std::sqrt(share * (1 - share) / static_cast<double>(n_rows));
  EXPECT_NEAR(*figure.low, figure.value - half_width, 0.15 * half_width);
  EXPECT_NEAR(*figure.high, figure.value + half_width, 0.15 * half_width);
}

TEST(Interval, CoversTheKnownMeanAboutNineteenTimesInTwenty) {
  const std::size_t n_rows = 200;
  const LabelLists truth = all_zero(n_rows);
  const int n_samples = 400;
  int covered = 0;
  for (int sample = 0; sample < n_samples; ++sample) {
    Random random(7, {static_cast<std::uint64_t>(sample)});
    const TopLabels predictions = guesses(n_rows, 0.3, random);
    const Figure figure = evaluate(truth, predictions, {100, {50}}, {.ks = {1}, .bootstrap = 200}).figure("P@1");
    covered += *figure.low <= 30 && 30 <= *figure.high;
  }
  // Three standard deviations around 95 % of 400 are 367 and 393; the percentile interval is known to be a bit narrow.
  EXPECT_GE(covered, 363);
  EXPECT_LE(covered, 393);
}

TEST(Compare, FindsNoDifferenceBetweenEqualSystems) {
  const Case random = test::random_case(4, 300);
  const auto figures = compare(random.truth, random.predictions, random.predictions, random.counts, {.threshold = 0.7});
  ASSERT_EQ(figures.size(), 6U * 3 + 1);
  for (const PairedFigure& figure : figures) {
    EXPECT_EQ(figure.first, figure.second) << figure.name;
    EXPECT_EQ(figure.difference, 0) << figure.name;
    EXPECT_EQ(figure.low, 0) << figure.name;
    EXPECT_EQ(figure.high, 0) << figure.name;
    EXPECT_EQ(figure.p_value, 1) << figure.name;
  }
}

TEST(Compare, FindsAClearDifference) {
  Random random(3, {1});
  const std::size_t n_rows = 500;
  const TopLabels worse = guesses(n_rows, 0.3, random);
  const TopLabels better = guesses(n_rows, 0.5, random);
  const LabelLists truth = all_zero(n_rows);
  const PairedFigure up = compare(truth, worse, better, {100, {50}}, {.ks = {1}}).front();
  EXPECT_EQ(up.name, "P@1");
  EXPECT_NEAR(up.difference, 20, 8);
  EXPECT_GT(up.low, 0);
  EXPECT_LT(up.low, up.difference);
  EXPECT_GT(up.high, up.difference);
  EXPECT_DOUBLE_EQ(up.p_value, 1.0 / 1001);
  const PairedFigure down = compare(truth, better, worse, {100, {50}}, {.ks = {1}}).front();
  EXPECT_NEAR(down.low, -up.high, 1e-9);
  EXPECT_DOUBLE_EQ(down.p_value, 1.0 / 1001);
}

TEST(Compare, CallsEqualSkillDifferentAboutOnceInTwenty) {
  const std::size_t n_rows = 200;
  const LabelLists truth = all_zero(n_rows);
  int different = 0;
  for (std::uint64_t sample = 0; sample < 300; ++sample) {
    Random random(11, {sample});
    const TopLabels first = guesses(n_rows, 0.4, random);
    const TopLabels second = guesses(n_rows, 0.4, random);
    different += compare(truth, first, second, {100, {50}}, {.ks = {1}, .bootstrap = 200}).front().p_value < 0.05;
  }
  EXPECT_GE(different, 5);
  EXPECT_LE(different, 30);
}

TEST(Compare, AgreesWithEvaluateAndWithAnyNumberOfThreads) {
  const Case first = test::random_case(6, 700);
  Case second = test::random_case(7, 700);
  const Evaluation of_first = evaluate(first.truth, first.predictions, first.counts, {.bootstrap = 0});
  const Evaluation of_second = evaluate(first.truth, second.predictions, first.counts, {.bootstrap = 0});
  std::vector<PairedFigure> expected;
  for (const int threads : {1, 2, 3}) {
    std::vector<PairedFigure> figures;
    with_threads(threads, [&] {
      figures = compare(first.truth, first.predictions, second.predictions, first.counts, {.bootstrap = 100});
    });
    if (expected.empty()) expected = figures;
    for (std::size_t f = 0; f < figures.size(); ++f) {
      EXPECT_EQ(figures[f].first, of_first.figure(figures[f].name).value);
      EXPECT_EQ(figures[f].second, of_second.figure(figures[f].name).value);
      EXPECT_EQ(figures[f].low, expected[f].low);
      EXPECT_EQ(figures[f].high, expected[f].high);
      EXPECT_EQ(figures[f].p_value, expected[f].p_value);
    }
  }
}

TEST(Compare, RefusesWhatMakesNoSense) {
  const LabelLists truth = all_zero(2);
  Random random(1, {});
  const TopLabels two = guesses(2, 0.5, random);
  const TopLabels three = guesses(3, 0.5, random);
  const auto kind_of = [&](const TopLabels& first, const TopLabels& second, const EvalOptions& options) {
    try {
      compare(truth, first, second, {}, options);
    } catch (const Error& error) {
      return error.kind();
    }
    return ErrorKind::kOther;
  };
  EXPECT_EQ(kind_of(three, two, {}), ErrorKind::kUsage);
  EXPECT_EQ(kind_of(two, three, {}), ErrorKind::kUsage);
  EXPECT_EQ(kind_of(two, two, {.bootstrap = 0}), ErrorKind::kUsage);
  EXPECT_EQ(kind_of(two, two, {.ks = {}}), ErrorKind::kUsage);
}

}  // namespace
}  // namespace xylem
