// SPDX-License-Identifier: Apache-2.0
// Texts to tf-idf rows. Two passes over the training texts (more where they hold more than 25 million different
// n-grams): one counts n-grams by their hashes (data/ngram_counter.h), one makes the rows and notes the words behind
// the hashes. The hashes of all words could be kept between the passes, but they take more memory than the texts.
//
// idf is ln((1 + n) / (1 + df)) + 1 for a word in df of n training texts, as scikit-learn has it: no word weighs 0.
#include "data/vectoriser.h"

#include <algorithm>
#include <atomic>
#include <cassert>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "core/fail.h"
#include "core/parallel.h"
#include "core/progress.h"
#include "core/radix_sort.h"
#include "core/text.h"
#include "data/ngram_counter.h"
#include "data/ngrams.h"
#include "data/text_chunks.h"
#include "data/tokenizer.h"
#include "model_file/saved_options.h"

namespace xylem {
namespace {

constexpr float kMaxWeight = 64;  // the idf of a word in none of 2^90 texts

// Rare words are noise where there are many texts, and what texts are known by where there are few. nDCG@5 of knn (k =
// 5) on samples of Debian's packages, Reuters and Eurlex-57K: 1 instead of 3 gains 2.4 to 5.7 points with 20 texts and
// 0.3 to 0.8 with 300; with 1000 it gains at most 0.1 and loses up to 2.0.
constexpr std::size_t kManyTexts = 500;
constexpr int kMinDfOfFew = 1;
constexpr int kMinDfOfMany = 3;
// A word in most texts tells little where there are many texts; of eight it may be the one that decides. On 20, 100 and
// 400 rows of Reuters and debtags nDCG@5 of knn (k = 5) is -0.1 to 1.2 points higher without a limit.
constexpr double kMaxDfOfFew = 1;
constexpr double kMaxDfOfMany = 0.5;

TextOptions load_text_options(const ModelReader& in, const std::string& name) {
  const auto json = nlohmann::json::parse(in.text(name), nullptr, false);
  if (!json.is_object()) in.damaged(fmt::format("damaged: '{}' is no JSON object", name));
  Settings stored;
  for (const auto& [option, value] : json.items()) {
    if (!value.is_string()) in.damaged(fmt::format("damaged: {} in '{}' is no string", quote(option), name));
    stored[option] = value.get<std::string>();
  }
  const TextOptions options = load_options<TextOptions>(in, stored);
  try {
    const Tokenizer knows_the_language(options.stem);
  } catch (const Error& error) {
    in.damaged(fmt::format("damaged: in '{}', {}", name, error.what()));
  }
  return options;
}

}  // namespace

// Notes the words of every feature where it occurs first: in the first chunk that has it, at its first place there. All
// threads at once; a chunk that comes later in the texts but earlier in time notes what it sees, and is not asked
// later.
class Vectoriser::WordCollector {
 public:
  explicit WordCollector(std::size_t n_features) : first_chunk_(n_features) {
    for (auto& chunk : first_chunk_) chunk.store(std::numeric_limits<std::uint32_t>::max());
  }

  // Makes room for the chunks that come next, and returns the number of the first of them.
  std::size_t add_chunks(std::size_t n) {
    notes_.resize(notes_.size() + n);
    return notes_.size() - n;
  }

  // `ngram` is a place in what hash_ngrams gave for `words`.
  void see(std::size_t chunk, Feature feature, const Words& words, std::size_t ngram) {
    std::uint32_t known = first_chunk_[feature].load(std::memory_order_relaxed);
    if (known <= chunk) return;
    while (known > chunk && !first_chunk_[feature].compare_exchange_weak(known, static_cast<std::uint32_t>(chunk))) {
    }
    Notes& notes = notes_[chunk];
    const bool single = ngram < words.size();
    const std::size_t first = single ? ngram : ngram - words.size();
    notes.bytes.append(words[first]);
    if (!single) notes.bytes.append(" ").append(words[first + 1]);
    notes.features.push_back(feature);
    notes.ends.push_back(notes.bytes.size());
  }

