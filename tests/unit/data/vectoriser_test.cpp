// SPDX-License-Identifier: Apache-2.0
#include "data/vectoriser.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <map>
#include <set>

#include "core/hash.h"
#include "core/parallel.h"
#include "core/random.h"
#include "data/ngram_counter.h"
#include "data/ngrams.h"
#include "folder.h"
#include "model_surgery.h"

namespace xylem {
namespace {

// Few frequent words and many rare ones, some of them not ASCII.
TextList random_texts(std::uint64_t seed, std::size_t n, std::size_t max_words = 40) {
  TextList texts;
  for (std::size_t i = 0; i < n; ++i) {
    Random random(seed, {i});
    std::string text;
    for (std::size_t left = random.below(max_words); left > 0; --left) {
      const double u = random.uniform();
      text += (random.below(7) == 0 ? "É" : "w") + std::to_string(static_cast<int>(300 * u * u * u));
      text += random.below(5) == 0 ? ", " : " ";
    }
    texts.push_back(text);
  }
  return texts;
}

std::vector<std::string> ngrams_of(std::string_view text, const TextOptions& options) {
  Tokenizer tokenizer(options.stem);
  const Words& words = tokenizer.split(text);
  std::vector<std::string> result;
  for (std::size_t i = 0; i < words.size(); ++i) {
    result.emplace_back(words[i]);
    if (options.ngrams == 2 && i > 0) result.push_back(std::string(words[i - 1]) + " " + std::string(words[i]));
  }
  return result;
}

std::uint64_t hash_of(const std::string& ngram) {
  const std::size_t blank = ngram.find(' ');
  if (blank == std::string::npos) return hash_bytes(ngram);
  return pair_hash(hash_bytes(ngram.substr(0, blank)), hash_bytes(ngram.substr(blank + 1)));
}

// The slow obvious twin: whole strings in maps, one thread.
struct Twin {
  std::vector<std::string> words;
  std::vector<double> weights;

  Twin(const TextList& texts, const TextOptions& options) {
    std::map<std::string, std::size_t> df;
    for (std::size_t i = 0; i < texts.size(); ++i) {
      const auto ngrams = ngrams_of(texts[i], options);
      for (const std::string& ngram : std::set<std::string>(ngrams.begin(), ngrams.end())) ++df[ngram];
    }
    const auto n = static_cast<double>(texts.size());
    for (const auto& [ngram, count] : df) {
      if (static_cast<double>(count) >= options.min_df && static_cast<double>(count) <= options.max_df * n)
        words.push_back(ngram);
    }
    std::ranges::sort(words, [&](const std::string& a, const std::string& b) {
      return df[a] != df[b] ? df[a] > df[b] : hash_of(a) < hash_of(b);
    });
    if (words.size() > static_cast<std::size_t>(options.max_features)) words.resize(options.max_features);
    for (const std::string& word : words) {
      weights.push_back(options.idf ? std::log((1 + n) / (1 + static_cast<double>(df[word]))) + 1 : 1);
    }
  }

