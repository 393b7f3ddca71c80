// SPDX-License-Identifier: Apache-2.0
// What the readers of texts accept, and what they make of it. What they refuse is in read_corpus_errors_test.cpp.
#include <gtest/gtest.h>

#include "core/parallel.h"
#include "core/random.h"
#include "corpus_text.h"

namespace xylem {
namespace {

using ReadCorpus = CorpusFiles;

TEST_F(ReadCorpus, ListsItsFormats) {
  EXPECT_EQ(text_formats(), (std::vector<std::string_view>{"fasttext", "tsv", "jsonl", "csv"}));
}

TEST_F(ReadCorpus, ReadsFasttext) {
  const auto [corpus, report] = read("__label__b __label__a,c  two words\n__label__b\nno \t labels __label__x \n");
  EXPECT_EQ(text_of(corpus), "[b|a,c] two words;[b] ;[x] no \t labels;");
  EXPECT_EQ(report.format, "fasttext");
  EXPECT_EQ(rows("plain text\n", "fasttext"), "[] plain text;");
  EXPECT_EQ(rows("a text __label__a __label__b\none __label__a two a__label__c __label__b three\n"),
            "[a|b] a text;[a|b] one two a__label__c three;");
}

TEST_F(ReadCorpus, KeepsTheBordersOfTitles) {
  const auto titles = [](const Corpus& corpus) {
    std::string result;
    for (std::size_t i = 0; i < corpus.size(); ++i) {
      const auto [text, title_bytes] = corpus.texts.view(i);
      result += std::string(text.substr(0, title_bytes)) + ";";
    }
    return result;
  };
  const std::string json = R"({"title": "Über\nuns", "content": "b\nc", "labels": ["x"]}
{"text": "no title", "labels": ["x"]}
{"title": "alone", "labels": ["x"]}
{"content": "body", "title": "", "labels": ["x"]}
)";
  EXPECT_EQ(titles(read(json).corpus), "Über\nuns;;alone;;");
  EXPECT_EQ(titles(read("title,text,labels\nT,a b,x\n,c,x\nU,,x\n").corpus), "T;;U;");
  const Corpus without = read("a\tb\n").corpus;
  EXPECT_TRUE(without.texts.title_bytes.empty());
}

TEST_F(ReadCorpus, KeepsEmptyLinesOfFasttextInTheMiddle) {
  EXPECT_EQ(rows("__label__a x\n\n\n__label__b y\n\n\n"), "[a] x;[] ;[] ;[b] y;");
  EXPECT_EQ(rows("__label__a x\n \n"), "[a] x;[] ;");
}

TEST_F(ReadCorpus, ReadsTsv) {
  const auto [corpus, report] = read("b, a ,,b c\tsome text\n\tno labels\nb\t\nb\ta\tTAB \n");
  EXPECT_EQ(text_of(corpus), "[b|a|b c] some text;[] no labels;[b] ;[b] a\tTAB ;");
  EXPECT_EQ(report.format, "tsv");
  EXPECT_EQ(rows("a,b;c\tx\n", "tsv", ';'), "[a,b|c] x;");
  EXPECT_EQ(rows("3,5\t2001\n"), "[3|5] 2001;");
}

TEST_F(ReadCorpus, ReadsJsonl) {
  const auto [corpus, report] = read(R"({"id": 7, "text": "one", "labels": ["b", "a", 12]})"
                                     "\n"
                                     R"( { "labels" : "b" , "other" : {"x":[1,{},[]],"y":null} , "text" : "two" } )"
                                     "\n\n  \n"
                                     R"({"text":"three"})"
                                     "\n");
  EXPECT_EQ(text_of(corpus), "7=[b|a|12] one;=[b] two;=[] three;");
  EXPECT_EQ(report.format, "jsonl");
}

TEST_F(ReadCorpus, ReadsTheJsonOfAnnifAndOfTheRepository) {
  EXPECT_EQ(rows(R"({"document_id":"d1","text":"x","subjects":[{"uri":"u1","label":"a"},{"uri":"u2"},"c",)"
                 R"({"label":null,"uri":"u3"}]})"),
            "\"d1\"=[a|u2|c|u3] x;");
  EXPECT_EQ(rows(R"({"uid":"B00","title":"t","content":"c","target_ind":[10,2],"target_rel":[1.0,1.0]})"),
            "\"B00\"=[10|2] t\nc;");
}

TEST_F(ReadCorpus, JoinsTitleAndContent) {
  EXPECT_EQ(rows(R"({"content":"c","title":"t"})"), "[] t\nc;");
  EXPECT_EQ(rows(R"({"title":"t"})"), "[] t;");
  EXPECT_EQ(rows(R"({"content":"c","title":""})"), "[] c;");
  EXPECT_EQ(rows(R"({"content":"c","title":null})"), "[] c;");
  EXPECT_EQ(rows(R"({"title":"t","text":"x","content":"c"})"), "[] x;");
}

TEST_F(ReadCorpus, PrefersTheFirstOfSeveralJsonKeysAndTheLastOfTheSame) {
  EXPECT_EQ(rows(R"({"text":"x","target_ind":[1],"subjects":["s"],"labels":["l"],"uid":3,"document_id":2,"id":1})"),
            "1=[l] x;");
  EXPECT_EQ(rows(R"({"text":"x","labels":["a","b"],"text":"y","labels":["c"]})"), "[c] y;");
  EXPECT_EQ(rows(R"({"text":"x","labels":null,"subjects":["s"],"id":null})"), "[s] x;");
}

TEST_F(ReadCorpus, KeepsIdsAsTheyCame) {
  EXPECT_EQ(rows(R"({"text":"x","id":7})"), "7=[] x;");
  EXPECT_EQ(rows(R"({"text":"x","id":"7"})"), "\"7\"=[] x;");
  EXPECT_EQ(rows(R"({"text":"x","id":-1.50e3})"), "-1.50e3=[] x;");
  EXPECT_EQ(rows(R"({"text":"x","id":123456789012345678901234567890})"), "123456789012345678901234567890=[] x;");
  EXPECT_EQ(rows(R"({"text":"x","id":"a\"\u0009\u00fc\/"})"), R"("a\"\tü/"=[] x;)");
  EXPECT_EQ(rows(R"({"text":"x","id":""})"), "\"\"=[] x;");
  EXPECT_EQ(rows("id,text\n7,x\n,y\n"), "\"7\"=[] x;=[] y;");
}

TEST_F(ReadCorpus, ResolvesJsonEscapes) {
  EXPECT_EQ(rows(R"({"text":"\"\\\/\b\f\n\r\t\u0041\u00e4\u20AC\ud83d\uDE00","l\u0061bels":["\u00fc"]})"),
            "[ü] \"\\/\b\f\n\r\tAä€😀;");
}