  void finish(Array<std::uint8_t>& bytes, Array<std::uint64_t>& offsets) const {
    std::vector<std::string_view> words(first_chunk_.size());
    for (std::size_t chunk = 0; chunk < notes_.size(); ++chunk) {
      const Notes& notes = notes_[chunk];
      for (std::size_t i = 0, begin = 0; i < notes.features.size(); begin = notes.ends[i++]) {
        if (first_chunk_[notes.features[i]] != chunk) continue;
        words[notes.features[i]] = std::string_view(notes.bytes).substr(begin, notes.ends[i] - begin);
      }
    }
    std::vector<std::uint8_t> all;
    std::vector<std::uint64_t> ends{0};
    for (const std::string_view word : words) {
      all.insert(all.end(), word.begin(), word.end());
      ends.push_back(all.size());
    }
    bytes = std::move(all);
    offsets = std::move(ends);
  }

 private:
  struct Notes {
    std::string bytes;
    std::vector<std::size_t> ends;  // in bytes, of each feature's words
    std::vector<Feature> features;
  };

  std::vector<std::atomic<std::uint32_t>> first_chunk_;  // that has the feature, as far as known
  std::vector<Notes> notes_;
};

struct Vectoriser::Worker {
  std::optional<Tokenizer> tokenizer;
  std::vector<std::uint64_t> hashes;
  std::vector<Feature> features;
  std::vector<Feature> buffer;
};

struct Vectoriser::ChunkRows {
  std::vector<std::uint64_t> ends;
  std::vector<Feature> ids;
  std::vector<float> values;
};

TextOptions parse_text_options(const Settings& settings) {
  Settings full;
  for (const auto& [name, value] : settings) full[std::string(kTextPrefix) + name] = value;
  TextOptions options;
  assign_options(option_fields(options, kTextPrefix), full);
  const Tokenizer knows_the_language(options.stem);
  return options;
}

Vectoriser::Vectoriser(const TextBlocks& texts, const TextOptions& options, const Run& run, SparseMatrix* rows)
    : options_(options) {
  const bool few = texts.size() < kManyTexts;
  if (options_.min_df == 0) options_.min_df = few ? kMinDfOfFew : kMinDfOfMany;
  if (options_.max_df == 0) options_.max_df = few ? kMaxDfOfFew : kMaxDfOfMany;
  const auto n = static_cast<double>(texts.size());
  const std::vector<NgramCount> counts =
      count_ngrams(texts,
                   {.ngrams = options_.ngrams,
                    .stem_language = options_.stem,
                    .min_texts = static_cast<std::uint64_t>(options_.min_df),
                    .max_texts = static_cast<std::uint64_t>(std::floor(options_.max_df * n)),
                    .max_kept = static_cast<std::size_t>(options_.max_features)},
                   run);
  if (counts.empty()) {
    fail(ErrorKind::kData,
         "no word is left: none of those in the {} texts occurs in at least {} (min_df) and at most {} (max_df {}) of "
         "them",
         texts.size(), options_.min_df, std::floor(options_.max_df * n), options_.max_df);
  }
  std::vector<std::uint64_t> hashes;
  std::vector<float> weights;
  std::size_t nonzeros = 0;
  for (const NgramCount& count : counts) {
    nonzeros += count.texts;
    hashes.push_back(count.hash);
    weights.push_back(options_.idf ? static_cast<float>(std::log((1 + n) / (1.0 + count.texts)) + 1) : 1.0f);
  }
  vocabulary_ = Vocabulary(std::move(hashes));
  weights_ = std::move(weights);
  WordCollector collector(n_features());
  ProgressCounter progress(run, "make rows", "texts", texts.size());
  SparseMatrix made;
  if (rows != nullptr) {
    made.offsets.reserve(texts.size() + 1);
    made.ids.reserve(nonzeros);
    made.values.reserve(nonzeros);
  }
  texts.for_each([&](const TextList& block) {
    append_rows(block, progress, &collector, made);
    if (rows == nullptr) made.clear();
  });
  collector.finish(word_bytes_, word_offsets_);
  made.n_columns = n_features();
  if (rows != nullptr) *rows = std::move(made);
}

Vectoriser::Vectoriser(const ModelReader& in, const std::string& prefix)
    : options_(load_text_options(in, prefix + ".options")), vocabulary_(in, prefix) {
  weights_ = in.finite(prefix + ".weights", n_features());
  for (const float weight : weights_) {
    if (weight < 1 || weight > kMaxWeight) {
      in.damaged(fmt::format("damaged: a weight in '{}.weights' is {}, expected 1 to {}", prefix, weight, kMaxWeight));
    }
  }
  word_bytes_ = in.array<std::uint8_t>(prefix + ".words.bytes");
  word_offsets_ = in.offsets(prefix + ".words.offsets", n_features(), word_bytes_.size());
}

void Vectoriser::save(ModelWriter& out, const std::string& prefix) const {
  out.text(prefix + ".options", nlohmann::json(option_values(options_)).dump());
  vocabulary_.save(out, prefix);
  out.array(prefix + ".weights", weights_);
  out.array(prefix + ".words.bytes", word_bytes_);
  out.array(prefix + ".words.offsets", word_offsets_);
}

std::string Vectoriser::word(Feature feature) const {
  assert(feature < n_features());
  return {word_bytes_.begin() + static_cast<std::ptrdiff_t>(word_offsets_[feature]),
          word_bytes_.begin() + static_cast<std::ptrdiff_t>(word_offsets_[feature + std::size_t{1}])};
}

SparseMatrix Vectoriser::transform(const TextList& texts, const Run& run) const {
  SparseMatrix rows;
  rows.n_columns = n_features();
  ProgressCounter progress(run, "make rows", "texts", texts.size());
  append_rows(texts, progress, nullptr, rows);
  return rows;
}

void Vectoriser::append_rows(const TextList& texts, ProgressCounter& progress, WordCollector* collector,
                             SparseMatrix& rows) const {
  const std::vector<TextChunk> chunks = text_chunks(texts);
  const std::size_t first_chunk = collector != nullptr ? collector->add_chunks(chunks.size()) : 0;
  std::vector<ChunkRows> parts(chunks.size());
  PerWorker<Worker> workers;
  parallel_for(chunks.size(), 1, [&](std::size_t chunk, std::size_t) {
    Worker& worker = workers.local();
    if (!worker.tokenizer) worker.tokenizer.emplace(options_.stem);
    const auto [begin, end] = chunks[chunk];
    for (std::size_t text = begin; text < end; ++text) {
      append_row(texts[text], first_chunk + chunk, worker, collector, parts[chunk]);
    }
    progress.add(end - begin);
  });

  std::size_t nonzeros = rows.ids.size();
  for (const ChunkRows& part : parts) nonzeros += part.ids.size();
  rows.ids.reserve(nonzeros);
  rows.values.reserve(nonzeros);
  for (ChunkRows& part : parts) {
    for (const std::uint64_t end : part.ends) rows.offsets.push_back(rows.ids.size() + end);
    rows.ids.insert(rows.ids.end(), part.ids.begin(), part.ids.end());
    rows.values.insert(rows.values.end(), part.values.begin(), part.values.end());
    part = {};
  }
}

void Vectoriser::append_row(std::string_view text, std::size_t chunk, Worker& worker, WordCollector* collector,
                            ChunkRows& rows) const {
  const Words& words = worker.tokenizer->split(text);
  hash_ngrams(words, options_.ngrams, worker.hashes);
  vocabulary_.find(worker.hashes, worker.features);
  if (collector != nullptr) {
    for (std::size_t i = 0; i < worker.features.size(); ++i) {
      if (worker.features[i] != n_features()) collector->see(chunk, worker.features[i], words, i);
    }
  }
  std::erase(worker.features, static_cast<Feature>(n_features()));
  radix_sort(worker.features, static_cast<Feature>(n_features()), worker.buffer);
  for (auto first = worker.features.begin(); first != worker.features.end();) {
    const Feature feature = *first;
    const auto last = std::find_if(first, worker.features.end(), [=](Feature other) { return other != feature; });
    const auto count = static_cast<double>(last - first);
    const double frequency = options_.sublinear && count > 1 ? 1 + std::log(count) : count;
    rows.ids.push_back(feature);
    rows.values.push_back(static_cast<float>(frequency * weights_[feature]));
    first = last;
  }
  rows.ends.push_back(rows.ids.size());
}

}  // namespace xylem
