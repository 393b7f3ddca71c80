// SPDX-License-Identifier: Apache-2.0
// How fast a model of about 1 GB is opened with every check, its pages being in the page cache, and what each part
// takes of it. On all threads of the machine.
#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "core/hash.h"
#include "core/parallel.h"
#include "model_file/mapping.h"
#include "model_file/reader.h"
#include "model_file/writer.h"

namespace {

using namespace xylem;

constexpr std::uint64_t kRows = 16'000'000;
constexpr std::uint64_t kPerRow = 7;
constexpr std::uint64_t kNonzeros = kRows * kPerRow;
constexpr std::uint64_t kColumns = 500'000;

// The model, written at first use and removed at the end.
class BigModel {
 public:
  BigModel() : path_(std::filesystem::temp_directory_path() / fmt::format("xylem-bench-{}.xylem", ::getpid())) {
    std::vector<std::uint64_t> offsets(kRows + 1);
    std::vector<std::uint32_t> ids(kNonzeros);
    std::vector<float> values(kNonzeros);
    for (std::uint64_t i = 0; i <= kRows; ++i) offsets[i] = i * kPerRow;
    for (std::uint64_t i = 0; i < kNonzeros; ++i) {
      ids[i] = static_cast<std::uint32_t>(i * 7919 % kColumns);
      values[i] = 1.0F / static_cast<float>(i + 1);
    }
    ModelWriter writer;
    writer.array("offsets", Array(std::move(offsets)));
    writer.array("ids", Array(std::move(ids)));
    writer.array("values", Array(std::move(values)));
    writer.write(path_, IfExists::kReplace);
  }
  ~BigModel() { std::filesystem::remove(path_); }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

const std::string& model_path() {
  static const BigModel model;
  return model.path();
}

void check_content(const ModelReader& reader) {
  benchmark::DoNotOptimize(reader.offsets("offsets", kRows, kNonzeros).data());
  benchmark::DoNotOptimize(reader.ids("ids", kNonzeros, kColumns).data());
  benchmark::DoNotOptimize(reader.finite("values", kNonzeros).data());
}

void count_bytes(benchmark::State& state) {
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * std::filesystem::file_size(model_path())));
}

void open_with_all_checks(benchmark::State& state) {
  model_path();
  for (auto _ : state) check_content(ModelReader(model_path()));
  count_bytes(state);
}
BENCHMARK(open_with_all_checks)->UseRealTime()->Unit(benchmark::kMillisecond);

void open_only(benchmark::State& state) {
  for (auto _ : state) ModelReader reader(model_path());
  count_bytes(state);
}
BENCHMARK(open_only)->UseRealTime()->Unit(benchmark::kMillisecond);

void content_checks_only(benchmark::State& state) {
  const ModelReader reader(model_path());
  for (auto _ : state) check_content(reader);
  count_bytes(state);
}
BENCHMARK(content_checks_only)->UseRealTime()->Unit(benchmark::kMillisecond);

void hash_only(benchmark::State& state) {
  const MappedFile file = map_file(model_path());
  load_pages(file, 0, file.size, model_path());
  for (auto _ : state) {
    Hasher hasher;
    hasher.add({file.bytes.get(), file.size});
    benchmark::DoNotOptimize(hasher.digest());
  }
  count_bytes(state);
}
BENCHMARK(hash_only)->UseRealTime()->Unit(benchmark::kMillisecond);

void map_and_load_pages_only(benchmark::State& state) {
  for (auto _ : state) {
    const MappedFile file = map_file(model_path());
    load_pages(file, 0, file.size, model_path());
  }
  count_bytes(state);
}
BENCHMARK(map_and_load_pages_only)->UseRealTime()->Unit(benchmark::kMillisecond);

}  // namespace