  std::map<Feature, double> row(std::string_view text, const TextOptions& options) const {
    std::map<std::string, double> tf;
    for (const std::string& ngram : ngrams_of(text, options)) ++tf[ngram];
    std::map<Feature, double> result;
    for (std::size_t i = 0; i < words.size(); ++i) {
      if (!tf.contains(words[i])) continue;
      const double count = tf[words[i]];
      result[static_cast<Feature>(i)] = (options.sublinear ? 1 + std::log(count) : count) * weights[i];
    }
    return result;
  }
};

void expect_same(const SparseMatrix& a, const SparseMatrix& b) {
  EXPECT_EQ(a.offsets, b.offsets);
  EXPECT_EQ(a.ids, b.ids);
  EXPECT_EQ(a.values, b.values);
  EXPECT_EQ(a.n_columns, b.n_columns);
}

TEST(Vectoriser, DoesWhatMapsOfStringsDo) {
  const TextList texts = random_texts(1, 300);
  const TextList others = random_texts(2, 50);
  for (const int ngrams : {1, 2}) {
    for (const int min_df : {1, 2, 5}) {
      for (const double max_df : {0.1, 1.0}) {
        for (const int max_features : {1, 20, 1'000'000}) {
          for (const bool sublinear : {false, true}) {
            TextOptions options;
            options.ngrams = ngrams;
            options.min_df = min_df;
            options.max_df = max_df;
            options.max_features = max_features;
            options.sublinear = sublinear;
            options.idf = sublinear != (ngrams == 1);
            const Vectoriser vectoriser(texts, options, {});
            const Twin twin(texts, options);
            ASSERT_EQ(vectoriser.n_features(), twin.words.size());
            for (Feature i = 0; i < twin.words.size(); ++i) ASSERT_EQ(vectoriser.word(i), twin.words[i]);
            const SparseMatrix rows = vectoriser.transform(others, {});
            ASSERT_EQ(rows.size(), others.size());
            ASSERT_EQ(rows.n_columns, twin.words.size());
            for (std::size_t i = 0; i < others.size(); ++i) {
              const auto expected = twin.row(others[i], options);
              ASSERT_EQ(rows[i].size(), expected.size());
              std::size_t place = 0;
              for (const auto& [feature, value] : expected) {
                ASSERT_EQ(rows[i].ids[place], feature);
                ASSERT_NEAR(rows[i].values[place++], value, 1e-5);
              }
            }
          }
        }
      }
    }
  }
}

TEST(Vectoriser, GivesTheRowsOfItsOwnTexts) {
  const TextList texts = random_texts(3, 700);
  SparseMatrix rows;
  const Vectoriser vectoriser(texts, {}, {}, &rows);
  expect_same(rows, vectoriser.transform(texts, {}));
}

TEST(Vectoriser, DoesNotDependOnThreads) {
  const TextList texts = random_texts(4, 3000);
  test::Folder folder;
  std::string first;
  SparseMatrix first_rows;
  for (const int threads : {1, 2, 3, 7}) {
    with_threads(threads, [&] {
      SparseMatrix rows;
      const Vectoriser vectoriser(texts, {}, {}, &rows);
      ModelWriter out;
      vectoriser.save(out, "text");
      out.write(folder / "model", IfExists::kReplace);
      if (threads == 1) {
        first = read_whole_file(folder / "model");
        first_rows = rows;
      }
      EXPECT_TRUE(read_whole_file(folder / "model") == first) << threads;
      expect_same(rows, first_rows);
    });
  }
}

TEST(Vectoriser, WeighsAsItsFormulasSay) {
  TextList texts;
  for (const char* text : {"a a a b", "a c", "d c"}) texts.push_back(text);
  TextOptions options;
  options.ngrams = 1;
  options.min_df = 1;
  options.max_df = 1;
  SparseMatrix rows;
  const Vectoriser vectoriser(texts, options, {}, &rows);
  ASSERT_EQ(vectoriser.n_features(), 4u);
  std::map<std::string, float> row;
  for (std::size_t i = 0; i < rows[0].size(); ++i) row[vectoriser.word(rows[0].ids[i])] = rows[0].values[i];
  EXPECT_NEAR(row["a"], (1 + std::log(3.0)) * (std::log(4.0 / 3) + 1), 1e-6);
  EXPECT_NEAR(row["b"], std::log(4.0 / 2) + 1, 1e-6);
}

TEST(Vectoriser, StemsAlsoAfterLoading) {
  TextList texts;
  for (const char* text : {"running dogs", "he runs", "a dog"}) texts.push_back(text);
  TextOptions options;
  options.min_df = 2;
  options.max_df = 1;
  options.stem = "english";
  ModelWriter out;
  Vectoriser(texts, options, {}).save(out, "text");
  test::Folder folder;
  out.write(folder / "model", IfExists::kFail);
  const Vectoriser loaded(ModelReader(folder / "model"), "text");
  EXPECT_EQ(loaded.options().stem, "english");
  ASSERT_EQ(loaded.n_features(), 2u);
  EXPECT_EQ((std::set{loaded.word(0), loaded.word(1)}), (std::set<std::string>{"dog", "run"}));
  TextList query;
  query.push_back("runner RUN");
  EXPECT_EQ(loaded.transform(query, {})[0].size(), 1u);
}

TEST(Vectoriser, GivesEmptyRowsForStrangeTexts) {
  const Vectoriser vectoriser(random_texts(5, 100), {}, {});
  TextList strange;
  for (const char* text : {"", "unheard of", "\xff\xfe", "..."}) strange.push_back(text);
  const SparseMatrix rows = vectoriser.transform(strange, {});
  ASSERT_EQ(rows.size(), 4u);
  EXPECT_TRUE(rows.ids.empty());
  EXPECT_EQ(vectoriser.transform(TextList{}, {}).size(), 0u);
}

TEST(Vectoriser, SaysWhenNoWordIsLeft) {
  EXPECT_EQ(test::kind_of_error([] { Vectoriser(TextList{}, {}, {}); }), ErrorKind::kData);
  TextList texts;
  texts.push_back("?! ...");
  EXPECT_EQ(test::kind_of_error([&] { Vectoriser(texts, {}, {}); }), ErrorKind::kData);
}

TEST(Vectoriser, LeavesOutRareWordsWhereThereAreManyTexts) {
  TextList texts;
  for (int i = 0; i < 499; ++i) texts.push_back("word" + std::to_string(i / 2));
  const Vectoriser few(texts, {}, {});
  EXPECT_EQ(few.n_features(), 250u);
  EXPECT_EQ(few.options().min_df, 1);
  texts.push_back("word0");
  const Vectoriser many(texts, {}, {});
  EXPECT_EQ(many.options().min_df, 3);
  ASSERT_EQ(many.n_features(), 1u);
  EXPECT_EQ(many.word(0), "word0");
  TextOptions options;
  options.min_df = 1;
  EXPECT_EQ(Vectoriser(texts, options, {}).n_features(), 250u);
}

TEST(Vectoriser, LeavesOutFrequentWordsWhereThereAreManyTexts) {
  TextList texts;
  for (int i = 0; i < 499; ++i) texts.push_back(i % 4 == 0 ? "rare" : "frequent");
  const Vectoriser few(texts, {}, {});
  EXPECT_EQ(few.options().max_df, 1);
  EXPECT_EQ(few.word(0), "frequent");
  texts.push_back("frequent");
  const Vectoriser many(texts, {}, {});
  EXPECT_EQ(many.options().max_df, 0.5);
  EXPECT_EQ(many.word(0), "rare");
}

TEST(TextOptions, RefuseWhatMakesNoSense) {
  for (const Settings& settings : std::vector<Settings>{{{"ngrams", "3"}},
                                                        {{"min_df", "-1"}},
                                                        {{"max_df", "1.5"}},
                                                        {{"max_df", "nan"}},
                                                        {{"max_features", "0"}},
                                                        {{"stem", "klingon"}}}) {
    EXPECT_EQ(test::kind_of_error([&] { parse_text_options(settings); }), ErrorKind::kUsage) << settings.begin()->first;
  }
}

TEST(Vectoriser, StopsWhenAskedTo) {
  const std::atomic<bool> cancel{true};
  xylem::Run run;
  run.cancel = &cancel;
  EXPECT_EQ(test::kind_of_error([&] { Vectoriser(random_texts(7, 10), {}, run); }), ErrorKind::kInterrupted);
}

TEST(Vectoriser, IsTheSameAfterLoading) {
  const TextList texts = random_texts(8, 400);
  const Vectoriser vectoriser(texts, {}, {});
  ModelWriter out;
  vectoriser.save(out, "text");
  test::Folder folder;
  out.write(folder / "model", IfExists::kFail);
  const Vectoriser loaded(ModelReader(folder / "model"), "text");
  ASSERT_EQ(loaded.n_features(), vectoriser.n_features());
  for (Feature i = 0; i < loaded.n_features(); ++i) EXPECT_EQ(loaded.word(i), vectoriser.word(i));
  expect_same(loaded.transform(texts, {}), vectoriser.transform(texts, {}));
}

TEST(Vectoriser, RefusesForgedModelsOrIsNotHarmed) {
  const TextList texts = random_texts(9, 12, 12);
  ModelWriter out;
  Vectoriser(texts, {}, {}).save(out, "text");
  test::Folder folder;
  out.write(folder / "model", IfExists::kFail);
  std::size_t refused = 0;
  for (const std::string& forged : test::forged_models(folder / "model")) {
    test::write_plain(folder / "forged", forged);
    try {
      const Vectoriser loaded(ModelReader(folder / "forged"), "text");
      const SparseMatrix rows = loaded.transform(texts, {});
      for (const Feature id : rows.ids) ASSERT_LT(id, loaded.n_features());
      for (const float value : rows.values) ASSERT_TRUE(std::isfinite(value));
      for (Feature i = 0; i < loaded.n_features(); ++i) (void)loaded.word(i);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kModel);
      ++refused;
    }
  }
  EXPECT_GT(refused, 0u);
}

// A model whose arrays and options are given one by one.
std::optional<ErrorKind> load_made(const std::string& options, std::vector<std::uint64_t> hashes,
                                   std::vector<Feature> slots) {
  ModelWriter out;
  const std::size_t n = hashes.size();
  out.text("text.options", options);
  out.array("text.hashes", Array<std::uint64_t>(std::move(hashes)));
  out.array("text.slots", Array<Feature>(std::move(slots)));
  out.array("text.weights", Array<float>(std::vector<float>(n, 1.0f)));
  out.array("text.words.bytes", Array<std::uint8_t>());
  out.array("text.words.offsets", Array<std::uint64_t>(std::vector<std::uint64_t>(n + 1, 0)));
  test::Folder folder;
  out.write(folder / "model", IfExists::kFail);
  return test::kind_of_error([&] { Vectoriser(ModelReader(folder / "model"), "text"); });
}

TEST(Vectoriser, ChecksOptionsAndTableOfAModel) {
  const nlohmann::json options = option_values(TextOptions{});
  const std::string right = options.dump();
  EXPECT_EQ(load_made(right, {7}, {0, 1}), std::nullopt);
  for (const char* wrong : {"", "[]", "null", "{}", R"({"ngrams":2})", R"({"ngrams":"3"})", R"({"stem":"klingon"})",
                            R"({"max_df":"nan"})"}) {
    nlohmann::json merged = options;
    if (std::string_view(wrong).starts_with("{\"")) merged.update(nlohmann::json::parse(wrong));
    EXPECT_EQ(load_made(merged == options ? wrong : merged.dump(), {7}, {0, 1}), ErrorKind::kModel) << wrong;
  }
  nlohmann::json newer = options;
  newer["of_a_later_version"] = "1";
  EXPECT_EQ(load_made(newer.dump(), {7}, {0, 1}), std::nullopt);
  EXPECT_EQ(load_made(right, {7}, {}), ErrorKind::kModel);
  EXPECT_EQ(load_made(right, {7}, {0, 1, 1}), ErrorKind::kModel);
  EXPECT_EQ(load_made(right, {7}, {0, 0}), ErrorKind::kModel);
  EXPECT_EQ(load_made(right, {7}, {0, 2}), ErrorKind::kModel);
}

TEST(NgramCounter, CountsTheSameInAnyNumberOfPasses) {
  const TextList texts = random_texts(10, 400);
  for (const std::size_t max_kept : {std::size_t{100}, SIZE_MAX}) {
    CountingOptions options{.ngrams = 2, .stem_language = {}, .min_texts = 2, .max_texts = 500, .max_kept = max_kept};
    const auto expected = count_ngrams(texts, options, {});
    ASSERT_GT(expected.size(), max_kept == 100 ? 99u : 200u);
    for (const std::size_t max_counted : {256 * 20, 256 * 5, 1}) {
      options.max_counted = max_counted;
      for (const int threads : {1, 3}) {
        with_threads(threads, [&] { EXPECT_TRUE(count_ngrams(texts, options, {}) == expected) << max_counted; });
      }
    }
  }
}

// As many machines would count: each some blocks of texts, and somebody adds up.
TEST(NgramCounter, CountsOfPartsAddUpToThoseOfAll) {
  const TextList texts = random_texts(5, 700);
  const CountingOptions options = {.ngrams = 2, .stem_language = {}};
  for (const std::size_t part_size : {7u, 100u, 333u, 700u}) {
    std::map<std::uint64_t, std::uint32_t> sums;
    for (std::size_t begin = 0; begin < texts.size(); begin += part_size) {
      TextList part;
      for (std::size_t i = begin; i < std::min(begin + part_size, texts.size()); ++i) part.push_back(texts[i]);
      for (const NgramCount& count : count_ngrams(part, options, {})) sums[count.hash] += count.texts;
    }
    std::vector<NgramCount> merged;
    for (const auto& [hash, count] : sums) merged.push_back({hash, count});
    std::ranges::sort(merged, [](const NgramCount& a, const NgramCount& b) {
      return a.texts != b.texts ? a.texts > b.texts : a.hash < b.hash;
    });
    EXPECT_EQ(merged, count_ngrams(texts, options, {})) << part_size;
  }
}

TEST(NgramCounter, CountsTextsAndNotOccurrences) {
  TextList texts;
  for (int i = 0; i < 1000; ++i) texts.push_back(i % 2 == 0 ? "x y x y x" : "x");
  const auto counts = count_ngrams(texts, {.ngrams = 2, .stem_language = {}}, {});
  const std::map<std::string, std::uint32_t> expected = {{"x", 1000}, {"y", 500}, {"x y", 500}, {"y x", 500}};
  ASSERT_EQ(counts.size(), expected.size());
  for (const auto& [ngram, n] : expected) {
    EXPECT_TRUE(std::ranges::find(counts, NgramCount{hash_of(ngram), n}) != counts.end()) << ngram;
  }
}

TEST(NgramCounter, TakesTextsLongerThanABatch) {
  std::string text;
  while (text.size() < 17'000'000) text += "one two three four five six seven eight nine ten eleven ";
  TextList texts;
  texts.push_back(text);
  texts.push_back("one");
  const auto counts = count_ngrams(texts, {.ngrams = 2, .stem_language = {}}, {});
  EXPECT_EQ(counts.size(), 22u);
  EXPECT_EQ(counts[0], (NgramCount{hash_of("one"), 2}));
}

}  // namespace
}  // namespace xylem
