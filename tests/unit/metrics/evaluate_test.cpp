// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <limits>

#include "core/parallel.h"
#include "metrics/row_figures.h"
#include "unit/metrics/cases.h"
#include "xylem/error.h"
#include "xylem/metrics.h"

namespace xylem {
namespace {

using test::Case;
using test::make_predictions;
using test::make_truth;

constexpr double kTolerance = 1e-9;

// Row 0: labels 0 and 1, finds 1 first and 0 third. Row 1: label 2, not found. Row 2: no labels. Row 3: no predictions.
Case small_case() {
  return {.truth = make_truth({{0, 1}, {2}, {}, {1}}),
          .predictions = make_predictions({{{1, 0.9F}, {3, 0.6F}, {0, 0.5F}}, {{0, 0.8F}}, {{1, 0.7F}, {2, 0.2F}}, {}}),
          .counts = {.rows = 1000, .labels = {200, 50, 3, 1}}};
}

Evaluation evaluate_small(const EvalOptions& options = {.bootstrap = 0}) {
  const Case small = small_case();
  return evaluate(small.truth, small.predictions, small.counts, options);
}

double inverse_propensity(double training_rows) {
  return 1 + (std::log(1000.0) - 1) * std::pow(2.5, 0.55) * std::pow(training_rows + 1.5, -0.55);
}

TEST(Evaluate, DividesPrecisionByKAndRows) {
  const Evaluation result = evaluate_small();
  EXPECT_NEAR(result.figure("P@1").value, 100 * 1.0 / 4, kTolerance);
  EXPECT_NEAR(result.figure("P@3").value, 100 * (2.0 / 3) / 4, kTolerance);
  EXPECT_NEAR(result.figure("P@5").value, 100 * (2.0 / 5) / 4, kTolerance);
}

TEST(Evaluate, ComparesNdcgWithTheBestThatKAllows) {
  const Evaluation result = evaluate_small();
  EXPECT_NEAR(result.figure("nDCG@1").value, 100 * 1.0 / 4, kTolerance);
  const double ideal = 1 + 1 / std::log2(3.0);
  EXPECT_NEAR(result.figure("nDCG@3").value, 100 * (1.5 / ideal) / 4, kTolerance);  // 1/log2(4) is a half
}

TEST(Evaluate, TakesPropensityScoredFiguresAsRatioOfSums) {
  const Evaluation result = evaluate_small();
  const double a = inverse_propensity(200), b = inverse_propensity(50), c = inverse_propensity(3);
  EXPECT_NEAR(result.figure("PSP@1").value, 100 * b / (b + c + b), kTolerance);
  EXPECT_NEAR(result.figure("PSP@3").value, 100 * (b + a) / ((b + a) + c + b), kTolerance);
  const double second = 1 / std::log2(3.0);
  EXPECT_NEAR(result.figure("PSnDCG@3").value, 100 * (b + a / 2) / ((b + a * second) + c + b), kTolerance);
}

TEST(Evaluate, AveragesRecallOverRows) {
  const Evaluation result = evaluate_small();
  EXPECT_NEAR(result.figure("R@1").value, 100 * 0.5 / 4, kTolerance);
  EXPECT_NEAR(result.figure("R@3").value, 100 * 1.0 / 4, kTolerance);
}

TEST(Evaluate, PoolsPairsForMicroF1) {
  const Evaluation result = evaluate_small();
  EXPECT_NEAR(result.figure("microF1@1").value, 100 * 2.0 * 1 / (3 + 4), kTolerance);
  EXPECT_NEAR(result.figure("microF1@5").value, 100 * 2.0 * 2 / (6 + 4), kTolerance);
}

TEST(Evaluate, AveragesMacroF1OverLabelsThatOccur) {
  const Evaluation result = evaluate_small();
  // At 1: label 0 has 1 positive and 1 prediction, none correct; label 1: 2, 2, 1; label 2: 1, 0; label 3 does not
  // occur.
  EXPECT_NEAR(result.figure("macroF1@1").value, 100 * (0 + 0.5 + 0) / 3, kTolerance);
  // At 5: label 0: 1, 2, 1; label 1: 2, 2, 1; label 2: 1, 1, 0; label 3: 0, 1, 0.
  EXPECT_NEAR(result.figure("macroF1@5").value, 100 * (2.0 / 3 + 0.5 + 0 + 0) / 4, kTolerance);
}

TEST(Evaluate, CountsLabelsFoundOnceForCoverage) {
  const Evaluation result = evaluate_small();
  EXPECT_NEAR(result.figure("coverage@1").value, 100 * 1.0 / 3, kTolerance);
  EXPECT_NEAR(result.figure("coverage@3").value, 100 * 2.0 / 3, kTolerance);
}

TEST(Evaluate, TakesWhatScoresTheThresholdOrMore) {
  const Evaluation result = evaluate_small({.threshold = 0.6, .bootstrap = 0});
  // Pairs (1, 3), (0), (1): the score 0.6F reaches 0.6.
  EXPECT_NEAR(result.figure("microF1>=0.6").value, 100 * 2.0 * 1 / (4 + 4), kTolerance);
  EXPECT_NEAR(result.figure("macroF1>=0.6").value, 100 * (0 + 0.5 + 0 + 0) / 4, kTolerance);
}

TEST(Evaluate, ReachesAThresholdThatIsNoExactFloat) {
  const LabelLists truth = make_truth({{0}});
  const TopLabels predictions = make_predictions({{{0, 0.7F}}});  // 0.7F is below 0.7
  const Evaluation result = evaluate(truth, predictions, {10, {5}}, {.threshold = 0.7, .bootstrap = 0});
  EXPECT_NEAR(result.figure("microF1>=0.7").value, 100, kTolerance);
}

TEST(Evaluate, CountsRowsWithoutLabelsAsZero) {
  const Evaluation result = evaluate_small();
  EXPECT_EQ(result.rows, 4U);
  EXPECT_EQ(result.rows_without_labels, 1U);
}

TEST(Evaluate, GroupsFiguresByMetric) {
  std::vector<std::string> names;
  for (const Figure& figure : evaluate_small({.ks = {1, 2}, .threshold = 0.5}).figures) names.push_back(figure.name);
  const std::vector<std::string> expected{"P@1",          "P@2",        "nDCG@1",       "nDCG@2",    "PSP@1",
                                          "PSP@2",        "PSnDCG@1",   "PSnDCG@2",     "R@1",       "R@2",
                                          "microF1@1",    "microF1@2",  "microF1>=0.5", "macroF1@1", "macroF1@2",
                                          "macroF1>=0.5", "coverage@1", "coverage@2"};
  EXPECT_EQ(names, expected);
}

TEST(Evaluate, SplitsLabelsByTrainingFrequencyAtTheLargestK) {
  const LabelLists truth = make_truth({{0, 1, 2}, {1, 3, 4}, {77}});
  const TopLabels predictions = make_predictions({{{0, 3}, {1, 2}, {4, 1}}, {{3, 2}, {2, 1}}, {{99, 1}}});
  const TrainingCounts counts{.rows = 1000, .labels = {101, 100, 6, 5, 1, 0, 0, 1}};
  const auto groups = evaluate(truth, predictions, counts, {.ks = {3, 1}, .bootstrap = 0}).groups;
  ASSERT_EQ(groups.size(), 4U);

  EXPECT_EQ(groups[0].name, "head");
  EXPECT_EQ(groups[0].from, 101U);
  EXPECT_EQ(groups[0].to, std::numeric_limits<std::uint32_t>::max());
  EXPECT_EQ(groups[0].labels, 1U);
  EXPECT_NEAR(groups[0].f1, 100, kTolerance);

  EXPECT_EQ(groups[1].name, "torso");
  EXPECT_EQ(groups[1].labels, 2U);
  EXPECT_EQ(groups[1].positives, 3U);
  EXPECT_EQ(groups[1].predicted, 2U);
  EXPECT_EQ(groups[1].correct, 1U);
  EXPECT_NEAR(groups[1].precision, 50, kTolerance);
  EXPECT_NEAR(groups[1].recall, 100.0 / 3, kTolerance);
  EXPECT_NEAR(groups[1].f1, 40, kTolerance);

  EXPECT_EQ(groups[2].name, "tail");
  EXPECT_EQ(groups[2].labels, 3U);
  EXPECT_EQ(groups[2].positives, 2U);
  EXPECT_EQ(groups[2].predicted, 2U);
  EXPECT_EQ(groups[2].correct, 1U);

  EXPECT_EQ(groups[3].name, "unseen");
  EXPECT_EQ(groups[3].to, 0U);
  EXPECT_EQ(groups[3].labels, 1U);  // 77: 5 and 6 are nowhere, 99 is only predicted
  EXPECT_EQ(groups[3].positives, 1U);
  EXPECT_EQ(groups[3].predicted, 1U);
}

TEST(Evaluate, ListsTheLabelsThatOccurById) {
  const LabelLists truth = make_truth({{0, 2}, {4'000'000'000U}});
  const TopLabels predictions = make_predictions({{{2, 2}, {0, 1}}, {{1, 2}, {9, 1}}});
  const auto labels = evaluate(truth, predictions, {10, {7, 3, 2, 1}}, {.ks = {2}, .bootstrap = 0}).labels;
  ASSERT_EQ(labels.size(), 5U);
  EXPECT_EQ(labels[0].label, 0U);
  EXPECT_EQ(labels[0].training_rows, 7U);
  EXPECT_EQ(labels[0].correct, 1U);
  EXPECT_NEAR(labels[0].f1, 100, kTolerance);
  EXPECT_EQ(labels[1].label, 1U);
  EXPECT_EQ(labels[1].predicted, 1U);
  EXPECT_NEAR(labels[1].precision, 0, kTolerance);
  EXPECT_EQ(labels[2].label, 2U);
  EXPECT_EQ(labels[3].label, 9U);
  EXPECT_EQ(labels[4].label, 4'000'000'000U);
  EXPECT_EQ(labels[4].training_rows, 0U);
  EXPECT_EQ(labels[4].positives, 1U);
}

TEST(Evaluate, GivesIntervalsToFiguresThatAreSumsOverRows) {
  const Case random = test::random_case(3, 200);
  const Evaluation result = evaluate(random.truth, random.predictions, random.counts, {.threshold = 0.8});
  for (const Figure& figure : result.figures) {
    const bool has_none = figure.name.starts_with("macroF1") || figure.name.starts_with("coverage");
    ASSERT_EQ(figure.low.has_value(), !has_none) << figure.name;
    ASSERT_EQ(figure.high.has_value(), !has_none) << figure.name;
    if (has_none) continue;
    EXPECT_LT(*figure.low, figure.value) << figure.name;
    EXPECT_GT(*figure.high, figure.value) << figure.name;
  }
}

TEST(Evaluate, GivesNoIntervalsWithoutResamples) {
  for (const Figure& figure : evaluate_small().figures) EXPECT_FALSE(figure.low || figure.high) << figure.name;
}

TEST(Evaluate, DoesNotDependOnTheNumberOfThreads) {
  const Case random = test::random_case(5, 1500);
  const auto with = [&](int threads) {
    Evaluation result;
    with_threads(threads, [&] {
      result = evaluate(random.truth, random.predictions, random.counts, {.threshold = 0.7, .bootstrap = 100});
    });
    return result;
  };
  const Evaluation one = with(1);
  for (const int threads : {2, 3}) {
    const Evaluation other = with(threads);
    for (std::size_t f = 0; f < one.figures.size(); ++f) {
      EXPECT_EQ(other.figures[f].value, one.figures[f].value) << one.figures[f].name;
      EXPECT_EQ(other.figures[f].low, one.figures[f].low) << one.figures[f].name;
      EXPECT_EQ(other.figures[f].high, one.figures[f].high) << one.figures[f].name;
    }
  }
}

std::ptrdiff_t n_threads() {
  const std::filesystem::directory_iterator threads("/proc/self/task");
  return std::distance(begin(threads), end(threads));
}

// In a process of its own, where no other test has started threads.
TEST(EvaluateDeathTest, StartsNoThreadsBeyondThoseOfTheRun) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  const auto evaluate_alone = [] {
    const Case large = test::random_case(3, 5000);
    xylem::Run run;
    run.threads = 1;
    const std::ptrdiff_t before = n_threads();
    evaluate(large.truth, large.predictions, large.counts, {.bootstrap = 100}, run);
    std::exit(n_threads() == before ? 0 : 1);
  };
  EXPECT_EXIT(evaluate_alone(), testing::ExitedWithCode(0), "");
}

TEST(Evaluate, TakesNoRowsForZero) {
  const Evaluation result = evaluate({}, {}, {}, {.threshold = 0.5});
  EXPECT_EQ(result.rows, 0U);
  for (const Figure& figure : result.figures) EXPECT_EQ(figure.value, 0) << figure.name;
}

TEST(Evaluate, NamesTheNearestFigure) {
  try {
    evaluate_small().figure("PSnDGC@5");
    FAIL() << "there is no such figure";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kUsage);
    EXPECT_NE(std::string(error.what()).find("did you mean 'PSnDCG@5'?"), std::string::npos) << error.what();
  }
}

// Whether it throws an Error of kind kUsage that says `part`.
template <class Work>
::testing::AssertionResult refuses(Work work, const std::string& part) {
  try {
    work();
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::kUsage && std::string(error.what()).find(part) != std::string::npos) {
      return ::testing::AssertionSuccess();
    }
    return ::testing::AssertionFailure() << error.what();
  }
  return ::testing::AssertionFailure() << "did not throw";
}

TEST(Evaluate, RefusesWhatMakesNoSense) {
  const LabelLists truth = make_truth({{0}, {1}});
  const TopLabels one_row = make_predictions({{{0, 1}}});
  EXPECT_TRUE(refuses([&] { evaluate(truth, one_row, {}, {}); }, "1 rows, but the truth has 2"));
  EXPECT_TRUE(refuses([] { evaluate_small({.ks = {}}); }, "no k"));
  EXPECT_TRUE(refuses([] { evaluate_small({.ks = {1, 0}}); }, "k = 0"));
  EXPECT_TRUE(refuses([] { evaluate_small({.threshold = std::nan("")}); }, "threshold"));
  EXPECT_TRUE(refuses([] { evaluate_small({.propensity = {-1, 1.5}}); }, "a = -1"));
  EXPECT_TRUE(refuses([] { evaluate_small({.propensity = {0.5, 0}}); }, "b = 0"));
}

TEST(Ndcg, IsTheFigureOfTheSameName) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    const test::Case made = test::random_case(seed, 200);
    for (const std::size_t k : {1, 3, 5, 100}) {
      const EvalOptions options{.ks = {k}, .bootstrap = 0};
      const Evaluation all = evaluate(made.truth, made.predictions, made.counts, options);
      EXPECT_NEAR(ndcg(made.truth, made.predictions, k), all.figure("nDCG@" + std::to_string(k)).value, 1e-9);
    }
  }
  EXPECT_EQ(ndcg({}, {}, 5), 0);
}

}  // namespace
}  // namespace xylem
