// SPDX-License-Identifier: Apache-2.0
#include "methods/neighbours/feature_weights.h"

#include <algorithm>
#include <cmath>

#include "algorithms/inverted_index.h"
#include "core/parallel.h"
#include "core/random.h"

namespace xylem::neighbours {
namespace {

constexpr double kVotePower = 8;
constexpr double kLeastCosine = 1e-3;
constexpr std::size_t kMostTrainingQueries = 10'000;  // training rows that are learned from
constexpr std::size_t kOthers = 50;                   // that vote for the labels of each
constexpr std::size_t kRounds = 2;                    // after each the nearest rows are searched again
constexpr std::size_t kPasses = 3;                    // of a round
constexpr std::size_t kBatch = 64;
// Adagrad. With the start, features of a few rows move little: on tibkat-gnd, where most are such, they overfit.
constexpr double kRate = 0.05;
constexpr double kSquaresAtStart = 1e-4;

// 1 / length of a weighted row.
float inverse_length(SparseRow row, std::span<const float> weights) {
  double sum = 0;
  for (std::size_t i = 0; i < row.size(); ++i) {
    const double value = static_cast<double>(row.values[i]) * static_cast<double>(weights[row.ids[i]]);
    sum += value * value;
  }
  return sum > 0 ? static_cast<float>(1 / std::sqrt(sum)) : 0;
}

double agreement(std::span<const Label> a, std::span<const Label> b) {
  if (a.empty() || b.empty()) return 0;
  std::size_t shared = 0;
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    if (a[i] == b[j]) ++shared;
    const bool next_a = a[i] <= b[j], next_b = b[j] <= a[i];
    i += next_a;
    j += next_b;
  }
  return static_cast<double>(shared) / std::sqrt(static_cast<double>(a.size()) * static_cast<double>(b.size()));
}

void add(WeightGradient& gradient, WeightBuffers& buffers, Feature feature, double value) {
  if (buffers.sums[feature] == 0) gradient.features.push_back(feature);
  buffers.sums[feature] += static_cast<float>(value);
}

}  // namespace

double agreement_loss(const Dataset& data, std::uint32_t row, std::span<const std::uint32_t> others,
                      std::span<const float> weights, WeightGradient& gradient, WeightBuffers& buffers) {
  gradient.features.clear();
  gradient.values.clear();
  buffers.row.resize(weights.size(), 0.0f);
  buffers.sums.resize(weights.size(), 0.0f);
  const SparseRow own = data.features[row];
  const float own_scale = inverse_length(own, weights);
  for (std::size_t i = 0; i < own.size(); ++i) {
    buffers.row[own.ids[i]] = own.values[i] * weights[own.ids[i]] * own_scale;
  }
  std::vector<double> cosines, votes, agreements;
  std::vector<float> scales;
  double all_votes = 0, agreed = 0;
  for (const std::uint32_t other : others) {
    const SparseRow features = data.features[other];
    double product = 0;
    for (std::size_t i = 0; i < features.size(); ++i) {
      product += static_cast<double>(buffers.row[features.ids[i]] * features.values[i] * weights[features.ids[i]]);
    }
    scales.push_back(inverse_length(features, weights));
    cosines.push_back(std::max(kLeastCosine, product * static_cast<double>(scales.back())));
    votes.push_back(std::pow(cosines.back(), kVotePower));
    agreements.push_back(agreement(data.labels[row], data.labels[other]));
    all_votes += votes.back();
    agreed += votes.back() * agreements.back();
  }
  double loss = 0;
  if (agreed > 0) {
    const double mean = agreed / all_votes;
    loss = -std::log(mean);
    double own_part = 0;
    for (std::size_t k = 0; k < others.size(); ++k) {
      // By the cosine; what it changes by a weight is 2 x y - cosine (x² + y²), x and y being the feature's parts of
      // the two rows of length 1.
      const double by_cosine = -kVotePower * votes[k] / all_votes / cosines[k] * (agreements[k] / mean - 1);
      own_part += by_cosine * cosines[k];
      const SparseRow features = data.features[others[k]];
      for (std::size_t i = 0; i < features.size(); ++i) {
        const Feature feature = features.ids[i];
        const auto y = static_cast<double>(features.values[i] * weights[feature] * scales[k]);
        add(gradient, buffers, feature,
            by_cosine * (2 * static_cast<double>(buffers.row[feature]) * y - cosines[k] * y * y));
      }
    }
    for (const Feature feature : own.ids) {
      const auto x = static_cast<double>(buffers.row[feature]);
      add(gradient, buffers, feature, -own_part * x * x);
    }
  }
  for (const Feature feature : own.ids) buffers.row[feature] = 0;
  for (const Feature feature : gradient.features) {
    gradient.values.push_back(buffers.sums[feature]);
    buffers.sums[feature] = 0;
  }
  return loss;
}

