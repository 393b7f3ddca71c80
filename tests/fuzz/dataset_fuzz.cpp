// SPDX-License-Identifier: Apache-2.0
// Sparse files: whatever the bytes, a data set that keeps its promises or an Error.
#include <cstdlib>

#include "fuzz_file.h"
#include "xylem/dataset.h"
#include "xylem/error.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace xylem;
  if (size == 0) return 0;
  ReadOptions options;
  // The first byte chooses the options.
  const char* const formats[] = {"auto", "xmlrepo", "libsvm"};
  options.format = formats[bytes[0] % 3];
  if (bytes[0] & 16) options.first_ids = FirstIds{bytes[0] / 32 % 2u, bytes[0] / 64u % 2};
  options.max_bad_lines = bytes[0] & 128 ? 3 : 0;
  options.max_bytes = std::size_t{1} << 28;
  Run run;
  run.threads = 1;
  try {
    const Dataset data = read_dataset(fuzz::file_of(bytes + 1, size - 1), options, run).data;
    if (data.labels.size() != data.size()) std::abort();
    for (const Feature id : data.features.ids) {
      if (id >= data.features.n_columns) std::abort();
    }
    for (const Label id : data.labels.ids) {
      if (id >= data.n_labels) std::abort();
    }
  } catch (const Error&) {
  }
  return 0;
}
