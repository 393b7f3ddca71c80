// SPDX-License-Identifier: Apache-2.0
// How fast models of parabel answer, in batches and row by row, on one thread; time_a_row, p50_ms and p99_ms are
// what counts. Trains first. Needs the real data sets: XYLEM_DATA=... parabel_bench
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "xylem/dataset.h"
#include "xylem/tagger.h"

namespace {

using namespace xylem;

constexpr std::size_t kLabels = 5;

struct Subject {
  std::optional<Tagger> tagger;
  Dataset test;
};

// A model of the data set and its test rows; null with a message where the data set is missing.
const Subject* subject_of(const std::string& data, const std::string& preset, benchmark::State& state) {
  static std::map<std::string, Subject> known;
  Subject& subject = known[data + " " + preset];
  if (subject.tagger) return &subject;
  const char* root = std::getenv("XYLEM_DATA");
  const std::string folder = std::string(root != nullptr ? root : "") + "/" + data;
  if (root == nullptr || !std::filesystem::exists(folder + "/train.txt")) {
    state.SkipWithError(("skipped: there is no " + data + "/train.txt in the folder named by XYLEM_DATA").c_str());
    return nullptr;
  }
  TrainOptions options;
  options.settings = {{"preset", preset}};
  subject.test = read_dataset(folder + "/test.txt").data;
  subject.tagger.emplace(Tagger::train(read_dataset(folder + "/train.txt").data, options, {}));
  return &subject;
}

Run one_thread() {
  Run run;
  run.threads = 1;
  return run;
}

void batch(benchmark::State& state, const std::string& data, const std::string& preset) {
  const Subject* subject = subject_of(data, preset, state);
  if (subject == nullptr) return;
  const SparseRows rows = subject->test.features.rows();
  for (auto _ : state) benchmark::DoNotOptimize(subject->tagger->tag(rows, kLabels, one_thread()));
  state.counters["time_a_row"] = benchmark::Counter(
      static_cast<double>(rows.size()), benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

void query(benchmark::State& state, const std::string& data, const std::string& preset) {
  using Clock = std::chrono::steady_clock;
  const Subject* subject = subject_of(data, preset, state);
  if (subject == nullptr) return;
  const SparseRows rows = subject->test.features.rows();
  std::vector<double> times;
  for (auto _ : state) {
    for (std::size_t row = 0; row < rows.size(); ++row) {
      const Clock::time_point start = Clock::now();
      benchmark::DoNotOptimize(subject->tagger->tag(rows.slice(row, 1), kLabels, one_thread()));
      times.push_back(std::chrono::duration<double, std::milli>(Clock::now() - start).count());
    }
  }
  std::ranges::sort(times);
  state.counters["p50_ms"] = times[times.size() / 2];
  state.counters["p99_ms"] = times[times.size() * 99 / 100];
}

BENCHMARK_CAPTURE(batch, eurlex57k_fast, "eurlex57k", "fast")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(query, eurlex57k_fast, "eurlex57k", "fast")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(batch, tibkat_fast, "tibkat-gnd", "fast")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(query, tibkat_fast, "tibkat-gnd", "fast")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(batch, eurlex57k_paper, "eurlex57k", "paper")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(query, eurlex57k_paper, "eurlex57k", "paper")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(batch, eurlex57k_accurate, "eurlex57k", "accurate")->Unit(benchmark::kMillisecond);

}  // namespace
