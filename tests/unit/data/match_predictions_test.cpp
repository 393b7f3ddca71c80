// SPDX-License-Identifier: Apache-2.0
#include "data/match_predictions.h"

#include "test_files.h"

namespace xylem {
namespace {

TextList list(std::initializer_list<std::string_view> texts) {
  TextList list;
  for (const std::string_view text : texts) list.push_back(text);
  return list;
}

EvaluatedRows rows_of(std::size_t n_rows, const TextList& names, const TextList& document_ids = {}) {
  EvaluatedRows rows;
  rows.n_rows = n_rows;
  rows.label_names = names;
  rows.n_labels = names.size();
  rows.document_ids = document_ids;
  return rows;
}

class MatchTest : public TestFiles {
 protected:
  MatchedPredictions match(const std::string& bytes, const EvaluatedRows& rows) const {
    return match_predictions(read_predictions(write(bytes)), rows);
  }
  std::string error(const std::string& bytes, const EvaluatedRows& rows) const {
    return error_of(ErrorKind::kData, [&] { match(bytes, rows); });
  }
};

std::string text_of(const TopLabels& top) {
  std::string text;
  for (std::size_t row = 0; row < top.size(); ++row) {
    for (const Label label : top.row_labels(row)) text += std::to_string(label) + " ";
    text += ';';
  }
  return text;
}

TEST_F(MatchTest, LabelsAreTakenByName) {
  const MatchedPredictions matched =
      match("__label__c 3 __label__x 2 __label__a 1\n__label__x 1 __label__y 0.5\n", rows_of(2, list({"a", "b", "c"})));
  EXPECT_EQ(text_of(matched.top), "2 3 0 ;3 4 ;");
  EXPECT_EQ(matched.new_labels, list({"x", "y"}));
  EXPECT_EQ(matched.report.unknown_labels, 2U);
  EXPECT_EQ(matched.report.unknown_predictions, 3U);
}

TEST_F(MatchTest, NumbersStayNumbers) {
  EvaluatedRows rows = rows_of(1, {});
  rows.n_labels = 3;
  rows.first_number = 1;
  const MatchedPredictions named = match("__label__3 3 __label__1 2 __label__9 1\n", rows);
  EXPECT_EQ(text_of(named.top), "2 0 8 ;");
  EXPECT_EQ(named.report.unknown_labels, 1U);
  EXPECT_EQ(error("__label__a 3\n", rows).substr(0, 50), "data.txt: found the label 'a', expected a number: ");
  EXPECT_EQ(error("__label__9 3\n", rows),
            "data.txt: none of the labels that it predicts is one of the training or test rows: found labels like '9', "
            "expected labels like '1'");
}

TEST_F(MatchTest, NumbersAreThoseOfTheDataAlsoIfLabelsHaveNames) {
  EvaluatedRows rows = rows_of(1, list({"a", "b"}));
  rows.first_number = 0;
  EXPECT_EQ(text_of(match("1:2 17:1\n", rows).top), "1 17 ;");
  EXPECT_EQ(error("17:1\n", rows),
            "data.txt: none of the labels that it predicts is one of the training or test rows: found labels like "
            "'17', expected labels like 'a'");
}

TEST_F(MatchTest, LabelsThatShareANameAreTakenOneAfterTheOther) {
  EvaluatedRows rows = rows_of(1, list({"a", "b", "a"}));
  const MatchedPredictions matched = match("__label__a 4 __label__a 3 __label__a 2 __label__a 1\n", rows);
  EXPECT_EQ(text_of(matched.top), "0 2 3 4 ;");
  EXPECT_EQ(matched.report.repeated_labels, 2U);
  // The same labels as those that are evaluated mean themselves.
  Predictions same;
  same.label_keys = rows.label_names;
  same.top.push_back(2, 1);
  same.top.end_row();
  EXPECT_EQ(text_of(match_predictions(same, rows).top), "2 ;");
}

TEST_F(MatchTest, RowsAreTakenByDocumentId) {
  const EvaluatedRows rows = rows_of(3, list({"a", "b"}), list({"x", "y", "z"}));
  const MatchedPredictions matched =
      match("{\"id\":\"z\",\"labels\":[\"b\"]}\n{\"id\":\"w\",\"labels\":[\"a\"]}\n{\"id\":\"x\",\"labels\":[\"a\"]}\n",
            rows);
  EXPECT_EQ(text_of(matched.top), "0 ;;1 ;");
  EXPECT_EQ(matched.report.missing_rows, 1U);
  EXPECT_EQ(matched.report.unknown_rows, 1U);
  EXPECT_TRUE(matched.report.by_document_id);
  // Repeated ids are no trouble where rows follow each other as in the truth.
  const EvaluatedRows repeated = rows_of(2, list({"a"}), list({"x", "x"}));
  const std::string twice = "{\"id\":\"x\",\"labels\":[\"a\"]}\n{\"id\":\"x\",\"labels\":[]}\n";
  EXPECT_EQ(text_of(match(twice, repeated).top), "0 ;;");
  EXPECT_EQ(error("{\"id\":\"x\",\"labels\":[\"a\"]}\n", repeated).substr(0, 14), "the test rows:");
  EXPECT_EQ(error(twice, rows).substr(0, 41), "data.txt: found the document id 'x' twice");
}

TEST_F(MatchTest, RowsAreTakenByPositionWhereOneHasNoId) {
  const EvaluatedRows rows = rows_of(2, list({"a", "b"}), list({"x", ""}));
  const MatchedPredictions matched =
      match("{\"id\":\"y\",\"labels\":[\"b\"]}\n{\"id\":\"x\",\"labels\":[\"a\"]}\n", rows);
  EXPECT_EQ(text_of(matched.top), "1 ;0 ;");
  EXPECT_FALSE(matched.report.by_document_id);
  EXPECT_EQ(error("{\"id\":\"y\",\"labels\":[\"b\"]}\n", rows).substr(0, 52),
            "data.txt: found predictions for 1 rows, expected 2, ");
}

class NamedNumbers : public MatchTest {
 protected:
  std::string named(const std::string& bytes, const LabelNames& names, std::optional<Label> first = {}) const {
    Predictions predictions = read_predictions(write(bytes));
    name_predicted_labels(predictions, names, first);
    std::string text;
    for (const Label label : predictions.top.labels) text += std::string(predictions.label_keys[label]) + " ";
    return text;
  }
};

TEST_F(NamedNumbers, CountAsTheNamesDo) {
  const LabelNames lines{"names.txt", list({"a", "b"}), false};
  EXPECT_EQ(named("0:1 1:0.5\n", lines), "a b ");
  EXPECT_EQ(named("1:1\n", lines, 0), "b ");
  EXPECT_EQ(named("1:1\n", lines, 1), "a ");
  EXPECT_EQ(named("2:1 1:0.5\n", lines), "b a ");
  const LabelNames numbered{"names.txt", list({"", "a", "", "b"}), true};
  EXPECT_EQ(named("3:1 1:0.5\n", numbered), "b a ");
  for (const auto& [bytes, names] : {std::pair{"2:1 0:1\n", lines}, {"3:1\n", lines}, {"2:1\n", numbered}}) {
    const std::string message =
        error_of(ErrorKind::kData, [&, &given = bytes, &known = names] { named(given, known); });
    EXPECT_TRUE(message.ends_with("data.txt predicts")) << message;
  }
}

TEST_F(NamedNumbers, ThatFitFromZeroAndFromOneAreRefused) {
  const LabelNames lines{"names.txt", list({"a", "b", "c"}), false};
  const std::string message = error_of(ErrorKind::kUsage, [&] { named("2:1 1:0.5\n", lines); });
  EXPECT_EQ(message.substr(0, 63), "data.txt predicts: the first name may be that of label 0 or 1; ");
  EXPECT_EQ(named("\n\n", lines), "");
}

}  // namespace
}  // namespace xylem
