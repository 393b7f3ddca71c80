// SPDX-License-Identifier: Apache-2.0
#include "algorithms/optimiser.h"

#include <gtest/gtest.h>

#include <cmath>
#include <optional>

#include "core/random.h"

namespace xylem {
namespace {

constexpr std::size_t kTableRows = 7, kWidth = 5, kSteps = 40;

// One number, followed step by step in double precision: what the optimisers are defined to do.
struct SlowNumber {
  double value = 0, first = 0, second = 0;
  int count = 0;

  void step(const OptimiserOptions& options, std::optional<double> gradient) {
    const double rate = options.rate;
    if (options.optimiser == OptimiserKind::kSgd) {
      first = options.momentum * first - rate * (gradient.value_or(0) + options.weight_decay * value);
      value += first;
    } else if (gradient && options.optimiser == OptimiserKind::kAdagrad) {
      second += *gradient * *gradient;
      value -= rate * *gradient / (std::sqrt(second) + 1e-8);
    } else if (gradient) {
      ++count;
      first = 0.9 * first + 0.1 * *gradient;
      second = 0.999 * second + 0.001 * *gradient * *gradient;
      const double mean = first / (1 - std::pow(0.9, count));
      const double square = second / (1 - std::pow(0.999, count));
      value -= rate * mean / (std::sqrt(square) + 1e-8);
    }
  }
};

OptimiserOptions options_of(OptimiserKind kind) {
  OptimiserOptions options;
  options.optimiser = kind;
  options.rate = 0.05;
  options.weight_decay = 0.1;
  return options;
}

// Rows are touched now and then; row 0 never, row 1 always.
bool is_touched(std::size_t row, std::size_t epoch, std::size_t step) {
  return row != 0 && (row == 1 || Random(9, {row, epoch, step}).below(5) == 0);
}
std::vector<float> gradient_of(std::size_t row, std::size_t epoch, std::size_t step) {
  Random random(8, {row, epoch, step});
  std::vector<float> gradient(kWidth);
  for (float& value : gradient) value = static_cast<float>(random.normal());
  return gradient;
}

void run_epoch(Parameters& parameters, double rate, std::size_t epoch) {
  parameters.begin_epoch(rate, kSteps);
  for (std::size_t step = 0; step < kSteps; ++step) {
    parameters.begin_step();
    for (std::size_t row = 0; row < kTableRows; ++row) {
      if (!is_touched(row, epoch, step)) continue;
      parameters.catch_up(row);
      parameters.update(row, gradient_of(row, epoch, step).data());
    }
  }
  parameters.finish_epoch();
}

Parameters start(const OptimiserOptions& options) {
  Parameters parameters(kTableRows, kWidth, options);
  Random random(1, {});
  for (float& value : parameters.values().reshaped()) value = static_cast<float>(random.normal());
  return parameters;
}

class Optimisers : public ::testing::TestWithParam<OptimiserKind> {};

TEST_P(Optimisers, DoWhatASlowOneDoesThatVisitsEveryRow) {
  OptimiserOptions options = options_of(GetParam());
  Parameters parameters = start(options);
  std::vector<SlowNumber> slow(kTableRows * kWidth);
  for (std::size_t i = 0; i < slow.size(); ++i) slow[i].value = static_cast<double>(parameters.values().data()[i]);
  for (std::size_t epoch = 0; epoch < 3; ++epoch) {
    options.rate = 0.05 / static_cast<double>(epoch + 1);
    run_epoch(parameters, options.rate, epoch);
    for (std::size_t step = 0; step < kSteps; ++step) {
      for (std::size_t row = 0; row < kTableRows; ++row) {
        const std::vector<float> gradient = gradient_of(row, epoch, step);
        for (std::size_t i = 0; i < kWidth; ++i) {
          std::optional<double> touched;
          if (is_touched(row, epoch, step)) touched = static_cast<double>(gradient[i]);
          slow[row * kWidth + i].step(options, touched);
        }
      }
    }
    for (std::size_t i = 0; i < slow.size(); ++i) {
      EXPECT_NEAR(parameters.values().data()[i], slow[i].value, 2e-4) << "epoch " << epoch << ", number " << i;
    }
  }
}

TEST_P(Optimisers, GoOnFromWhatWasSavedAsIfNothingHadHappened) {
  const OptimiserOptions options = options_of(GetParam());
  Parameters undisturbed = start(options);
  run_epoch(undisturbed, 0.05, 0);
  std::string bytes;
  undisturbed.save(bytes);
  Parameters resumed(kTableRows, kWidth, options);
  std::string_view rest = bytes;
  resumed.load(rest);
  EXPECT_TRUE(rest.empty());
  run_epoch(undisturbed, 0.04, 1);
  run_epoch(resumed, 0.04, 1);
  EXPECT_EQ(undisturbed.values(), resumed.values());
}

INSTANTIATE_TEST_SUITE_P(, Optimisers,
                         ::testing::Values(OptimiserKind::kSgd, OptimiserKind::kAdagrad, OptimiserKind::kAdam),
                         [](const auto& kind) {
                           return std::string(choice_names(kind.param)[static_cast<std::size_t>(kind.param)]);
                         });

TEST_P(Optimisers, AverageTheEpochs) {
  OptimiserOptions options = options_of(GetParam());
  Parameters last = start(options);
  options.average = 0.7;
  Parameters averaged = start(options);
  EXPECT_EQ(averaged.trained(), averaged.values());
  Eigen::MatrixXd sum = Eigen::MatrixXd::Zero(kTableRows, kWidth);
  double weights = 0;
  for (std::size_t epoch = 1; epoch <= 4; ++epoch) {
    run_epoch(last, 0.05, epoch);
    run_epoch(averaged, 0.05, epoch);
    EXPECT_EQ(averaged.values(), last.values());
    sum = 0.7 * sum + last.values().cast<double>();
    weights = 0.7 * weights + 1;
    EXPECT_LT((averaged.trained().cast<double>() - sum / weights).cwiseAbs().maxCoeff(), 1e-5);
  }
  EXPECT_EQ(last.trained(), last.values());
}

TEST_P(Optimisers, TheAverageGoesOnFromWhatWasSaved) {
  OptimiserOptions options = options_of(GetParam());
  options.average = 0.7;
  Parameters undisturbed = start(options), resumed(kTableRows, kWidth, options);
  run_epoch(undisturbed, 0.05, 1);
  run_epoch(undisturbed, 0.05, 2);
  std::string bytes;
  undisturbed.save(bytes);
  std::string_view rest = bytes;
  resumed.load(rest);
  EXPECT_TRUE(rest.empty());
  run_epoch(undisturbed, 0.05, 3);
  run_epoch(resumed, 0.05, 3);
  EXPECT_EQ(resumed.trained(), undisturbed.trained());
}

TEST(RateOfEpoch, FollowsTheSchedule) {
  OptimiserOptions options;
  options.rate = 2;
  options.rate_decay = 0.5;
  const auto rates = [&](Schedule schedule) {
    options.schedule = schedule;
    std::vector<double> result;
    for (std::size_t epoch = 1; epoch <= 4; ++epoch) result.push_back(rate_of_epoch(options, epoch, 4));
    return result;
  };
  EXPECT_EQ(rates(Schedule::kConstant), (std::vector<double>{2, 2, 2, 2}));
  EXPECT_EQ(rates(Schedule::kExponential), (std::vector<double>{2, 1, 0.5, 0.25}));
  EXPECT_EQ(rates(Schedule::kLinear), (std::vector<double>{2, 1.5, 1, 0.5}));
  EXPECT_EQ(rates(Schedule::kCosine)[0], 2);
  EXPECT_NEAR(rates(Schedule::kCosine)[2], 1, 1e-12);
}

}  // namespace
}  // namespace xylem
