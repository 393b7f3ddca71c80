// SPDX-License-Identifier: Apache-2.0
// Model files with a right checksum, so that what lies behind it is reached too: what loads can be used.
#include <cmath>
#include <cstdlib>
#include <string>

#include "fuzz_file.h"
#include "model_surgery.h"
#include "xylem/error.h"
#include "xylem/tagger.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace xylem;
  std::string file(reinterpret_cast<const char*>(bytes), size);
  test::fix_checksum(file);
  Run run;
  run.threads = 1;
  const std::vector<Feature> ids = {0, 3, 5, 4'000'000'000};
  const std::vector<float> values = {1, 0.5f, -2, 1};
  SparseMatrix rows;
  rows.push_back({ids, values});
  rows.push_back({});
  try {
    const Tagger tagger = Tagger::load(fuzz::file_of(reinterpret_cast<const std::uint8_t*>(file.data()), file.size()));
    const TopLabels top = tagger.tag(rows.rows(), 5, run);
    if (top.size() != 2) std::abort();
    for (const float score : top.scores) {
      if (!std::isfinite(score)) std::abort();  // JSON has no infinity
    }
    if (tagger.n_labels() > 0) tagger.explain(rows[0], static_cast<Label>(tagger.n_labels() - 1), run);
    if (tagger.n_labels() > 0 && tagger.method().has_label_vectors) tagger.near_labels(0, 5);
    TextList texts;
    texts.push_back("a Boat in the wind");
    if (tagger.takes_texts() && tagger.tag(texts, 5, run).size() != 1) std::abort();
  } catch (const Error&) {
  }
  return 0;
}