namespace {

class FeatureWeightFit {
 public:
  FeatureWeightFit(const Dataset& data, std::span<const std::uint32_t> rows, std::uint64_t seed, const Run& run)
      : data_(data),
        rows_(rows),
        random_(seed, {}),
        run_(run),
        weights_(data.features.n_columns, 1.0f),
        squares_(data.features.n_columns, kSquaresAtStart),
        gradient_(data.features.n_columns, 0.0),
        queries_(rows.begin(), rows.end()) {
    random_.shuffle(std::span(queries_));
    queries_.resize(std::min(queries_.size(), kMostTrainingQueries));
  }

  std::vector<float> learn() {
    for (std::size_t round = 0; round < kRounds; ++round) {
      find_others();
      for (std::size_t pass = 0; pass < kPasses; ++pass) {
        make_pass();
        Progress progress;
        progress.stage = "weights";
        progress.unit = "passes";
        progress.done = round * kPasses + pass + 1;
        progress.total = kRounds * kPasses;
        run_.progress(progress);
      }
    }
    return std::move(weights_);
  }

 private:
  void find_others() {
    SparseMatrix weighted;
    weighted.n_columns = data_.features.n_columns;
    weighted.ids.reserve(data_.features.ids.size());
    weighted.values.reserve(data_.features.ids.size());
    for (const std::uint32_t row : rows_) weighted.push_back(data_.features[row]);
    for (std::size_t i = 0; i < weighted.ids.size(); ++i) weighted.values[i] *= weights_[weighted.ids[i]];
    const InvertedIndex index(weighted.rows(), weighted.n_columns);
    std::vector<std::uint32_t> place_of(data_.size());
    for (std::uint32_t i = 0; i < rows_.size(); ++i) place_of[rows_[i]] = i;
    struct Buffers {
      std::vector<float> cosines;
      TopK best;
    };
    PerWorker<Buffers> workers;
    others_.assign(queries_.size(), {});
    parallel_for(queries_.size(), 16, [&](std::size_t begin, std::size_t end) {
      run_.check();
      Buffers& buffers = workers.local();
      for (std::size_t i = begin; i < end; ++i) {
        index.search(weighted[place_of[queries_[i]]], kOthers + 1, buffers.cosines, buffers.best);
        for (const Scored& found : buffers.best.sorted()) {
          if (rows_[found.id] != queries_[i]) others_[i].push_back(rows_[found.id]);
        }
      }
    });
  }

  void make_pass() {
    std::vector<std::uint32_t> order(queries_.size());
    for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
    random_.shuffle(std::span(order));
    std::vector<WeightGradient> gradients(std::min(kBatch, order.size()));
    PerWorker<WeightBuffers> workers;
    for (std::size_t begin = 0; begin < order.size(); begin += kBatch) {
      run_.check();
      const std::size_t n = std::min(kBatch, order.size() - begin);
      parallel_for(n, 1, [&](std::size_t i, std::size_t) {
        const std::uint32_t query = order[begin + i];
        agreement_loss(data_, queries_[query], others_[query], weights_, gradients[i], workers.local());
      });
      step(std::span(gradients).first(n));
    }
  }

  void step(std::span<const WeightGradient> gradients) {
    touched_.clear();
    for (const WeightGradient& gradient : gradients) {
      for (std::size_t i = 0; i < gradient.features.size(); ++i) {
        const Feature feature = gradient.features[i];
        if (gradient_[feature] == 0) touched_.push_back(feature);
        gradient_[feature] += static_cast<double>(gradient.values[i]);
      }
    }
    for (const Feature feature : touched_) {
      constexpr double kLongestStep = 0.3;
      const double mean = gradient_[feature] / static_cast<double>(gradients.size());
      gradient_[feature] = 0;
      squares_[feature] += mean * mean;
      const double change = std::clamp(-kRate * mean / std::sqrt(squares_[feature]), -kLongestStep, kLongestStep);
      weights_[feature] *= static_cast<float>(std::exp(change));
    }
  }

  const Dataset& data_;
  std::span<const std::uint32_t> rows_;
  Random random_;
  const Run& run_;
  std::vector<float> weights_;
  std::vector<double> squares_, gradient_;
  std::vector<std::uint32_t> queries_;
  std::vector<std::vector<std::uint32_t>> others_;  // of each query, the nearest rows
  std::vector<Feature> touched_;
};

}  // namespace

std::vector<float> fit_feature_weights(const Dataset& data, std::span<const std::uint32_t> rows, std::uint64_t seed,
                                       const Run& run) {
  return FeatureWeightFit(data, rows, seed, run).learn();
}

std::uint64_t feature_weight_bytes(const DataShape& shape, std::size_t threads) {
  // The weights, their squares and gradients; a weighted copy of the rows, turned around, and the places of rows in it.
  return shape.features * (sizeof(float) + 2 * sizeof(double) + sizeof(std::uint64_t)) +
         shape.nonzeros * (sizeof(Feature) + sizeof(float)) + InvertedIndex::bytes(shape.nonzeros, shape.features) +
         shape.rows * (sizeof(std::uint32_t) + sizeof(std::uint64_t)) +
         kMostTrainingQueries * kOthers * sizeof(std::uint32_t) +
         threads * (2 * shape.features + shape.rows) * sizeof(float);
}

}  // namespace xylem::neighbours
