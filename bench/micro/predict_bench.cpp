// SPDX-License-Identifier: Apache-2.0
// How fast a model answers, in batches and row by row, on one thread; time_a_row, p50_ms and p99_ms are what counts:
// predict_bench --model MODEL --data TEST.txt [--model MODEL --data TEST.txt]... [options of Google Benchmark]
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/stopwatch.h"
#include "xylem/dataset.h"
#include "xylem/tagger.h"
#include "yardsticks.h"

namespace {

using namespace xylem;

constexpr std::size_t kLabels = 5;

struct Subject {
  Tagger tagger;
  Dataset test;
};

Run one_thread() {
  Run run;
  run.threads = 1;
  return run;
}

void batch(benchmark::State& state, const Subject& subject) {
  const SparseRows rows = subject.test.features.rows();
  for (auto _ : state) benchmark::DoNotOptimize(subject.tagger.tag(rows, kLabels, one_thread()));
  state.counters["time_a_row"] = benchmark::Counter(
      static_cast<double>(rows.size()), benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

// The clock shows what a caller waits, on a busy machine also for other programs; CPU time does not count these.
void query(benchmark::State& state, const Subject& subject) {
  const SparseRows rows = subject.test.features.rows();
  std::vector<double> waits, times;
  for (auto _ : state) {
    for (std::size_t row = 0; row < rows.size(); ++row) {
      Stopwatch stopwatch;
      benchmark::DoNotOptimize(subject.tagger.tag(rows.slice(row, 1), kLabels, one_thread()));
      const Cost cost = stopwatch.lap();
      times.push_back(1000 * cost.cpu_seconds);
      waits.push_back(1000 * cost.wall_seconds);
    }
  }
  std::ranges::sort(times);
  std::ranges::sort(waits);
  state.counters["p50_ms"] = waits[waits.size() / 2];
  state.counters["p99_ms"] = waits[waits.size() * 99 / 100];
  state.counters["p50_cpu_ms"] = times[times.size() / 2];
  state.counters["p99_cpu_ms"] = times[times.size() * 99 / 100];
}

void add(const std::string& model, const std::string& data) {
  const auto subject = std::make_shared<const Subject>(Subject{Tagger::load(model), read_dataset(data).data});
  const std::string name = std::filesystem::path(model).stem().string();
  const auto add_kind = [&](const std::string& kind, auto measure) {
    benchmark::RegisterBenchmark((kind + "/" + name).c_str(), [=](benchmark::State& state) {
      measure(state, *subject);
    })->Unit(benchmark::kMillisecond);
  };
  add_kind("batch", batch);
  add_kind("query", query);
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (argc < 5 || argc % 4 != 1) {
    std::fputs("usage: predict_bench --model MODEL --data TEST.txt [--model MODEL --data TEST.txt]...\n", stderr);
    return 2;
  }
  try {
    for (int i = 1; i + 3 < argc; i += 4) {
      if (argv[i] != std::string_view("--model") || argv[i + 2] != std::string_view("--data")) {
        std::fputs("predict_bench: expected --model MODEL --data TEST.txt\n", stderr);
        return 2;
      }
      add(argv[i + 1], argv[i + 3]);
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "predict_bench: %s\n", error.what());
    return 1;
  }
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
