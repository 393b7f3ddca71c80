// SPDX-License-Identifier: Apache-2.0
// How parameters follow their gradients. A table of parameters has rows that a step may leave untouched; each optimiser
// says what that means for them, and what it says is exact: the same as a slow one that visits every row.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/dense.h"
#include "core/options.h"

namespace xylem {

enum class OptimiserKind { kSgd, kAdagrad, kAdam };
inline auto choice_names(OptimiserKind) {
  return std::array<std::string_view, 3>{"sgd", "adagrad", "adam"};
}

// What becomes of the rate from epoch to epoch: nothing; a share of it stays; it falls along a line or half a cosine,
// to be 0 after the last one, for which the number of epochs must be given.
enum class Schedule { kConstant, kExponential, kLinear, kCosine };
inline auto choice_names(Schedule) {
  return std::array<std::string_view, 4>{"constant", "exponential", "linear", "cosine"};
}

struct OptimiserOptions {
  OptimiserKind optimiser = OptimiserKind::kAdam;
  double rate = 0.001;
  Schedule schedule = Schedule::kConstant;
  double rate_decay = 0.9;
  double average = 0;
  double momentum = 0.9;
  double weight_decay = 0.0005;

  void fields(auto&& field) {
    field("optimiser", optimiser, "how parameters follow their gradients");
    field("rate", rate, "length of the steps", Range{1e-9, 100});
    field("schedule", schedule, "the rate's, from epoch to epoch; linear and cosine fall to 0 and need epochs");
    field("rate_decay", rate_decay, "of schedule=exponential: the share of the rate that stays", Range{0.01, 1});
    field("average", average, "weight of the epochs before in the average that becomes the model; 0: the last alone",
          Range{0, 0.9999});
    field("momentum", momentum, "of sgd: share of the last step in the next one", Range{0, 0.9999});
    field("weight_decay", weight_decay, "of sgd: pull of the weights towards 0", Range{0, 1});
  }
};

// Of an epoch, the first being 1. `epochs` is how many there are, for the schedules that ask.
double rate_of_epoch(const OptimiserOptions& options, std::size_t epoch, std::size_t epochs);

// A matrix of parameters and what the optimiser remembers of each. Rows are updated by whoever owns them: different
// threads may call for different rows.
//
// sgd: velocity' = momentum velocity - rate (gradient + decay value); value' = value + velocity', also for rows without
// a gradient: these follow when they are asked for, in closed form. adagrad: a row without a gradient stays. adam:
// defined as lazy, a row's moments and their corrections advance when it has a gradient.
class Parameters {
 public:
  Parameters() = default;
  Parameters(std::size_t rows, std::size_t width, const OptimiserOptions& options);

  std::size_t rows() const { return static_cast<std::size_t>(values_.rows()); }
  std::size_t width() const { return static_cast<std::size_t>(values_.cols()); }
  Matrix& values() { return values_; }
  const Matrix& values() const { return values_; }
  // What has been learned: the values, or their average over the epochs if there were any.
  const Matrix& trained() const { return options_.average > 0 && epochs_ > 0 ? average_ : values_; }

  // Before the steps of an epoch, and only when all rows are up to date. At most so many steps follow.
  void begin_epoch(double rate, std::size_t steps);
  // Before the first row of a step is asked for.
  void begin_step() { ++step_; }
  // Brings a row up to date with the steps before this one: needed before it is read or updated.
  void catch_up(std::size_t row);
  void update(std::size_t row, const float* gradient);
  // After the last step of an epoch: all rows.
  void finish_epoch();

  // All that the next epoch depends on, for checkpoints: the same bytes, the same future.
  void save(std::string& bytes) const;
  void load(std::string_view& bytes);

  static std::uint64_t bytes(std::size_t rows, std::size_t width, const OptimiserOptions& options);

 private:
  struct Power {  // of the matrix that takes (value, velocity) one step further without a gradient
    float value_from_value, value_from_velocity, velocity_from_value, velocity_from_velocity;
  };

  OptimiserOptions options_;
  Matrix values_;
  Matrix first_;                       // sgd: velocity; adam: mean of the gradients
  Matrix second_;                      // adagrad: sum of their squares; adam: mean of them
  Matrix average_;                     // over the epochs, where that is wanted
  std::uint64_t epochs_ = 0;           // in it
  std::vector<std::uint32_t> counts_;  // sgd: the step up to which a row has come; adam: how often it was updated
  std::uint32_t step_ = 0;             // of this epoch, from 1
  double rate_ = 0;
  std::vector<Power> powers_;
};

}  // namespace xylem