TEST_F(ReadCorpus, ReadsCsv) {
  const auto [corpus, report] = read("labels,text,x,id\n\"a,b\",\"a \"\"word\"\", and\na line\",1,i1\n\nc,plain,,\n");
  EXPECT_EQ(text_of(corpus), "\"i1\"=[a|b] a \"word\", and\na line;=[c] plain;");
  EXPECT_EQ(report.format, "csv");
  EXPECT_EQ(rows("text\nx\n\"\"\n"), "[] x;[] ;");
  EXPECT_EQ(rows("\ntext,title\nx,t\ny,\n"), "[] t\nx;[] y;");
  EXPECT_EQ(rows("text\n5\" wide\n"), "[] 5\" wide;");
  EXPECT_EQ(rows("text,labels\r\n\"a\r\nb\",\"c;d\"\r\n", "csv", ';'), "[c|d] a\r\nb;");
}

TEST_F(ReadCorpus, NumbersLabelsAsTheyFirstOccur) {
  const Corpus corpus = read("c,a\tx\nb,a\ty\n").corpus;
  EXPECT_EQ(corpus.label_names.bytes, "cab");
  EXPECT_EQ(corpus.labels.ids, (std::vector<Label>{0, 1, 1, 2}));
}

TEST_F(ReadCorpus, KeepsDuplicateLabelsOnce) {
  for (const std::string text :
       {"a,b,a,a\tx\n", "__label__a __label__b __label__a __label__a x\n",
        "{\"text\":\"x\",\"labels\":[\"a\",\"b\",\"a\",\"a\"]}", "labels,text\n\"a,b,a,a\",x"}) {
    const auto [corpus, report] = read(text);
    EXPECT_EQ(text_of(corpus), "[a|b] x;");
    EXPECT_EQ(report.duplicate_labels, 2U);
  }
}

