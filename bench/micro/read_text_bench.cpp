// SPDX-License-Identifier: Apache-2.0
// How fast a file of texts becomes a corpus. Needs the real data sets: XYLEM_DATA=... read_text_bench
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>

#include "folder.h"
#include "xylem/corpus.h"

namespace {

// The data set is JSONL; other formats are written from it.
void read_eurlex(benchmark::State& state, std::string_view format) {
  const char* folder = std::getenv("XYLEM_DATA");
  std::string path = std::string(folder != nullptr ? folder : "") + "/eurlex57k-text/train.jsonl";
  if (folder == nullptr || !std::filesystem::exists(path)) {
    state.SkipWithError("skipped: there is no eurlex57k-text/train.jsonl in the folder named by XYLEM_DATA");
    return;
  }
  const xylem::test::Folder own;
  if (format != "jsonl") {
    const xylem::Corpus corpus = xylem::read_corpus(path).corpus;
    path = own / "train";
    xylem::write_corpus(corpus, format, '|', path, true);
  }
  xylem::ReadOptions options;
  options.format = format;
  options.label_separator = '|';
  xylem::Run run;
  run.threads = static_cast<int>(state.range(0));
  for (auto _ : state) benchmark::DoNotOptimize(xylem::read_corpus(path, options, run));
  state.SetBytesProcessed(static_cast<std::int64_t>(std::filesystem::file_size(path)) * state.iterations());
}

void with_threads(benchmark::internal::Benchmark* bench) {
  bench->ArgName("threads")->Arg(1)->Arg(2)->MeasureProcessCPUTime()->UseRealTime()->Unit(benchmark::kMillisecond);
}
BENCHMARK_CAPTURE(read_eurlex, jsonl, "jsonl")->Apply(with_threads);
BENCHMARK_CAPTURE(read_eurlex, tsv, "tsv")->Apply(with_threads);
BENCHMARK_CAPTURE(read_eurlex, csv, "csv")->Apply(with_threads);

}  // namespace
