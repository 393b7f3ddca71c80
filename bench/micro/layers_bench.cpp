// SPDX-License-Identifier: Apache-2.0
// How fast the phases of a network's step are, against what the machine can do: dense layers against a large square
// product of Eigen's and against multiply-adds that wait for nothing; the table of the input against reading the same
// rows of it with nothing but a sum. One thread, CPU time. A round measures the phase and its yardsticks one after the
// other, since speeds change by the minute; all figures are medians over the rounds.
#include <benchmark/benchmark.h>

#include <map>
#include <numeric>
#include <string>

#include "algorithms/label_layer.h"
#include "algorithms/layers.h"
#include "core/parallel.h"
#include "generate/world.h"
#include "yardsticks.h"

namespace {

using namespace xylem;
using Eigen::Index;

constexpr int kRounds = 15;
constexpr double kPeriod = 0.05;  // seconds for each thing measured in a round
constexpr std::size_t kHidden = 512;
constexpr std::size_t kFeatures = 150'000;

// A round's figures, by name.
class Rounds {
 public:
  void add(const std::string& name, double value) { values_[name].push_back(value); }
  void report(benchmark::State& state) const {
    for (const auto& [name, values] : values_) state.counters[name] = median(values);
  }

 private:
  std::map<std::string, std::vector<double>> values_;
};

Matrix random_matrix(std::size_t rows, std::size_t cols, std::uint64_t seed) {
  Random random(seed, {});
  Matrix result(static_cast<Index>(rows), static_cast<Index>(cols));
  for (float& value : result.reshaped()) value = static_cast<float>(random.normal());
  return result;
}

// Multiply-adds a second of a square product.
double product_rate(std::size_t n) {
  static std::map<std::size_t, Matrix> known;
  if (!known.contains(n)) known[n] = random_matrix(n, n, 1);
  const Matrix& factor = known[n];
  Matrix product(factor.rows(), factor.cols());
  const auto size = static_cast<double>(n);
  return size * size * size / least_seconds([&] { product.noalias() = factor * factor; }, kPeriod);
}

// `phase` makes so many multiply-adds.
void measure_dense(benchmark::State& state, double multiply_adds, const auto& phase) {
  Rounds rounds;
  for (auto _ : state) {
    const double seconds = least_seconds(phase, kPeriod);
    state.SetIterationTime(seconds);
    const double rate = multiply_adds / seconds, product = std::max(product_rate(1024), product_rate(2048));
    rounds.add("GFLOPs", 2e-9 * rate);
    rounds.add("GFLOPs_product", 2e-9 * product);
    rounds.add("of_product", rate / product);
    rounds.add("of_peak", rate / peak_rate(kPeriod));
  }
  rounds.report(state);
}

void on_one_thread(const auto& work) {
  with_threads(1, work);
}

void dense_forward(benchmark::State& state) {
  const auto batch = static_cast<std::size_t>(state.range(0)), dim = static_cast<std::size_t>(state.range(1));
  const DenseLayer layer(kHidden, dim, 0.05, {}, Random(1, {}));
  const Matrix input = random_matrix(batch, kHidden, 2);
  Matrix output;
  on_one_thread(
      [&] { measure_dense(state, static_cast<double>(batch * kHidden * dim), [&] { layer.forward(input, output); }); });
}

// With the update of the parameters.
void dense_backward(benchmark::State& state, OptimiserKind kind) {
  const auto batch = static_cast<std::size_t>(state.range(0)), dim = static_cast<std::size_t>(state.range(1));
  DenseLayer layer(kHidden, dim, 0.05, {.optimiser = kind}, Random(1, {}));
  const Matrix input = random_matrix(batch, kHidden, 2), delta = random_matrix(batch, dim, 3);
  Matrix input_delta;
  layer.begin_epoch(1e-6, 1'000'000);
  on_one_thread([&] {
    measure_dense(state, 2 * static_cast<double>(batch * kHidden * dim), [&] {
      layer.begin_step();
      layer.backward(input, delta, &input_delta);
    });
  });
}

void with_rounds(benchmark::internal::Benchmark* bench) {
  bench->UseManualTime()->Unit(benchmark::kMillisecond)->Iterations(kRounds);
}
void with_shapes(benchmark::internal::Benchmark* bench) {
  with_rounds(bench);
  bench->ArgNames({"batch", "dim"})->ArgsProduct({{128, 1024}, {200, 512}});
}
BENCHMARK(dense_forward)->Apply(with_shapes);
BENCHMARK_CAPTURE(dense_backward, adam, OptimiserKind::kAdam)->Apply(with_shapes);
BENCHMARK_CAPTURE(dense_backward, sgd, OptimiserKind::kSgd)->Apply(with_shapes);

// The output layer over as many labels as eurlex57k has: the scores; the gradients, with the update of the parameters.
void label_layer(benchmark::State& state, bool forward) {
  constexpr std::size_t kLabels = 4271;
  const auto batch = static_cast<std::size_t>(state.range(0)), dim = static_cast<std::size_t>(state.range(1));
  LabelLayer layer(kLabels, dim, 0.05, {}, Random(1, {}));
  const Matrix input = random_matrix(batch, dim, 2), delta = random_matrix(batch, kLabels, 3);
  std::vector<Label> labels(kLabels);
  std::iota(labels.begin(), labels.end(), Label{0});
  Matrix in_use, scores, input_delta;
  layer.begin_epoch(1e-6, 1'000'000);
  layer.begin_step(labels, in_use);
  const auto work = [&] {
    if (forward) {
      layer.forward(input, in_use, scores);
    } else {
      layer.begin_step(labels, in_use);
      layer.backward(input, in_use, delta, input_delta);
    }
  };
  on_one_thread([&] { measure_dense(state, static_cast<double>((forward ? 1 : 2) * batch * kLabels * dim), work); });
}
BENCHMARK_CAPTURE(label_layer, forward, true)->Apply(with_shapes);
BENCHMARK_CAPTURE(label_layer, backward, false)->Apply(with_shapes);

// Rows as those of eurlex57k, with more features: 200 non-zeros, whose frequencies follow a power law.
const std::vector<SparseBatch>& batches() {
  static const std::vector<SparseBatch> result = [] {
    constexpr std::uint32_t kBatch = 128, kBatches = 20;
    const generate::Shape shape{
        .rows = kBatch * kBatches, .features = kFeatures, .labels = 4'000, .labels_a_row = 5, .nonzeros = 200};
    const generate::World world(shape, 1);
    generate::RowScratch scratch;
    SparseMatrix rows;
    rows.n_columns = kFeatures;
    for (std::uint32_t i = 0; i < kBatch * kBatches; ++i) {
      rows.push_back(world.row(generate::Part::kTrain, i, scratch).sparse());
    }
    std::vector<SparseBatch> made(kBatches);
    for (std::uint32_t i = 0; i < kBatches; ++i) {
      std::vector<std::uint32_t> numbers(kBatch);
      for (std::uint32_t j = 0; j < kBatch; ++j) numbers[j] = i * kBatch + j;
      made[i].assign(rows, numbers, 1, 1);
    }
    return made;
  }();
  return result;
}

// Reads the rows of these ids and adds them all up.
void gather(const Matrix& table, std::span<const std::uint32_t> ids) {
  constexpr std::size_t kAhead = 4, kLine = 64 / sizeof(float);
  using Sums = Eigen::Array<float, 64, 1>;  // eight registers
  Sums sums = Sums::Zero();
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (i + kAhead < ids.size()) {
      const float* later = table.row(ids[i + kAhead]).data();
      for (std::size_t x = 0; x < kHidden; x += kLine) __builtin_prefetch(later + x);
    }
    const float* row = table.row(ids[i]).data();
    for (std::size_t x = 0; x < kHidden; x += Sums::SizeAtCompileTime) sums += Eigen::Map<const Sums>(row + x);
  }
  benchmark::DoNotOptimize(sums.data());
  benchmark::ClobberMemory();
}

// CPU seconds of work(batch) for all batches, one after the other: by the time a batch comes again, the caches have
// forgotten it.
double seconds_for_all(const auto& work) {
  const double start = cpu_seconds();
  for (const SparseBatch& batch : batches()) work(batch);
  return cpu_seconds() - start;
}

// The rows of the table that the non-zeros name are read and summed up, row by row of the batch.
void table_forward(benchmark::State& state) {
  const SparseLayer layer(kFeatures, kHidden, 0.05, {}, Random(1, {}));
  double bytes = 0;
  for (const SparseBatch& batch : batches()) bytes += static_cast<double>(batch.rows().ids.size());
  bytes *= kHidden * sizeof(float);
  Matrix output;
  Rounds rounds;
  on_one_thread([&] {
    for (auto _ : state) {
      const double seconds =
          seconds_for_all([&](const SparseBatch& batch) { layer.forward(batch.rows().rows(), output); });
      const double gathering =
          seconds_for_all([&](const SparseBatch& batch) { gather(layer.table.values(), batch.rows().ids); });
      state.SetIterationTime(seconds / static_cast<double>(batches().size()));
      rounds.add("GBs", 1e-9 * bytes / seconds);
      rounds.add("GBs_gathered", 1e-9 * bytes / gathering);
      rounds.add("of_gathering", gathering / seconds);
    }
  });
  rounds.report(state);
}
BENCHMARK(table_forward)->Apply(with_rounds);

// For every feature of the batch the rows of delta that it meets are summed up, and its rows in the optimiser's tables
// are read and written; sgd has read and written both of them before, to bring them up to date. The yardstick reads the
// same rows of delta, and of tables as often, and writes nothing.
void table_backward(benchmark::State& state, OptimiserKind kind) {
  SparseLayer layer(kFeatures, kHidden, 0.05, {.optimiser = kind}, Random(1, {}));
  const std::size_t n_tables = kind == OptimiserKind::kAdam ? 3 : 2;
  const std::size_t times = kind == OptimiserKind::kSgd ? 2 : 1;
  const std::vector<Matrix> tables(n_tables, layer.table.values());
  const Matrix delta = random_matrix(batches()[0].size(), kHidden, 2);
  double in_batch = 0, in_tables = 0;
  for (const SparseBatch& batch : batches()) {
    in_batch += static_cast<double>(batch.rows().ids.size());
    in_tables += static_cast<double>(times * n_tables * batch.features().size());
  }
  Rounds rounds;
  layer.begin_epoch(1e-6, static_cast<std::size_t>(kRounds) * batches().size());
  on_one_thread([&] {
    for (auto _ : state) {
      const double seconds = seconds_for_all([&](const SparseBatch& batch) {
        layer.begin_step(batch);
        layer.backward(batch, delta);
      });
      const double gathering = seconds_for_all([&](const SparseBatch& batch) {
        gather(delta, {batch.by_feature()[0].ids.data(), batch.rows().ids.size()});
        for (std::size_t time = 0; time < times; ++time) {
          for (const Matrix& table : tables) gather(table, batch.features());
        }
      });
      state.SetIterationTime(seconds / static_cast<double>(batches().size()));
      rounds.add("GBs", 1e-9 * (in_batch + in_tables) * kHidden * sizeof(float) / seconds);
      rounds.add("GBs_gathered", 1e-9 * (in_batch + in_tables) * kHidden * sizeof(float) / gathering);
      rounds.add("of_gathering", gathering / seconds);
    }
  });
  state.counters["tables'_share"] = in_tables / (in_batch + in_tables);
  rounds.report(state);
}
BENCHMARK_CAPTURE(table_backward, adam, OptimiserKind::kAdam)->Apply(with_rounds);
BENCHMARK_CAPTURE(table_backward, adagrad, OptimiserKind::kAdagrad)->Apply(with_rounds);
BENCHMARK_CAPTURE(table_backward, sgd, OptimiserKind::kSgd)->Apply(with_rounds);

}  // namespace
