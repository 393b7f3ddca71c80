// SPDX-License-Identifier: Apache-2.0
// Files that may be gzip or zstd: the same bytes, or an Error, whether they are read in small steps or large ones.
#include "data/byte_source.h"

#include <cstdlib>
#include <optional>

#include "fuzz_file.h"
#include "xylem/error.h"

namespace {

using namespace xylem;

constexpr std::size_t kEnough = std::size_t{1} << 16;

std::optional<std::string> read(const std::string& path, std::size_t step) {
  std::string all;
  try {
    ByteSource source(path);
    while (all.size() < kEnough) {
      const std::size_t before = all.size();
      all.resize(before + step);
      const std::size_t n = source.read(all.data() + before, step);
      all.resize(before + n);
      if (n < step) break;
    }
  } catch (const Error&) {
    return std::nullopt;
  }
  return all;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string path = fuzz::file_of(bytes, size);
  const std::optional<std::string> large_step = read(path, kEnough);
  const std::optional<std::string> small_step = read(path, 64);
  if (large_step.has_value() != small_step.has_value() || large_step != small_step) std::abort();
  return 0;
}
