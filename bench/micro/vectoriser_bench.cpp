// SPDX-License-Identifier: Apache-2.0
// How fast texts become words and rows. Needs the real data sets: XYLEM_DATA=... vectoriser_bench
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "core/parallel.h"
#include "data/ngram_counter.h"
#include "data/tokenizer.h"
#include "data/vectoriser.h"

namespace {

using namespace xylem;

constexpr std::size_t kMaxTexts = 20'000;

// The first texts of a data set; null with a message where it is missing.
const TextList* texts_of(const std::string& name, benchmark::State& state) {
  static std::map<std::string, TextList> known;
  TextList& texts = known[name];
  if (texts.size() > 0) return &texts;
  const char* folder = std::getenv("XYLEM_DATA");
  std::ifstream file(std::string(folder != nullptr ? folder : "") + "/" + name + "/train.jsonl");
  std::string line;
  while (folder != nullptr && texts.size() < kMaxTexts && std::getline(file, line)) {
    texts.push_back(nlohmann::json::parse(line)["text"].get<std::string>());
  }
  if (texts.size() > 0) return &texts;
  state.SkipWithError(("skipped: there is no " + name + "/train.jsonl in the folder named by XYLEM_DATA").c_str());
  return nullptr;
}

// Runs `work(texts)` again and again on as many threads as the benchmark's argument says.
void measure(benchmark::State& state, const std::string& name, const auto& work) {
  const TextList* texts = texts_of(name, state);
  if (texts == nullptr) return;
  with_threads(static_cast<int>(state.range(0)), [&] {
    for (auto _ : state) work(*texts);
  });
  state.SetBytesProcessed(static_cast<std::int64_t>(texts->bytes.size()) * state.iterations());
}

void tokenise(benchmark::State& state, const std::string& name, const std::string& stem) {
  Tokenizer tokenizer(stem);
  measure(state, name, [&](const TextList& texts) {
    std::size_t words = 0;
    for (std::size_t i = 0; i < texts.size(); ++i) words += tokenizer.split(texts[i]).size();
    benchmark::DoNotOptimize(words);
  });
}

void count(benchmark::State& state, const std::string& name, std::size_t max_counted) {
  measure(state, name, [&](const TextList& texts) {
    CountingOptions options{.ngrams = 2, .stem_language = {}, .min_texts = 2};
    if (max_counted > 0) options.max_counted = max_counted;
    benchmark::DoNotOptimize(count_ngrams(texts, options, {}));
  });
}

void fit(benchmark::State& state, const std::string& name) {
  measure(state, name, [](const TextList& texts) { benchmark::DoNotOptimize(Vectoriser(texts, {}, {})); });
}

void transform(benchmark::State& state, const std::string& name) {
  std::optional<Vectoriser> vectoriser;
  measure(state, name, [&](const TextList& texts) {
    if (!vectoriser) {
      state.PauseTiming();
      vectoriser.emplace(texts, TextOptions{}, Run{});
      state.ResumeTiming();
    }
    benchmark::DoNotOptimize(vectoriser->transform(texts, {}));
  });
}

void on_threads(benchmark::internal::Benchmark* benchmark) {
  benchmark->ArgName("threads")->Arg(1)->Arg(2)->MeasureProcessCPUTime()->UseRealTime()->Unit(benchmark::kMillisecond);
}

BENCHMARK_CAPTURE(tokenise, english, "eurlex57k-text", "")->ArgName("threads")->Arg(1)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(tokenise, german, "tibkat-gnd-text", "")->ArgName("threads")->Arg(1)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(tokenise, stemmed, "eurlex57k-text", "english")
    ->ArgName("threads")
    ->Arg(1)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(count, one_pass, "eurlex57k-text", 0)->Apply(on_threads);
BENCHMARK_CAPTURE(count, several_passes, "eurlex57k-text", 1'000'000)->Apply(on_threads);
BENCHMARK_CAPTURE(fit, english, "eurlex57k-text")->Apply(on_threads);
BENCHMARK_CAPTURE(transform, english, "eurlex57k-text")->Apply(on_threads);
BENCHMARK_CAPTURE(transform, german, "tibkat-gnd-text")->Apply(on_threads);

}  // namespace
