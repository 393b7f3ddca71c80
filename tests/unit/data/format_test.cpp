// SPDX-License-Identifier: Apache-2.0
#include "data/format.h"

#include <gtest/gtest.h>

#include "corpus_text.h"
#include "data/read_sparse.h"
#include "xylem/input.h"

namespace xylem {
namespace {

TEST(DetectFormat, KnowsSparseFiles) {
  EXPECT_EQ(detect_format("10 20 30\n1 2:3\n"), "xmlrepo");
  EXPECT_EQ(detect_format("10\t20 30 \r\n"), "xmlrepo");
  for (const std::string_view line : {"1,2 3:0.5 4", " 3:1", "3:1\n", "7", "1 2 3 4", " 1 2 3", "\n1 2 3\n", "+1 2:1",
                                      "0,1\t0:1\t3:2", "1,2\n", "0 1:nan"}) {
    EXPECT_EQ(detect_format(line), "libsvm") << line;
  }
}

TEST(DetectFormat, TakesNothingButBlanksForSparseRows) {
  for (const std::string_view lines : {"", "\n", "  \r\n\t\n"}) {
    EXPECT_EQ(detect_format(lines), "libsvm");
    EXPECT_EQ(detect_text_format(lines), "");
  }
}

TEST(DetectFormat, KnowsTexts) {
  EXPECT_EQ(detect_format("{\"text\":1}"), "jsonl");
  EXPECT_EQ(detect_format("\n \n  {"), "jsonl");
  EXPECT_EQ(detect_format("__label__a\tb"), "fasttext");
  EXPECT_EQ(detect_format("text,labels\r\n"), "csv");
  EXPECT_EQ(detect_format("id,\"text\"\n"), "csv");
  EXPECT_EQ(detect_format("text"), "csv");
  EXPECT_EQ(detect_format("a,b\tc"), "tsv");
  EXPECT_EQ(detect_format("3,5\t2001: a film"), "tsv");
  EXPECT_EQ(detect_format("\ttext"), "tsv");
  EXPECT_EQ(detect_format("a __label__b"), "fasttext");
  EXPECT_EQ(detect_format("[{\"text\":1}]"), "jsonl");
  EXPECT_EQ(detect_format("3\t2001\n4\ta film\n"), "tsv");
  EXPECT_EQ(detect_format("story;topics\na;b\n"), "csv");
}

TEST(DetectFormat, SaysWhereItKnowsNone) {
  for (const std::string_view line : {"a text", "[1]", "a,b", "\"text", "a__label__b", "texts,labels"}) {
    EXPECT_EQ(detect_format(line), "") << line;
  }
}

TEST(DetectFormat, TakesTabsForTextWhereItMust) {
  EXPECT_EQ(detect_format("3\t7"), "libsvm");
  EXPECT_EQ(detect_text_format("3\t7"), "tsv");
  ReadOptions options;
  options.text_column = "2";
  EXPECT_EQ(detect_format("3\t7", options), "csv");
}

TEST(TypedFormat, IsJsonlOnlyForAnObject) {
  for (const std::string_view line : {"{\"text\":1}", "\n  { \"a\"", "{}", "{\n"})
    EXPECT_EQ(typed_format(line), "jsonl");
  for (const std::string_view line :
       {"", "a text, a comma", "text,labels\n", "a\tb", "__label__a b", "{name} is late", "[1]", "{[\n"}) {
    EXPECT_EQ(typed_format(line), "lines") << line;
  }
}

using ReadInput = TestFiles;

TEST_F(ReadInput, ListsAllFormats) {
  EXPECT_EQ(input_formats(),
            (std::vector<std::string_view>{"xmlrepo", "libsvm", "fasttext", "tsv", "jsonl", "csv", "lines"}));
}

TEST_F(ReadInput, ReadsSparseRowsAndTexts) {
  const Input sparse = read_input(write("1 5 3\n0,2 0:0.5 3:1.5\n"));
  EXPECT_EQ(text_of(std::get<Dataset>(sparse.data)), "0,2,|0:0.5 3:1.5 ;");
  EXPECT_EQ(sparse.report.format, "xmlrepo");
  const Input libsvm = read_input(write(gzip("0,2 0:0.5 3:1.5")));
  EXPECT_EQ(text_of(std::get<Dataset>(libsvm.data)), "0,2,|0:0.5 3:1.5 ;");
  EXPECT_EQ(libsvm.report.format, "libsvm");
  const Input texts = read_input(write("a\tx\n"));
  EXPECT_EQ(text_of(std::get<Corpus>(texts.data)), "[a] x;");
  EXPECT_EQ(texts.report.format, "tsv");
}

TEST_F(ReadInput, BelievesTheNamedFormat) {
  ReadOptions options;
  options.format = "fasttext";
  EXPECT_EQ(text_of(std::get<Corpus>(read_input(write("1 2:3\n"), options).data)), "[] 1 2:3;");
  options.format = "jsno";
  EXPECT_EQ(error_of(ErrorKind::kUsage, [&] { read_input("any", options); }),
            "no data format is called 'jsno'; there are auto, xmlrepo, libsvm, fasttext, tsv, jsonl, csv, lines (did "
            "you mean "
            "'jsonl'?)");
}

TEST_F(ReadInput, NamesTheFormatsWhereItKnowsNone) {
  EXPECT_EQ(error_of(ErrorKind::kData, [&] { read_input(write("plain text\n")); }),
            "data.txt:1: found 'plain text', expected a line that looks like xmlrepo, libsvm, fasttext, tsv, jsonl, "
            "csv; CSV begins with a header that has the column text; --text-column and --label-column name others, and "
            "with --input-format lines every line is a text");
  EXPECT_EQ(error_of(ErrorKind::kData, [&] { read_input(write("")); }),
            "data.txt:1: found an empty file, expected rows of labels and features");
}

// Found by dataset_fuzz: small blocks held nothing but the blank line.
TEST_F(ReadInput, LooksAtTheSameLinesWhateverTheSizeOfBlocks) {
  const std::string file = write("\n\ttext\n");
  for (const std::size_t block_bytes : {std::size_t{1}, std::size_t{16} << 20}) {
    EXPECT_EQ(error_of(ErrorKind::kData, [&] { read_sparse(file, {}, {}, {.block_bytes = block_bytes}); }),
              "data.txt:2: found texts (tsv), expected sparse rows");
  }
}

}  // namespace
}  // namespace xylem
