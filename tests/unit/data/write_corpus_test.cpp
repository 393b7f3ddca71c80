// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "core/file.h"
#include "corpus_text.h"

namespace xylem {
namespace {

Corpus corpus_of(std::string_view text, std::string_view label) {
  Corpus corpus;
  corpus.texts.push_back(text);
  corpus.label_names.push_back(label);
  const Label first = 0;
  corpus.labels.push_back({&first, 1});
  return corpus;
}

class WriteCorpus : public CorpusFiles {
 protected:
  std::string written(const Corpus& corpus, std::string_view format, char separator = ',') const {
    write_corpus(corpus, format, separator, path("out"), true);
    return read_whole_file(path("out"));
  }
  std::string refusal(std::string_view text, std::string_view label, std::string_view format) const {
    const std::string message =
        error_of(ErrorKind::kData, [&] { write_corpus(corpus_of(text, label), format, ',', path("none"), true); });
    EXPECT_FALSE(std::filesystem::exists(path("none")));
    return message;
  }
};

TEST_F(WriteCorpus, WritesEachFormat) {
  const Corpus corpus = read(R"({"id":"i1","text":"a \"b\", c\n\u0001ü","labels":["x","y"]})"
                             "\n"
                             R"({"text":"","labels":[]})"
                             "\n")
                            .corpus;
  EXPECT_EQ(written(corpus, "jsonl"),
            "{\"id\": \"i1\", \"text\": \"a \\\"b\\\", c\\n\\u0001ü\", \"labels\": [\"x\", \"y\"]}\n"
            "{\"text\": \"\", \"labels\": []}\n");
  EXPECT_EQ(written(corpus, "csv"), "id,text,labels\ni1,\"a \"\"b\"\", c\n\x01ü\",\"x,y\"\n,,\n");
  EXPECT_EQ(written(corpus, "csv", ';'), "id,text,labels\ni1,\"a \"\"b\"\", c\n\x01ü\",x;y\n,,\n");
  EXPECT_EQ(written(corpus, "tsv"), "x,y\ta \"b\", c \x01ü\n\t\n");
  EXPECT_EQ(written(corpus, "fasttext"), "__label__x __label__y a \"b\", c \x01ü\n \n");
}

TEST_F(WriteCorpus, IsReadBackAsItWas) {
  const Corpus corpus = read("a,b\tone\n\t\nb\ta\tTAB\n\ttwo \n").corpus;
  for (const std::string_view format : text_formats()) {
    write_corpus(corpus, format, ',', path("out"), true);
    ReadOptions options;
    options.format = format;
    expect_equal(read_corpus(path("out"), options).corpus, corpus);
  }
}

TEST_F(WriteCorpus, RefusesLabelsThatTheFormatCannotHold) {
  EXPECT_EQ(refusal("x", "a b", "fasttext"), "label 'a b' has a blank, which fasttext cannot hold; jsonl can");
  EXPECT_EQ(refusal("x", "a,b", "tsv"), "label 'a,b' has the separator of labels, which tsv cannot hold; jsonl can");
  EXPECT_EQ(refusal("x", "a,b", "csv"), "label 'a,b' has the separator of labels, which csv cannot hold; jsonl can");
  EXPECT_EQ(refusal("x", "a\tb", "tsv"), "label 'a\\x09b' has a TAB, which tsv cannot hold; jsonl can");
  EXPECT_EQ(refusal("x", " a", "csv"), "label ' a' has a blank at its begin or end, which csv cannot hold; jsonl can");
  for (const std::string_view format : {"fasttext", "tsv", "csv"}) {
    EXPECT_EQ(refusal("x", "a\nb", format),
              fmt::format("label 'a\\x0ab' has a line break, which {} cannot hold; jsonl can", format));
  }
  EXPECT_EQ(refusal("x", "", "jsonl"), "label '' has an empty name, which jsonl cannot hold");
}

TEST_F(WriteCorpus, RefusesTextsThatWouldBecomeLabels) {
  EXPECT_EQ(refusal(" \n__label__x y", "a", "fasttext"),
            "text ' \\x0a__label__x y' of row 1 has a word that is a label for fasttext");
}

TEST_F(WriteCorpus, RefusesUnknownFormatsAndSeparators) {
  EXPECT_EQ(error_of(ErrorKind::kUsage, [&] { write_corpus({}, "csw", ',', path("out"), true); }),
            "no data format is called 'csw'; there are fasttext, tsv, jsonl, csv (did you mean 'csv'?)");
  EXPECT_EQ(error_of(ErrorKind::kUsage, [&] { write_corpus({}, "tsv", '\t', path("out"), true); }),
            "'\\x09' cannot stand between labels; expected a printable ASCII character other than '\"'");
}

TEST_F(WriteCorpus, ReplacesAFileOnlyWhenTold) {
  write_corpus(corpus_of("x", "a"), "tsv", ',', path("out"), false);
  EXPECT_NE(error_of(ErrorKind::kUsage, [&] { write_corpus(corpus_of("y", "a"), "tsv", ',', path("out"), false); }),
            "");
  EXPECT_EQ(read_whole_file(path("out")), "a\tx\n");
}

}  // namespace
}  // namespace xylem
