// SPDX-License-Identifier: Apache-2.0
// What the first lines say of a file. Whole files of every kind are in tests/data/odd.
#include "data/layout.h"

#include <gtest/gtest.h>

#include "corpus_text.h"

namespace xylem {
namespace {

std::string repeated(const std::string& lines, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += lines;
  return all;
}

class Layout : public CorpusFiles {
 protected:
  static TextLayout decide(const std::string& lines, const ReadOptions& options = {}) {
    return decide_layout(lines, options, "data.txt");
  }
  static ReadOptions columns(const std::string& text, const std::string& labels) {
    ReadOptions options;
    options.text_column = text;
    options.label_column = labels;
    return options;
  }
  static std::string problem(const std::string& lines, const ReadOptions& options = {}) {
    return error_of(ErrorKind::kData, [&] { decide(lines, options); });
  }
  std::string rows_with(const std::string& lines, const ReadOptions& options) const {
    return text_of(read_corpus(write(lines), options).corpus);
  }
};

TEST_F(Layout, TakesShortRepeatedLabelsOnEitherSideOfTheTab) {
  const std::string texts_last = "sail\thoist it up the mast\nbread\tbake it in the oven\n";
  const std::string texts_first = "hoist it up the mast\tsail\nbake it in the oven\tbread\n";
  for (const int times : {1, 2, 100}) {
    EXPECT_FALSE(decide(repeated(texts_last, times)).labels_last);
    EXPECT_TRUE(decide(repeated(texts_first, times)).labels_last);
  }
  EXPECT_TRUE(decide(texts_last).remarks.empty());
  ASSERT_EQ(decide(texts_first).remarks.size(), 1U);
}

TEST_F(Layout, RefusesAnOrderThatIsOpen) {
  // As long as each other, and no label comes again.
  EXPECT_EQ(
      problem("oak\ttree\npine\tplant\nrose\tflower\ntulip\tbulb\n"),
      "data.txt:1: found a line that may be the labels 'oak' and the text 'tree', or the text 'oak' and the labels "
      "'tree'; expected to be told: --label-column 1 --text-column 2, or --text-column 1 --label-column 2");
  // What comes again is the longer of the two.
  const std::string contradiction =
      "regulation of the council on trade\tbeef\nregulation of the council on trade\tpork\n"
      "decision of the commission on fish\tcod\ndecision of the commission on fish\teel\n";
  EXPECT_NE(problem(contradiction).find("may be the labels"), std::string::npos);
  ReadOptions tsv;
  tsv.format = "tsv";
  EXPECT_FALSE(decide("oak\ttree\npine\tplant\nrose\tflower\ntulip\tbulb\n", tsv).labels_last);
  // Naming the format does not turn texts into labels.
  EXPECT_NE(problem(repeated("hoist it up the mast\tsail\nbake it in the oven\tbread\n", 4), tsv).find("may be the"),
            std::string::npos);
}

TEST_F(Layout, TakesTheDocumentedOrderOfAFewLinesAndSaysSo) {
  EXPECT_FALSE(decide("a\tx\n").labels_last);
  EXPECT_EQ(decide("a\tx\nb\ty\n").remarks.size(), 1U);
}

TEST_F(Layout, KnowsUrisWithAndWithoutBrackets) {
  EXPECT_EQ(rows("some text\t<http://a/1> <http://a/2,x>\nmore\t\n"), "[http://a/1|http://a/2,x] some text;[] more;");
  EXPECT_EQ(rows("some text\thttp://a/1 http://a/2\n"), "[http://a/1|http://a/2] some text;");
  EXPECT_EQ(rows("http://a/1,http://a/2\tsome text\n"), "[http://a/1|http://a/2] some text;");
  EXPECT_EQ(error(repeated("x\t<http://a/1>\n", 20) + "y\tno brackets\n").substr(0, 23), "21: found 'no' among th");
}

TEST_F(Layout, ListsTheColumnsOfAnUnknownTable) {
  EXPECT_EQ(
      problem("d1\tsome text\tsail\nd2\tother text\tsail\n"),
      "data.txt:1: found 3 columns ('d1', 'some text', 'sail'), expected labels, TAB and text; give their numbers, "
      "such as --text-column 2 --label-column 3");
  EXPECT_EQ(problem("story;mood\na;b\n"),
            "data.txt:1: found the columns 'story' and 'mood', expected a header with the column 'text'; --text-column "
            "NAME and --label-column NAME name others, or their numbers");
}

TEST_F(Layout, TakesNamedAndNumberedColumns) {
  EXPECT_EQ(rows_with("story,mood\n\"a, b\",c\n", columns("story", "Mood")), "[c] a, b;");
  EXPECT_EQ(rows_with("c,\"a, b\"\n", columns("2", "1")), "[c] a, b;");
  EXPECT_EQ(rows_with("mood;text\nc;a\n", columns("2", "1")), "[c] a;");
  EXPECT_EQ(rows_with("d\tc\ta b\n", columns("3", "2")), "[c] a b;");
  EXPECT_EQ(rows_with("c\ta\tb\nd\te\n", columns("2", "1")), "[c] a\tb;[d] e;");
  EXPECT_EQ(rows_with("a b\tc\nd\te\tf\n", columns("1", "2")), "[c] a b;[f] d\te;");
  EXPECT_EQ(rows_with("3:1 7:2,5\n", columns("1", "2")), "[5] 3:1 7:2;");
  EXPECT_EQ(rows_with("{\"story\":\"a\",\"mood\":[\"b\"],\"text\":\"c\"}\n", columns("story", "mood")), "[b] a;");
  EXPECT_EQ(problem("story,mood\na,b\n", columns("tale", "mood")),
            "data.txt:1: found the columns 'story' and 'mood', expected the one that --text-column names: 'tale'");
  EXPECT_EQ(
      problem("{\"story\":\"a\"}\n", columns("tale", "")),
      "data.txt:1: found the keys 'story', expected 'tale': --text-column KEY and --label-column KEY name others");
  EXPECT_EQ(error_of(ErrorKind::kUsage, [&] { rows_with("a\n", columns("2", "2")); }),
            "--text-column and --label-column are both '2', expected two columns");
  EXPECT_EQ(error_of(ErrorKind::kUsage,
                     [&] {
                       rows_with("__label__a b\n", [&] {
                         auto options = columns("1", "2");
                         options.format = "fasttext";
                         return options;
                       }());
                     }),
            "fasttext has no columns for --text-column and --label-column");
}

TEST_F(Layout, TakesADelimiterThatIsNamed) {
  ReadOptions options;
  options.delimiter = '~';
  EXPECT_EQ(rows_with("text~labels\na, b~c\n", options), "[c] a, b;");
  options.delimiter = '\n';
  EXPECT_NE(error_of(ErrorKind::kUsage, [&] { rows_with("a\n", options); }).find("cannot stand between columns"),
            std::string::npos);
}

TEST_F(Layout, DoesNotDependOnWhereALongFieldIsCut) {
  // The first 64 KB end within the last record.
  std::string file = "text,labels\nshort,a\n\"";
  while (file.size() < 70'000) file += "a long field with one comma, in each of its lines\n";
  file += "\",b\n";
  const Corpus corpus = read_corpus(write(file)).corpus;
  ASSERT_EQ(corpus.size(), 2U);
  EXPECT_GT(corpus.texts[1].size(), 69'000U);
}

TEST_F(Layout, ReadsListsAsLabels) {
  EXPECT_EQ(rows("text,labels\nx,\"['a', \"\"b, c\"\"]\"\ny,[]\nz,\"['it\\'s' d]\"\n"), "[a|b, c] x;[] y;[it's|d] z;");
  EXPECT_EQ(rows("text,labels\nx,\"('a', 'b')\"\n"), "[a|b] x;");
  EXPECT_EQ(rows("text,labels\nx,(a)\n"), "[(a)] x;");
  EXPECT_EQ(rows("text,labels\nx,<a><b c>\n"), "[a|b c] x;");
}

}  // namespace
}  // namespace xylem
