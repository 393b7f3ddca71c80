// SPDX-License-Identifier: Apache-2.0
// Texts of any bytes, learned from and turned into rows; lines are texts.
#include <cstdlib>

#include "core/text.h"
#include "data/vectoriser.h"
#include "xylem/error.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace xylem;
  TextList texts;
  for (const std::string_view line : split({reinterpret_cast<const char*>(bytes), size}, '\n')) texts.push_back(line);
  TextOptions options;
  options.min_df = 1;
  options.max_df = 1;
  if (size > 0 && bytes[0] % 4 == 0) options.stem = "english";
  try {
    SparseMatrix learned;
    const Vectoriser vectoriser(texts, options, {}, &learned);
    const SparseMatrix rows = vectoriser.transform(texts, {});
    if (rows.ids != learned.ids || rows.values != learned.values || rows.size() != texts.size()) std::abort();
    for (const Feature id : rows.ids) {
      if (id >= vectoriser.n_features() || vectoriser.word(id).empty()) std::abort();
    }
  } catch (const Error&) {
  }
  return 0;
}