TEST_F(ReadCorpus, TakesTheSameRowsFromAllFormats) {
  const Corpus expected = read("a,b\tone\nb\ttwo ü\n\tthree\n").corpus;
  expect_equal(read("__label__a __label__b one\n__label__b two ü\nthree\n").corpus, expected);
  expect_equal(read("text,labels\none,\"a,b\"\ntwo ü,b\nthree,\n").corpus, expected);
  expect_equal(read("{\"text\":\"one\",\"labels\":[\"a\",\"b\"]}\n{\"text\":\"two ü\",\"labels\":\"b\"}\n"
                    "{\"text\":\"three\"}\n")
                   .corpus,
               expected);
}

TEST_F(ReadCorpus, IsNotTroubledByTheFormOfAFile) {
  for (const std::string text :
       {"a,b\tone\nb\ttwo\n", "__label__a one\n__label__b two\n",
        "{\"text\":\"one\",\"labels\":[\"a\"]}\n{\"text\":\"two\"}\n", "text,labels\none,a\ntwo,\"a,b\"\n"}) {
    const Corpus expected = read(text).corpus;
    std::string windows;
    for (const char c : text) windows += c == '\n' ? "\r\n" : std::string(1, c);
    expect_equal(read(windows).corpus, expected);
    expect_equal(read("\xef\xbb\xbf" + text).corpus, expected);
    expect_equal(read(text.substr(0, text.size() - 1)).corpus, expected);
    expect_equal(read(text + "\n\r\n\n").corpus, expected);
    expect_equal(read(gzip(text)).corpus, expected);
    expect_equal(read(zstd(text)).corpus, expected);
  }
}

TEST_F(ReadCorpus, ReplacesBadUtf8WhenAsked) {
  ReadOptions options;
  options.replace_bad_utf8 = true;
  const auto [corpus, report] = read_corpus(write("a\tx\xff\xfey\xe2\x82\nb\tfine ü\n"), options);
  EXPECT_EQ(text_of(corpus), "[a] x\uFFFD\uFFFDy\uFFFD;[b] fine ü;");
  EXPECT_EQ(report.replaced_utf8, 3U);
}

TEST_F(ReadCorpus, SaysWhereItReplacedBadUtf8) {
  ReadOptions options;
  options.replace_bad_utf8 = true;
  options.max_bad_lines = 1;
  std::string text = "a\tfine\n\n";
  for (int i = 0; i < 12; ++i) text += "b\t\xff \xfe\n";
  for (const std::size_t chunk_bytes : {std::size_t{1}, Cuts().chunk_bytes}) {
    const ReadReport report = read_texts(write(text), options, {}, {.chunk_bytes = chunk_bytes}).report;
    EXPECT_EQ(report.replaced_lines, 12U);
    EXPECT_EQ(report.bad_lines, 1U);
    ASSERT_EQ(report.replaced_line_messages.size(), 10U);
    EXPECT_TRUE(report.replaced_line_messages[0].ends_with(":3: found invalid UTF-8 '\\xff' at byte 3"));
    EXPECT_TRUE(report.replaced_line_messages[9].ends_with(":12: found invalid UTF-8 '\\xff' at byte 3"));
  }
}

TEST_F(ReadCorpus, SkipsAndCountsBadLines) {
  ReadOptions options;
  options.max_bad_lines = 3;
  const auto [corpus, report] = read_corpus(write("a\tx\n\nbad\nb\ty\nc\t\xff\n\n"), options);
  EXPECT_EQ(text_of(corpus), "[a] x;[b] y;");
  EXPECT_EQ(corpus.label_names.bytes, "ab");
  ASSERT_EQ(report.bad_line_messages.size(), 3U);
  EXPECT_NE(report.bad_line_messages[0].find(":2: found an empty line"), std::string::npos);
  EXPECT_NE(report.bad_line_messages[1].find(":3: found no TAB"), std::string::npos);
  EXPECT_NE(report.bad_line_messages[2].find(":5: found invalid UTF-8"), std::string::npos);
}

