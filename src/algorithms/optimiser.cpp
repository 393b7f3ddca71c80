// SPDX-License-Identifier: Apache-2.0
#include "algorithms/optimiser.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/bytes.h"
#include "core/parallel.h"

namespace xylem {
namespace {

constexpr float kTiny = 1e-8f;                             // keeps divisions by roots finite
constexpr double kFirstDecay = 0.9, kSecondDecay = 0.999;  // of adam
constexpr std::size_t kRowsPerChunk = 1024;

}  // namespace

double rate_of_epoch(const OptimiserOptions& options, std::size_t epoch, std::size_t epochs) {
  const auto before = static_cast<double>(epoch - 1);
  const double share = before / static_cast<double>(epochs);
  switch (options.schedule) {
    case Schedule::kConstant:
      return options.rate;
    case Schedule::kExponential:
      return options.rate * std::pow(options.rate_decay, before);
    case Schedule::kLinear:
      return options.rate * (1 - share);
    case Schedule::kCosine:
      return options.rate * 0.5 * (1 + std::cos(std::numbers::pi * share));
  }
  return options.rate;
}

Parameters::Parameters(std::size_t rows, std::size_t width, const OptimiserOptions& options) : options_(options) {
  const auto zeros = [&](Matrix& matrix) {
    matrix = Matrix::Zero(static_cast<Eigen::Index>(rows), static_cast<Eigen::Index>(width));
  };
  zeros(values_);
  if (options.optimiser != OptimiserKind::kAdagrad) zeros(first_);
  if (options.optimiser != OptimiserKind::kSgd) zeros(second_);
  if (options.average > 0) zeros(average_);
  if (options.optimiser != OptimiserKind::kAdagrad) counts_.assign(rows, 0);
}

std::uint64_t Parameters::bytes(std::size_t rows, std::size_t width, const OptimiserOptions& options) {
  const std::uint64_t matrices = (options.optimiser == OptimiserKind::kAdam ? 3 : 2) + (options.average > 0 ? 1 : 0);
  return rows * (matrices * width + 1) * sizeof(float);
}

void Parameters::begin_epoch(double rate, std::size_t steps) {
  rate_ = rate;
  step_ = 0;
  if (options_.optimiser != OptimiserKind::kSgd) return;
  std::ranges::fill(counts_, 0u);
  // Column by column: where (1, 0) and (0, 1) come to.
  const double pull = rate * options_.weight_decay;
  std::array<double, 2> from_value{1, 0}, from_velocity{0, 1};
  powers_.clear();
  for (std::size_t n = 0; n <= steps; ++n) {
    powers_.push_back({static_cast<float>(from_value[0]), static_cast<float>(from_velocity[0]),
                       static_cast<float>(from_value[1]), static_cast<float>(from_velocity[1])});
    for (auto* state : {&from_value, &from_velocity}) {
      auto& [value, velocity] = *state;
      velocity = options_.momentum * velocity - pull * value;
      value += velocity;
    }
  }
}

void Parameters::catch_up(std::size_t row) {
  if (options_.optimiser != OptimiserKind::kSgd) return;
  const std::uint32_t missed = step_ - 1 - counts_[row];
  if (missed == 0) return;
  counts_[row] = step_ - 1;
  const Power& power = powers_[missed];
  float* value = values_.row(static_cast<Eigen::Index>(row)).data();
  float* velocity = first_.row(static_cast<Eigen::Index>(row)).data();
  for (std::size_t i = 0; i < width(); ++i) {
    const float old = value[i];
    value[i] = power.value_from_value * old + power.value_from_velocity * velocity[i];
    velocity[i] = power.velocity_from_value * old + power.velocity_from_velocity * velocity[i];
  }
}

void Parameters::update(std::size_t row, const float* gradient) {
  const auto index = static_cast<Eigen::Index>(row);
  const std::size_t n = width();
  float* __restrict value = values_.row(index).data();
  const auto rate = static_cast<float>(rate_);
  if (options_.optimiser == OptimiserKind::kSgd) {
    counts_[row] = step_;
    float* __restrict velocity = first_.row(index).data();
    const auto momentum = static_cast<float>(options_.momentum);
    const auto decay = static_cast<float>(options_.weight_decay);
    for (std::size_t i = 0; i < n; ++i) {
      velocity[i] = momentum * velocity[i] - rate * (gradient[i] + decay * value[i]);
      value[i] += velocity[i];
    }
  } else if (options_.optimiser == OptimiserKind::kAdagrad) {
    float* __restrict squares = second_.row(index).data();
    for (std::size_t i = 0; i < n; ++i) {
      squares[i] += gradient[i] * gradient[i];
      value[i] -= rate * gradient[i] / (std::sqrt(squares[i]) + kTiny);
    }
  } else {
    const double count = ++counts_[row];
    float* __restrict mean = first_.row(index).data();
    float* __restrict square = second_.row(index).data();
    constexpr auto first = static_cast<float>(kFirstDecay), second = static_cast<float>(kSecondDecay);
    // The means start at 0 and are too small at first.
    const auto step = static_cast<float>(rate_ / (1 - std::pow(kFirstDecay, count)));
    const auto scale = static_cast<float>(1 / std::sqrt(1 - std::pow(kSecondDecay, count)));
    for (std::size_t i = 0; i < n; ++i) {
      mean[i] = first * mean[i] + (1 - first) * gradient[i];
      square[i] = second * square[i] + (1 - second) * gradient[i] * gradient[i];
      value[i] -= step * mean[i] / (std::sqrt(square[i]) * scale + kTiny);
    }
  }
}

void Parameters::finish_epoch() {
  ++step_;
  ++epochs_;
  // Without the divisor the first epochs would count too much, as the average starts at 0.
  const auto share =
      static_cast<float>((1 - options_.average) / (1 - std::pow(options_.average, static_cast<double>(epochs_))));
  parallel_for(rows(), kRowsPerChunk, [&](std::size_t begin, std::size_t end) {
    for (std::size_t row = begin; row < end; ++row) {
      catch_up(row);
      const auto index = static_cast<Eigen::Index>(row);
      if (options_.average > 0) average_.row(index) += share * (values_.row(index) - average_.row(index));
    }
  });
}

void Parameters::save(std::string& bytes) const {
  for (const Matrix* matrix : {&values_, &first_, &second_, &average_}) {
    append_bytes(bytes, std::span(matrix->data(), static_cast<std::size_t>(matrix->size())));
  }
  append_bytes(bytes, std::span(&epochs_, 1));
  append_bytes(bytes, std::span(counts_));
}

void Parameters::load(std::string_view& bytes) {
  for (Matrix* matrix : {&values_, &first_, &second_, &average_}) {
    take_bytes(bytes, std::span(matrix->data(), static_cast<std::size_t>(matrix->size())));
  }
  take_bytes(bytes, std::span(&epochs_, 1));
  take_bytes(bytes, std::span(counts_));
}

}  // namespace xylem
