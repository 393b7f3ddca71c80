// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "xylem/corpus.h"
#include "xylem/run.h"

namespace xylem {

// A word, or a pair of words, by its hash (data/ngrams.h), and in how many texts it occurs.
struct NgramCount {
  std::uint64_t hash;
  std::uint32_t texts;

  bool operator==(const NgramCount&) const = default;
};

struct CountingOptions {
  int ngrams = 1;             // 2: pairs too
  std::string stem_language;  // as Tokenizer has it
  std::uint64_t min_texts = 1;
  std::uint64_t max_texts = UINT64_MAX;
  std::size_t max_kept = SIZE_MAX;     // the most frequent so many are kept, of equals those with the lower hash
  std::size_t max_counted = 25165824;  // counted in one pass over the texts; 512 MiB of tables
};

// Counts are sums over texts: without limits, the counts of any parts of the texts add up to the counts of all. The n-grams that occur in min_texts to max_texts texts, most frequent first, of equals the lower hash. Exact,
// and the same for any number of threads and any max_counted. Works on all threads of the calling arena.
std::vector<NgramCount> count_ngrams(const TextBlocks& texts, const CountingOptions& options, const Run& run);
inline std::vector<NgramCount> count_ngrams(const TextList& texts, const CountingOptions& options, const Run& run) {
  return count_ngrams(ListedTexts(texts), options, run);
}

}  // namespace xylem
