// SPDX-License-Identifier: Apache-2.0
// How fast linear classifiers are found, sixteen labels at a time: against the slow twin, which takes one label after
// the other, and against what the machine can do at most. One thread, CPU time. The nodes are made up: one that fits
// in the L2 cache, one as the leaves of EURLex-like data are, one with weights beyond most L3 caches.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <numeric>

#include "algorithms/lane_solver.h"
#include "core/aligned.h"
#include "core/dense.h"
#include "core/random.h"
#include "generate/world.h"
#include "lane_problem.h"
#include "yardsticks.h"

namespace {

using namespace xylem;

const generate::Shape kSmall{.rows = 500, .features = 4'000, .labels = 100, .labels_a_row = 5, .nonzeros = 60};
const generate::Shape kLeaf{.rows = 3'000, .features = 20'000, .labels = 100, .labels_a_row = 5, .nonzeros = 230};
const generate::Shape kLarge{.rows = 30'000, .features = 1'000'000, .labels = 100, .labels_a_row = 5, .nonzeros = 200};

// Rows with features numbered by falling frequency, and a lane for each of the most frequent labels.
test::Problem make_problem(const generate::Shape& shape) {
  const generate::World world(shape, 1);
  generate::RowScratch scratch;
  std::vector<generate::Row> rows;
  std::vector<std::size_t> feature_rows(shape.features), label_rows(shape.labels);
  for (int i = 0; i < shape.rows; ++i) {
    rows.push_back(world.row(generate::Part::kTrain, i, scratch));
    for (const Feature feature : rows.back().features) ++feature_rows[feature];
    for (const Label label : rows.back().labels) ++label_rows[label];
  }
  // Places of the ids when those with the most rows come first.
  const auto ranks = [](const std::vector<std::size_t>& counts) {
    std::vector<std::uint32_t> order(counts.size()), result(counts.size());
    std::iota(order.begin(), order.end(), 0u);
    std::ranges::stable_sort(order, std::greater{}, [&](std::uint32_t id) { return counts[id]; });
    for (std::uint32_t rank = 0; rank < order.size(); ++rank) result[order[rank]] = rank;
    return result;
  };
  const std::vector<std::uint32_t> feature_ranks = ranks(feature_rows), label_ranks = ranks(label_rows);

  test::Problem problem;
  problem.positive_cost.fill(1);
  problem.rows =
      LocalRows(feature_rows.size() - static_cast<std::size_t>(std::ranges::count(feature_rows, std::size_t{0})));
  for (const generate::Row& row : rows) {
    std::vector<std::uint32_t> ids;
    for (const Feature feature : row.features) ids.push_back(feature_ranks[feature]);
    problem.rows.push_back(ids, row.values);
    unsigned positives = 0;
    for (const Label label : row.labels) {
      if (label_ranks[label] < kLanes) positives |= 1u << label_ranks[label];
    }
    problem.positives.push_back(static_cast<LaneBits>(positives));
    problem.members.push_back(0xffff);
  }
  return problem;
}

double objective(const test::Problem& problem, const LinearOptions& options, const auto& weights_of_lane) {
  double sum = 0;
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    sum += test::objective(problem, options, lane, weights_of_lane(lane));
  }
  return sum;
}

// Both with the default passes and tolerance. Where the objectives are alike, so are the solutions.
void solve(benchmark::State& state, const generate::Shape& shape) {
  const test::Problem problem = make_problem(shape);
  const LinearOptions options;
  LaneScratch scratch;
  AlignedVector<float> weights;
  std::vector<test::Weights> twin_weights(kLanes);
  double lane_seconds = 0, twin_seconds = 0;
  for (auto _ : state) {
    const double start = cpu_seconds();
    benchmark::DoNotOptimize(solve_lanes(problem.view(), options, 1, scratch, weights));
    const double middle = cpu_seconds();
    for (std::size_t lane = 0; lane < kLanes; ++lane) twin_weights[lane] = slow_twin(problem, options, lane);
    state.SetIterationTime(middle - start);
    lane_seconds += middle - start;
    twin_seconds += cpu_seconds() - middle;
  }
  state.counters["times_the_twin"] = twin_seconds / lane_seconds;
  state.counters["objective_to_twin's"] =
      objective(problem, options, [&](std::size_t lane) { return test::lane_of(weights, lane); }) /
      objective(problem, options, [&](std::size_t lane) { return twin_weights[lane]; });
}

void with_counted_time(benchmark::internal::Benchmark* bench) {
  bench->UseManualTime()->Unit(benchmark::kMillisecond);
}
BENCHMARK_CAPTURE(solve, small, kSmall)->Apply(with_counted_time)->Iterations(50);
BENCHMARK_CAPTURE(solve, leaf, kLeaf)->Apply(with_counted_time)->Iterations(5);
BENCHMARK_CAPTURE(solve, large, kLarge)->Apply(with_counted_time)->Iterations(1);

// Groups of sixteen weights read a second, at given places of a table.
double reading_rate(std::size_t n_features, const std::vector<std::uint32_t>& places) {
  using Group = Eigen::Array<float, kLanes, 1>;
  const AlignedVector<float> table(n_features * kLanes);
  const auto group = [&](std::uint32_t place) {
    return Eigen::Map<const Group, Eigen::Aligned32>(table.data() + place * kLanes);
  };
  const double seconds = least_seconds([&] {
    Group sum0 = Group::Zero(), sum1 = Group::Zero(), sum2 = Group::Zero(), sum3 = Group::Zero();
    for (std::size_t i = 0; i + 4 <= places.size(); i += 4) {
      sum0 += group(places[i]);
      sum1 += group(places[i + 1]);
      sum2 += group(places[i + 2]);
      sum3 += group(places[i + 3]);
    }
    const Group sum = (sum0 + sum1) + (sum2 + sum3);
    benchmark::DoNotOptimize(sum.data());
    benchmark::ClobberMemory();
  });
  return static_cast<double>(places.size()) / seconds;
}

// One pass from zero weights, in which every row is visited and changes the weights: two multiply-adds for each
// non-zero and lane, and its weights are read twice and written once. The second time they are in the cache, so that on
// a large node the rate may exceed that of reading each anew.
void first_pass(benchmark::State& state, const generate::Shape& shape) {
  const test::Problem problem = make_problem(shape);
  const LinearOptions options{.passes = 1, .tolerance = 1e-6};
  LaneScratch scratch;
  AlignedVector<float> weights;
  double seconds = 0;
  for (auto _ : state) {
    const double start = cpu_seconds();
    benchmark::DoNotOptimize(solve_lanes(problem.view(), options, 1, scratch, weights));
    state.SetIterationTime(cpu_seconds() - start);
    seconds += cpu_seconds() - start;
  }
  const std::size_t n_features = problem.rows.n_features();
  std::vector<std::uint32_t> own, anywhere;
  Random random(1, {});
  for (std::size_t row = 0; row < problem.rows.size(); ++row) {
    for (const test::PlainEntry& entry : test::entries_of(problem.rows, row)) {
      own.push_back(entry.id);
      anywhere.push_back(static_cast<std::uint32_t>(random.below(n_features)));
    }
  }

  const double group_rate = 2 * static_cast<double>(own.size()) * static_cast<double>(state.iterations()) / seconds;
  const double peak = peak_rate();
  state.counters["weights_MB"] = static_cast<double>(weights.size() * sizeof(float)) * 1e-6;
  state.counters["multiply_adds_a_s"] = group_rate * kLanes;
  state.counters["of_peak"] = group_rate * kLanes / peak;
  state.counters["peak"] = peak;
  state.counters["of_reading_anywhere"] = group_rate / reading_rate(n_features, anywhere);
  state.counters["of_reading_its_own"] = group_rate / reading_rate(n_features, own);
}
BENCHMARK_CAPTURE(first_pass, small, kSmall)->Apply(with_counted_time);
BENCHMARK_CAPTURE(first_pass, leaf, kLeaf)->Apply(with_counted_time);
BENCHMARK_CAPTURE(first_pass, large, kLarge)->Apply(with_counted_time);

}  // namespace
