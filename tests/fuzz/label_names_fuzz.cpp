// SPDX-License-Identifier: Apache-2.0
// Files of label names.
#include <cstdlib>

#include "fuzz_file.h"
#include "xylem/corpus.h"
#include "xylem/error.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace xylem;
  try {
    const TextList names = read_label_names(fuzz::file_of(bytes, size)).names;
    if (names.size() == 0 || names.bytes.find('\0') != std::string::npos) std::abort();
  } catch (const Error&) {
  }
  return 0;
}
