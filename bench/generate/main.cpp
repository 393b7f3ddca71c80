// SPDX-License-Identifier: Apache-2.0
// Writes a made-up data set of a given shape: FOLDER/train.txt and FOLDER/test.txt.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include "core/fail.h"
#include "core/file.h"
#include "core/numbers.h"
#include "core/parallel.h"
#include "core/text.h"
#include "data/write_sparse.h"
#include "generate/world.h"

namespace xylem::generate {
namespace {

// What is in memory at a time, as text.
constexpr std::size_t kChunks = 64;
constexpr double kNonzerosAChunk = 8192;

void write_part(const World& world, const Shape& shape, Part part, OutputFile& file) {
  const std::uint64_t n_rows = part == Part::kTest ? static_cast<std::uint64_t>(shape.test_rows)
                                                   : static_cast<std::uint64_t>(shape.rows) * shape.rows_times;
  const std::size_t rows_a_chunk = 1 + static_cast<std::size_t>(kNonzerosAChunk / shape.nonzeros);
  const std::size_t rows_in_memory = kChunks * rows_a_chunk;
  file.write(fmt::format("{} {} {}\n", n_rows, shape.features, shape.labels));
  PerWorker<RowScratch> scratch;
  std::vector<fmt::memory_buffer> chunks(kChunks);
  for (std::uint64_t first = 0; first < n_rows; first += rows_in_memory) {
    const std::size_t n = std::min<std::uint64_t>(rows_in_memory, n_rows - first);
    for (fmt::memory_buffer& chunk : chunks) chunk.clear();
    parallel_for(n, rows_a_chunk, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        const Row row = world.row(part, first + i, scratch.local());
        append_sparse_row(row.labels, row.sparse(), {}, chunks[begin / rows_a_chunk]);
      }
    });
    for (const fmt::memory_buffer& chunk : chunks) file.write({chunk.data(), chunk.size()});
  }
  file.commit();
}

template <class Number>
Number number_of(const std::string& name, const std::string& text, Number high) {
  const auto number = parse_number<Number>(text);
  if (!number || *number < 0 || *number > high) {
    fail(ErrorKind::kUsage, "option {} is {}, expected a whole number up to {}", name, quote(text), high);
  }
  return *number;
}

void generate(const Shape& shape, std::uint64_t seed, int threads, const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) fail(ErrorKind::kIo, "cannot make the folder {}: {}", folder, error.message());
  // Both now, so that an existing one is refused before any work.
  OutputFile train(folder + "/train.txt", IfExists::kFail), test(folder + "/test.txt", IfExists::kFail);
  with_threads(threads, [&] {
    const World world(shape, seed);
    write_part(world, shape, Part::kTrain, train);
    write_part(world, shape, Part::kTest, test);
  });
}

int run(int argc, char** argv) {
  CLI::App app("Writes a made-up data set that can be learned, of the shape of a known one or any other.", "generate");
  app.footer(
      "Example:\n  generate --shape amazon-670k -o build/data/amazon-670k\n"
      "  generate --shape eurlex-4k --rows-times 2 -o build/data/eurlex-4k-twice");
  std::string shape_name, folder, seed = "1", threads = "0";
  std::string shape_help = "sizes to begin with; options below change them:";
  for (const NamedShape& known : named_shapes()) shape_help += fmt::format(" {}", known.name);
  app.add_option("--shape", shape_name, shape_help);
  Shape shape;
  std::map<std::string, std::string> given;
  for (const OptionField& field : option_fields(shape)) {
    app.add_option("--" + field.name, given[field.name], fmt::format("{} ({})", field.help, field.get()));
  }
  app.add_option("--seed", seed, "same seed, same bytes, on every machine (1)");
  app.add_option("-j,--threads", threads, "threads; 0: all of the machine (0)");
  app.add_option("-o,--output", folder, "folder for train.txt and test.txt")->required();
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);
    fail(ErrorKind::kUsage, "{}", error.what());
  }

  if (!shape_name.empty()) shape = find_shape(shape_name);
  Settings settings;
  for (const auto& [name, value] : given) {
    if (app.count("--" + name) > 0) settings[name] = value;
  }
  assign_options(option_fields(shape), settings);
  check_shape(shape);
  generate(shape, number_of<std::uint64_t>("seed", seed, ~std::uint64_t{0}), number_of("threads", threads, 1024),
           folder);
  return 0;
}

}  // namespace
}  // namespace xylem::generate

int main(int argc, char** argv) {
  try {
    return xylem::generate::run(argc, argv);
  } catch (const xylem::Error& error) {
    fmt::print(stderr, "generate: {}\n", error.what());
    return static_cast<int>(error.kind());
  } catch (const std::exception& error) {
    fmt::print(stderr, "generate: {}\n", error.what());
    return 1;
  }
}
