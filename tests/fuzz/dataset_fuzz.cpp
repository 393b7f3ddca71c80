// SPDX-License-Identifier: Apache-2.0
// Sparse files: whatever the bytes, a data set that keeps its promises or an Error, wherever the file is cut.
#include <cstdlib>
#include <optional>

#include "core/parallel.h"
#include "data/read_sparse.h"
#include "fuzz_file.h"
#include "xylem/error.h"

namespace {

using namespace xylem;

std::optional<Dataset> read(const std::string& path, const ReadOptions& options, const Cuts& cuts) {
  try {
    return read_sparse(path, options, {}, cuts).data;
  } catch (const Error&) {
    return std::nullopt;
  }
}

bool equal(const Dataset& a, const Dataset& b) {
  return a.features.offsets == b.features.offsets && a.features.ids == b.features.ids &&
         a.features.values == b.features.values && a.features.n_columns == b.features.n_columns &&
         a.labels.offsets == b.labels.offsets && a.labels.ids == b.labels.ids && a.n_labels == b.n_labels &&
         a.first_ids == b.first_ids;
}

void check(const Dataset& data) {
  if (data.labels.size() != data.size()) std::abort();
  for (const Feature id : data.features.ids) {
    if (id >= data.features.n_columns) std::abort();
  }
  for (const Label id : data.labels.ids) {
    if (id >= data.n_labels) std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  if (size < 2) return 0;
  // The first byte chooses the options, the second the cuts.
  const char* const formats[] = {"auto", "xmlrepo", "libsvm"};
  ReadOptions options;
  options.format = formats[bytes[0] % 3];
  if (bytes[0] & 16) options.first_ids = FirstIds{bytes[0] / 32 % 2u, bytes[0] / 64u % 2};
  options.max_bad_lines = bytes[0] & 128 ? 3 : 0;
  options.max_bytes = std::size_t{1} << 28;
  const std::string path = fuzz::file_of(bytes + 2, size - 2);
  with_threads(1, [&] {
    const std::optional<Dataset> small_cuts = read(path, options, fuzz::cuts_of(bytes[1]));
    const std::optional<Dataset> large_cuts = read(path, options, {});
    if (small_cuts.has_value() != large_cuts.has_value()) std::abort();
    if (!large_cuts) return;
    check(*large_cuts);
    if (!equal(*small_cuts, *large_cuts)) std::abort();
  });
  return 0;
}
