// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/array.h"
#include "core/options.h"
#include "core/progress.h"
#include "data/vocabulary.h"
#include "model_file/reader.h"
#include "model_file/writer.h"
#include "xylem/corpus.h"
#include "xylem/run.h"
#include "xylem/sparse.h"

namespace xylem {

struct TextOptions {
  int ngrams = 2;
  int min_df = 0;
  double max_df = 0;
  int max_features = 500'000;
  bool sublinear = true;
  bool idf = true;
  std::string stem;  // a language of libstemmer, "english" say; empty: none

  void fields(auto&& field) {
    field("ngrams", ngrams, "1: single words; 2: also pairs of neighbouring words", Range{1, 2});
    field("min_df", min_df, "a word in fewer training texts is left out; 0: 1 below 500 texts, else 3", Range{0, 1e9});
    field("max_df", max_df,
          "a word in a larger share of the training texts is left out; 0: 1 below 500 texts, else 0.5", Range{0, 1});
    field("max_features", max_features, "of all words and pairs the most frequent so many are kept", Range{1, 2e9});
    field("sublinear", sublinear, "a word that occurs n times weighs 1 + ln n instead of n");
    field("idf", idf, "rare words weigh more");
    field("stem", stem, "language of the words, to cut their endings; empty: they are kept");
  }
};

// Of the vectoriser's options, as users set them: "text.ngrams".
inline constexpr std::string_view kTextPrefix = "text.";

// `settings` are without the prefix. Throws kUsage for an unknown name, a value out of its range, or a language that
// the stemmer does not know.
TextOptions parse_text_options(const Settings& settings);

// Turns texts into sparse rows: lower-cased words and pairs of neighbours, counted and weighed. What it learned from
// the training texts does not change afterwards; any number of threads may use it. Works on all threads of the calling
// arena (core/parallel.h); the result does not depend on how many they are.
class Vectoriser {
 public:
  // Learns the vocabulary. Memory is bounded whatever the texts hold: see data/ngram_counter.cpp. `rows`, where not
  // null, gets what transform(texts) would give, which falls off on the way. `options` are as parse_text_options()
  // gives them. Throws kData if no word is left.
  Vectoriser(const TextBlocks& texts, const TextOptions& options, const Run& run, SparseMatrix* rows = nullptr);
  Vectoriser(const TextList& texts, const TextOptions& options, const Run& run, SparseMatrix* rows = nullptr)
      : Vectoriser(ListedTexts(texts), options, run, rows) {}
  Vectoriser(const ModelReader& in, const std::string& prefix);
  void save(ModelWriter& out, const std::string& prefix) const;

  // With the min_df and the max_df that 0 stood for.
  const TextOptions& options() const { return options_; }
  // Most frequent in the training texts first.
  std::size_t n_features() const { return vocabulary_.size(); }
  // The word, or the two words with a blank between them.
  std::string word(Feature feature) const;

  // Rows of tf-idf weights, not scaled; words that training did not keep are left out.
  SparseMatrix transform(const TextList& texts, const Run& run) const;

 private:
  class WordCollector;
  struct Worker;
  struct ChunkRows;

  void append_rows(const TextList& texts, ProgressCounter& progress, WordCollector* collector,
                   SparseMatrix& rows) const;
  void append_row(std::string_view text, std::size_t chunk, Worker& worker, WordCollector* collector,
                  ChunkRows& rows) const;

  TextOptions options_;
  Vocabulary vocabulary_;
  Array<float> weights_;  // of each feature: its idf, or 1
  Array<std::uint8_t> word_bytes_;
  Array<std::uint64_t> word_offsets_;
};

}  // namespace xylem
