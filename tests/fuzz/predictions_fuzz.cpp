// SPDX-License-Identifier: Apache-2.0
// Files of predictions.
#include <cstdlib>

#include "data/predictions.h"
#include "fuzz_file.h"
#include "xylem/error.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace xylem;
  try {
    const TopLabels top = read_predictions(fuzz::file_of(bytes, size), size % 2).top;
    for (std::size_t row = 0; row < top.size(); ++row) {
      const auto scores = top.row_scores(row);
      for (std::size_t i = 1; i < scores.size(); ++i) {
        if (!(scores[i - 1] >= scores[i])) std::abort();
      }
    }
  } catch (const Error&) {
  }
  return 0;
}