std::string random_text(Random& random) {
  static const std::vector<std::string> kPieces = {"a", "word", " ", "ü", "\"", ",", "\n", "\\", "😀", "\t", "{}", "x"};
  std::string text;
  for (std::size_t i = random.below(12); i > 0; --i) text += kPieces[random.below(kPieces.size())];
  return text;
}

Corpus random_corpus(std::uint64_t seed) {
  Random random(seed, {2});
  Corpus corpus;
  for (int row = 0; row < 200; ++row) {
    std::vector<Label> labels;
    const std::size_t known = corpus.label_names.size();
    for (std::size_t i = 0; i < known; ++i) {
      if (random.below(known) == 0) labels.push_back(static_cast<Label>(i));
    }
    if (random.below(4) == 0) {
      labels.push_back(static_cast<Label>(known));
      corpus.label_names.push_back("label" + std::to_string(random.bits()));
    }
    corpus.labels.push_back(labels);
    corpus.texts.push_back(random_text(random));
    corpus.document_ids.push_back(random.below(2) == 0 ? "" : '"' + std::to_string(row + 1) + '"');
  }
  return corpus;
}

TEST_F(ReadCorpus, DoesNotDependOnCutsAndThreads) {
  for (const std::string_view format : text_formats()) {
    const Corpus corpus = random_corpus(1);
    write_corpus(corpus, format, ',', path("rows"), true);
    ReadOptions options;
    options.format = format;
    const Corpus expected = read_corpus(path("rows"), options).corpus;
    EXPECT_EQ(expected.label_names, corpus.label_names);
    EXPECT_EQ(expected.labels.ids, corpus.labels.ids);
    for (const std::size_t block_bytes : {1, 100, 1000}) {
      for (const std::size_t chunk_bytes : {1, 30, 500}) {
        for (const int threads : {1, 2, 3}) {
          with_threads(threads, [&] {
            const Cuts cuts{.block_bytes = block_bytes, .chunk_bytes = chunk_bytes};
            expect_equal(read_texts(path("rows"), options, {}, cuts).corpus, expected);
          });
        }
      }
    }
  }
}

TEST_F(ReadCorpus, TakesQuotesInTsvAsTheyAreThatQuoteNothing) {
  const std::string file =
      write("text\tlabels\n\"a\" b\tx\n\"c\ty\n\"d\n\"\"e\"\"\"\tz\n\"f\"\tx\ng\ty\n\"h\tx\ni\ty\n");
  for (const std::size_t block_bytes : {1, 20, 1000}) {
    for (const std::size_t chunk_bytes : {1, 30, 500}) {
      const Cuts cuts{.block_bytes = block_bytes, .chunk_bytes = chunk_bytes};
      EXPECT_EQ(text_of(read_texts(file, {}, {}, cuts).corpus),
                "[x] \"a\" b;[y] \"c;[z] d\n\"e\";[x] f;[y] g;[x] \"h;[y] i;");
    }
  }
}

TEST_F(ReadCorpus, ReadsBackWhatWasWritten) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Corpus corpus = random_corpus(seed);
    for (const std::string format : {"jsonl", "csv"}) {
      write_corpus(corpus, format, ',', path("rows"), true);
      ReadOptions options;
      options.format = format;
      expect_equal(read_corpus(path("rows"), options).corpus, corpus);
    }
  }
}

TEST_F(ReadCorpus, ReportsProgressAndStopsWhenAsked) {
  std::string text;
  for (int i = 0; i < 100; ++i) text += "a\tsome text\n";
  const std::string file = write(text);
  const auto seen =
      first_three_reports([&](const auto& run) { read_texts(file, {}, run, {.block_bytes = 60, .chunk_bytes = 20}); });
  EXPECT_GT(seen[1].done, seen[0].done);
}

}  // namespace
}  // namespace xylem
