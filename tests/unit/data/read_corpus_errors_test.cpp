// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "core/random.h"
#include "corpus_text.h"
#include "data/utf8.h"

namespace xylem {
namespace {

class ReadCorpusErrors : public CorpusFiles {
 protected:
  std::string json_error(const std::string& line) const { return error(line, "jsonl"); }
};

TEST_F(ReadCorpusErrors, NameFilesOfNoKnownFormat) {
  EXPECT_EQ(error("\nplain text\n"),
            "2: found 'plain text', expected a line that looks like fasttext, tsv, jsonl, csv; "
            "CSV begins with a header that has the column text; --text-column and --label-column name others, and with "
            "--input-format lines every line is a text");
  ReadOptions options;
  options.format = "json";
  EXPECT_EQ(
      error_of(ErrorKind::kUsage, [&] { read_corpus("any", options); }),
      "no data format is called 'json'; there are auto, fasttext, tsv, jsonl, csv, lines (did you mean 'jsonl'?)");
}

TEST_F(ReadCorpusErrors, NameEmptyFiles) {
  for (const std::string text : {"", "\n", "\r\n\n", "\xef\xbb\xbf"}) {
    for (const std::string format : {"auto", "fasttext", "tsv", "jsonl", "csv"}) {
      EXPECT_EQ(error(text, format), "1: found an empty file, expected texts");
    }
  }
  EXPECT_EQ(error("text,labels\n"), "1: found a header and no rows, expected texts");
}

TEST_F(ReadCorpusErrors, NameBadLinesOfFasttextAndTsv) {
  EXPECT_EQ(error("__label__a x\n__label__ y\n"),
            "2: found '__label__' without a name, expected a label like '__label__name'");
  EXPECT_EQ(error("a\tx\nb y\n"), "2: found no TAB in 'b y', expected labels, TAB and text");
  EXPECT_EQ(error("a\tx\n\n\nb\ty\n"), "2: found an empty line, expected labels, TAB and text");
}

TEST_F(ReadCorpusErrors, NameBytesThatAreNoText) {
  EXPECT_EQ(
      error("a\tx\nb\ty\xffz\n"),
      "2: found invalid UTF-8 '\\xff' at byte 4, expected UTF-8: convert the file (`iconv -f WINDOWS-1252 -t UTF-8`, "
      "or whatever it is in), or --bad-utf8 replace");
  EXPECT_TRUE(error("a\t\xe2\x82\n").starts_with("1: found invalid UTF-8 '\\xe2\\x82' at byte 3, expected UTF-8"));
  EXPECT_EQ(error(std::string("a\tx\0y\n", 6)), "1: found a NUL byte at byte 4, expected text");
}

TEST_F(ReadCorpusErrors, NameJsonOfTheWrongType) {
  EXPECT_EQ(json_error(R"({"text": 5})"), "1: found '5}', expected a string for \"text\"");
  EXPECT_EQ(json_error(R"({"text":"x","labels":{"a":1}})"),
            "1: found '{\"a\":1}}', expected a list of labels for \"labels\"");
  EXPECT_EQ(json_error(R"({"text":"x","labels":true})"), "1: found 'true}', expected a list of labels for \"labels\"");
  EXPECT_EQ(json_error(R"({"text":"x","labels":[null]})"),
            "1: found 'null]}', expected a label: a string, a number or an object with \"label\" or \"uri\"");
  EXPECT_EQ(json_error(R"({"text":"x","labels":[""]})"), "1: found an empty label, expected a name");
  EXPECT_EQ(json_error(R"({"text":"x","subjects":[{}]})"), "1: found an empty label, expected a name");
  EXPECT_EQ(json_error(R"({"text":"x","subjects":[{"label":[]}]})"), "1: found '[]}]}', expected a string");
  EXPECT_EQ(json_error(R"({"text":"x","id":[1]})"), "1: found '[1]}', expected a string or a number for \"id\"");
  EXPECT_EQ(json_error("{\"text\":\"x\"}\n{\"labels\":[\"a\"]}"),
            "2: found no text, expected the key \"text\", \"title\" or \"content\"");
  EXPECT_EQ(
      json_error(R"({"labels":["a"],"story":"x"})"),
      "1: found the keys 'labels' and 'story', expected \"text\", \"title\" or \"content\": --text-column KEY and "
      "--label-column KEY name others");
  EXPECT_TRUE(json_error("{}").starts_with("1: found no key, expected \"text\""));
}

TEST_F(ReadCorpusErrors, NameBrokenJson) {
  EXPECT_EQ(json_error("[1]"), "1: found a JSON array, expected one object per line (JSONL): `jq -c '.[]' OLD > NEW`");
  EXPECT_EQ(json_error(R"({"text":"x")"), "1: found the end of the line, expected ',' or '}'");
  EXPECT_EQ(json_error(R"({"text":"x"} y)"), "1: found 'y', expected the end of the line");
  EXPECT_EQ(json_error(R"({"text" "x"})"), "1: found '\"x\"}', expected ':'");
  EXPECT_EQ(json_error(R"({"text":"x",})"), "1: found '}', expected another key: JSON has no comma before '}'");
  EXPECT_EQ(json_error(R"({"text":"x","labels":["a" "b"]})"), "1: found '\"b\"]}', expected ',' or ']'");
  EXPECT_EQ(json_error(R"({"text":"x","subjects":[{"uri":"a" 5}]})"), "1: found '5}]}', expected ',' or '}'");
  EXPECT_EQ(json_error(R"({"text":"x)"), "1: found the end of the line within a string, expected '\"'");
  EXPECT_EQ(json_error("{\"text\":\"a\tb\"}"),
            "1: found the control character '\\x09' within a string, expected it as '\\u0009'");
  EXPECT_EQ(json_error(R"({"text":"\x"})"), "1: found '\\x' within a string, expected a JSON escape such as '\\n'");
  EXPECT_EQ(json_error(R"({"text":"\u12g4"})"), "1: found 'g4\"}', expected four hexadecimal digits after '\\u'");
  EXPECT_EQ(json_error(R"({"text":"\u0000"})"),
            "1: found '\\u0000' within a string, expected text without NUL characters");
  for (const std::string half : {"\\ud800", "\\udc00", "\\ud800\\u0041", "\\udbff\\ud800"}) {
    EXPECT_EQ(json_error("{\"text\":\"" + half + "\"}"),
              "1: found '" + half + "' within a string, expected both halves of a surrogate pair");
  }
}

TEST_F(ReadCorpusErrors, NameBrokenJsonInWhatIsIgnored) {
  const auto ignored = [&](const std::string& value) { return json_error("{\"text\":\"x\",\"y\":" + value + "}"); };
  EXPECT_EQ(ignored("01"), "1: found '1}', expected a number without leading zeros");
  EXPECT_EQ(ignored("-"), "1: found '}', expected a digit");
  EXPECT_EQ(ignored("1.e"), "1: found 'e}', expected a digit");
  EXPECT_EQ(ignored("nul"), "1: found 'nul}', expected a JSON value");
  EXPECT_EQ(ignored("[1,]"), "1: found ']}', expected a JSON value");
  EXPECT_EQ(ignored("[1 2]"), "1: found '2]}', expected ',' or ']'");
  EXPECT_EQ(ignored("{\"a\":1]"), "1: found ']}', expected ',' or '}'");
  EXPECT_EQ(ignored(std::string(1'000'000, '[')), "1: found '}', expected a JSON value");
  EXPECT_EQ(json_error("{\"text\":\"x\",\"id\":-}"), "1: found '}', expected a digit");
}

TEST_F(ReadCorpusErrors, NameBadCsv) {
  EXPECT_EQ(error("id,story\n1,x\n", "csv"),
            "1: found the columns 'id' and 'story', expected a header with the column 'text'; --text-column NAME and "
            "--label-column NAME name others, or their numbers");
  EXPECT_EQ(error("text,text\n1,x\n", "csv"), "1: found two columns called 'text', expected one");
  EXPECT_EQ(error("text,labels\nx\n"), "2: found 1 fields, expected 2 as in the header");
  EXPECT_EQ(error("text,labels\n\"a\nb\",l\nx\"y,\"\"z\n\"x\"y,z\n"),
            "4: found 'z' after a closing quote, expected ','");
  EXPECT_EQ(error("text,labels\nx,y\n\"open,z\nmore\n"),
            "3: found '\"open,z\\x0amore' without an end, expected a closing '\"'");
}

TEST_F(ReadCorpusErrors, NameTheFirstOfTooManyBadLines) {
  ReadOptions options;
  options.max_bad_lines = 1;
  EXPECT_EQ(
      error_of(ErrorKind::kData, [&] { read_corpus(write("a\tx\nb\nc\n"), options); }),
      "data.txt:2: found no TAB in 'b', expected labels, TAB and text; at least 2 lines are bad and only 1 may be "
      "skipped");
  options.format = "tsv";
  EXPECT_EQ(error_of(ErrorKind::kData, [&] { read_corpus(write("b\n"), options); }),
            "data.txt:1: found no TAB in 'b', expected labels, TAB and text; all lines are bad");
}

TEST_F(ReadCorpusErrors, NameTheMemoryThatIsTooLittle) {
  std::string text;
  for (int i = 0; i < 1000; ++i) text += "a\tsome text\n";
  ReadOptions options;
  options.max_bytes = 20'000;
  const std::string message = error_of(ErrorKind::kMemory, [&] { read_corpus(write(text), options); });
  EXPECT_TRUE(message.starts_with("data.txt: 1000 rows already take ")) << message;
}

TEST_F(ReadCorpusErrors, NameSeparatorsThatCannotBe) {
  for (const char separator : {'\t', '\n', '"', '\xff'}) {
    EXPECT_NE(
        error_of(ErrorKind::kUsage, [&] { read("a\tx\n", "tsv", separator); }).find("cannot stand between labels"),
        std::string::npos);
  }
}

TEST_F(ReadCorpusErrors, AreTheWorstThatDamagedFilesCause) {
  const std::string files[] = {"a,b\tone\nb\ttwo ü\n\tthree\n", "__label__a __label__b one\n__label__b two ü\nthree\n",
                               "text,labels\none,\"a,b\"\n\"two \"\"ü\n\",b\nthree,\n",
                               "{\"text\":\"o\\u00fcne\",\"labels\":[\"a\",1.5e3]}\n{\"id\":1,\"x\":[{}]}\n"};
  int refused = 0;
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    Random random(seed, {1});
    std::string text = files[seed % 4];
    for (std::size_t i = 0; i <= random.below(4); ++i) {
      const std::string characters = std::string("\n\r\t ,\"\\{}[]:u0_\x80\xff\xe2", 19) + '\0';
      text[random.below(text.size())] = characters[random.below(characters.size())];
    }
    ReadOptions options;
    options.format = text_formats()[std::vector<std::size_t>{1, 0, 3, 2}[seed % 4]];
    options.max_bad_lines = random.below(3);
    try {
      const Corpus corpus =
          read_texts(write(text), options, {}, {.block_bytes = 1 + random.below(40), .chunk_bytes = 9}).corpus;
      ASSERT_EQ(corpus.labels.size(), corpus.size());
      for (const Label id : corpus.labels.ids) ASSERT_LT(id, corpus.label_names.size());
      ASSERT_EQ(find_bad_utf8(corpus.texts.bytes + corpus.label_names.bytes).size, 0U);
      ASSERT_EQ(corpus.texts.bytes.find('\0'), std::string::npos);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kData) << error.what();
      ++refused;
    }
  }
  EXPECT_GT(refused, 200);
}

}  // namespace
}  // namespace xylem
