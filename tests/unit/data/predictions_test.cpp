// SPDX-License-Identifier: Apache-2.0
#include "data/predictions.h"

#include "test_files.h"

namespace xylem {
namespace {

class PredictionsTest : public TestFiles {
 protected:
  Predictions read(const std::string& bytes, Label first = 0) const {
    return read_predictions(write(bytes), {.format = "xmlrepo", .first_label = first});
  }
  Predictions read_any(const std::string& bytes, const std::string& format = "auto") const {
    return read_predictions(write(bytes), {.format = format, .first_label = {}});
  }
  std::string error(const std::string& bytes, Label first = 0) const {
    return error_of(ErrorKind::kData, [&] { read(bytes, first); });
  }
};

std::string text_of(const Predictions& predictions) {
  std::string text;
  for (std::size_t row = 0; row < predictions.top.size(); ++row) {
    const auto labels = predictions.top.row_labels(row);
    for (std::size_t i = 0; i < labels.size(); ++i) {
      char entry[64];
      std::snprintf(entry, sizeof entry, "%u:%g ", labels[i], static_cast<double>(predictions.top.row_scores(row)[i]));
      text += entry;
    }
    text += ';';
  }
  return text + std::to_string(predictions.n_labels);
}

TEST_F(PredictionsTest, AreReadWithAndWithoutHeader) {
  EXPECT_EQ(text_of(read("2 9\n3:0.5 1:0.25\n0:1\n")), "3:0.5 1:0.25 ;0:1 ;9");
  EXPECT_EQ(text_of(read("3:0.5 1:0.25\n0:1\n")), "3:0.5 1:0.25 ;0:1 ;4");
  EXPECT_EQ(text_of(read("3:0.5\t1:-1e-2 \r\n1:1", 1)), "2:0.5 0:-0.01 ;0:1 ;3");
}

TEST_F(PredictionsTest, MayBeMissingForARow) {
  EXPECT_EQ(text_of(read("3 9\n\n0:1\n \n\n\n")), ";0:1 ;;9");
  EXPECT_EQ(text_of(read("\n0:1\n\n")), ";0:1 ;;1");
  EXPECT_EQ(text_of(read("0 9\n")), "9");
}

TEST_F(PredictionsTest, AreSortedAndTiesKeepTheirOrder) {
  EXPECT_EQ(text_of(read("1 9\n4:0.1 3:0.5 1:0.5 2:0.9\n")), "2:0.9 3:0.5 1:0.5 4:0.1 ;9");
}

TEST_F(PredictionsTest, AreReadFromCompressedFiles) {
  EXPECT_EQ(text_of(read(gzip("1 9\n3:0.5\n"))), "3:0.5 ;9");
  EXPECT_EQ(text_of(read(zstd("1 9\n3:0.5\n"))), "3:0.5 ;9");
}

TEST_F(PredictionsTest, AreReadBackExactlyAsWritten) {
  TopLabels top;
  top.push_back(7, 0.1F);
  top.push_back(2, 1.0F / 3);
  std::swap(top.labels[0], top.labels[1]);
  std::swap(top.scores[0], top.scores[1]);
  top.end_row();
  top.end_row();
  top.push_back(0, -3e-20F);
  top.end_row();
  std::string written = xmlrepo_header(top.size(), 8);
  for (std::size_t row = 0; row < top.size(); ++row) append_xmlrepo_row(top, row, 1, written);
  EXPECT_EQ(written, "3 8\n3:0.33333334 8:0.1\n\n1:-3e-20\n");
  const Predictions back = read(written, 1);
  EXPECT_EQ(back.top.offsets, top.offsets);
  EXPECT_EQ(back.top.labels, top.labels);
  EXPECT_EQ(back.top.scores, top.scores);
  EXPECT_EQ(back.n_labels, 8U);
}

TEST_F(PredictionsTest, ThatAreBrokenAreRefused) {
  for (const char* token : {"3", ":1", "x:1", "-1:1", "1:2:3", "1:2x", "1,2:3"}) {
    EXPECT_EQ(error("1 9\n0:1 " + std::string(token) + " 5:1\n"),
              "data.txt:2: found '" + std::string(token) + "', expected a prediction as label:score");
  }
  for (const char* token : {"1:", "1:nan", "1:inf", "1:1e999", "1:x"}) {
    EXPECT_EQ(
        error("0:1\n" + std::string(token) + "\n"),
        "data.txt:2: found '" + std::string(token) + "', expected a prediction as label:score with a finite score");
  }
  EXPECT_EQ(error("0:1\n\n2:1 3:0.5 2:0.1\n"), "data.txt:3: found label 2 twice, expected it once");
  EXPECT_EQ(error("3:1 3:2\n", 1), "data.txt:1: found label 3 twice, expected it once");
  EXPECT_EQ(error("1 9\n9:1\n"), "data.txt:2: found '9:1', expected a label from 0 to 8, as the header promises");
  EXPECT_EQ(error("1 0\n9:1\n"), "data.txt:2: found '9:1', expected no label, as the header promises");
  EXPECT_EQ(error("0:1\n", 1), "data.txt:1: found '0:1', expected a label from 1 to 2147483647");
}

TEST_F(PredictionsTest, OfAWrongNumberOfRowsAreRefused) {
  EXPECT_EQ(error("2 9\n0:1\n"), "data.txt:1: found 1 rows, expected the 2 that the header promises");
  EXPECT_EQ(error("1 9\n0:1\n\n0:1\n"), "data.txt:4: found more rows, expected the 1 that the header promises");
  EXPECT_EQ(error("1 4294967296\n0:1\n"),
            "data.txt:1: found '4294967296' in the header, expected a number of at most 2147483648");
  EXPECT_EQ(error(""), "data.txt:1: found an empty file, expected predictions");
}

// The labels by name, one row after the other.
std::string named(const Predictions& predictions) {
  std::string text;
  for (std::size_t row = 0; row < predictions.top.size(); ++row) {
    if (predictions.document_ids.size() > 0) text.append(predictions.document_ids[row]) += '=';
    for (const Label label : predictions.top.row_labels(row)) text.append(predictions.label_keys[label]) += ' ';
    text += ';';
  }
  return text;
}

TEST_F(PredictionsTest, AreRecognisedByTheirFirstLine) {
  EXPECT_EQ(read_any("3:0.5\n").format, "xmlrepo");
  EXPECT_EQ(read_any("\n").format, "xmlrepo");
  EXPECT_EQ(read_any("\n \n  __label__a 0.5\n").format, "fasttext");
  EXPECT_EQ(read_any(gzip("{\"labels\":[]}\n")).format, "jsonl");
  EXPECT_EQ(error_of(ErrorKind::kData, [&] { read_any("\na:1\n"); }).substr(0, 23), "data.txt:2: found 'a:1'");
  error_of(ErrorKind::kUsage, [&] { read_any("{}", "csv"); });
}

TEST_F(PredictionsTest, WithNumbersMayCountFromZeroOrOne) {
  EXPECT_EQ(text_of(read_any("1 2\n2:1 0:0.5\n")), "2:1 0:0.5 ;2");
  EXPECT_EQ(error_of(ErrorKind::kData, [&] { read_any("1 2\n3:1\n"); }),
            "data.txt:2: found '3:1', expected a label from 0 to 2, as the header promises");
}

TEST_F(PredictionsTest, HaveNamesAndDocumentIds) {
  const std::string rows =
      "{\"id\":7,\"labels\":[{\"label\":\"a\",\"score\":0.1},{\"score\":2e-1,\"label\":\"b\",\"p\":0}]}\r\n\n"
      "{\"labels\":[],\"document_id\":\"x\"}\n{\"uid\":\"y\",\"labels\":[{\"label\":\"a\",\"score\":1}]}";
  EXPECT_EQ(named(read_any(rows)), "7=b a ;x=;y=a ;");
  EXPECT_EQ(named(read_any(rows + "\n{\"labels\":[]}\n")), "b a ;;a ;;");
  EXPECT_EQ(named(read_any("__label__a 0.1 __label__b 0.2\n\n__label__a\t1\n\n")), "b a ;;a ;;");
}

TEST_F(PredictionsTest, WithoutScoresStayInTheirOrder) {
  const Predictions read = read_any("{\"labels\":[\"c\",\"a\",3]}\n{\"labels\":[]}\n");
  EXPECT_EQ(named(read), "c a 3 ;;");
  EXPECT_FALSE(read.scored);
  EXPECT_TRUE(read_any("{\"labels\":[]}\n").scored);
  EXPECT_EQ(named(read_any("__label__b __label__a\n")), "b a ;");
  for (const char* rows : {"__label__a\n__label__a 1\n", "__label__a 1\n__label__a\n"}) {
    EXPECT_EQ(error_of(ErrorKind::kData, [&] { read_any(rows); }).substr(0, 17), "data.txt:2: found");
  }
}

}  // namespace
}  // namespace xylem
