// SPDX-License-Identifier: Apache-2.0
// How fast a sparse file becomes a data set. Needs the real data sets: XYLEM_DATA=... read_bench
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "xylem/dataset.h"

namespace {

void read_tibkat(benchmark::State& state) {
  const char* folder = std::getenv("XYLEM_DATA");
  const std::string path = std::string(folder != nullptr ? folder : "") + "/tibkat-gnd/train.txt";
  if (folder == nullptr || !std::filesystem::exists(path)) {
    state.SkipWithError("skipped: there is no tibkat-gnd/train.txt in the folder named by XYLEM_DATA");
    return;
  }
  xylem::Run run;
  run.threads = static_cast<int>(state.range(0));
  for (auto _ : state) benchmark::DoNotOptimize(xylem::read_dataset(path, {}, run));
  state.SetBytesProcessed(static_cast<std::int64_t>(std::filesystem::file_size(path)) * state.iterations());
}

BENCHMARK(read_tibkat)
    ->ArgName("threads")
    ->Arg(1)
    ->Arg(2)
    ->MeasureProcessCPUTime()
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace
