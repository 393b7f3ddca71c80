// SPDX-License-Identifier: Apache-2.0
#include "data/predictions.h"

#include "test_files.h"

namespace xylem {
namespace {

class PredictionsTest : public TestFiles {
 protected:
  Predictions read(const std::string& bytes, Label first = 0) const { return read_predictions(write(bytes), first); }
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
  OutputFile file(path("out"), IfExists::kReplace);
  write_predictions_xmlrepo(top, 8, 1, file);
  file.commit();
  EXPECT_EQ(read_whole_file(path("out")), "3 8\n3:0.33333334 8:0.1\n\n1:-3e-20\n");
  const Predictions back = read_predictions(path("out"), 1);
  EXPECT_EQ(back.top.offsets, top.offsets);
  EXPECT_EQ(back.top.labels, top.labels);
  EXPECT_EQ(back.top.scores, top.scores);
  EXPECT_EQ(back.n_labels, 8U);

  OutputFile empty(path("empty"), IfExists::kReplace);
  write_predictions_xmlrepo({}, 8, 1, empty);
  empty.commit();
  EXPECT_EQ(read_whole_file(path("empty")), "0 8\n");
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

}  // namespace
}  // namespace xylem
