// SPDX-License-Identifier: Apache-2.0
#include "data/prediction_rows.h"

#include <gtest/gtest.h>

#include <string>

namespace xylem {
namespace {

// "id=name(identifier):score ..."; what is wrong with a line that makes no sense.
template <class Parse>
std::string read(Parse parse, const std::string& line) {
  PredictedRow row;
  try {
    parse(line, row);
  } catch (const BadRow& bad) {
    return bad.problem;
  }
  std::string text = row.document_id + "=";
  for (std::size_t i = 0; i < row.labels.size(); ++i) {
    std::string label(row.labels[i]);
    if (const std::size_t nul = label.find('\0'); nul != std::string::npos) label = label.replace(nul, 1, "(") + ")";
    text += label;
    if (!row.scores.empty()) text += ":" + std::to_string(row.scores[i]).substr(0, 4);
    text += ' ';
  }
  return text;
}

std::string json(const std::string& line) {
  return read(parse_json_predictions, line);
}
std::string fasttext(const std::string& line) {
  return read(parse_fasttext_predictions, line);
}

TEST(JsonPredictions, HaveLabelsOfManyKinds) {
  EXPECT_EQ(json(R"({"labels":["a", 7, {"label":"b"}, {"id":"u:1","label":"c"}, {"uri":"u:2"}]})"),
            "=a 7 b c(u:1) u:2 ");
  EXPECT_EQ(json(R"({"labels":[{"score":0.5,"label":"a"},{"label":7,"score":-1e-1,"p":[{}]}],"id":3})"),
            "3=a:0.50 7:-0.1 ");
  EXPECT_EQ(json(R"({"results":[{"uri":"u:1","label":null,"notation":null,"score":1}],"document_id":"d"})"),
            "d=u:1:1.00 ");
}

TEST(JsonPredictions, TakeTheBestOfSeveralKeys) {
  EXPECT_EQ(json(R"({"results":["x"],"labels":["a"],"subjects":["y"],"uid":1,"id":2,"document_id":3})"), "2=a ");
  EXPECT_EQ(json(R"({"labels":null,"subjects":["y"],"suggestions":["z"],"id":null,"uid":1})"), "1=z ");
  EXPECT_EQ(json(R"({"labels":["a"],"labels":["b"]})"), "=b ");
}

TEST(JsonPredictions, ThatMakeNoSenseAreRefused) {
  for (const char* line :
       {"{}", "[]", "", "{\"labels\":7}", "{\"labels\":[[]]}", "{\"labels\":[{}]}", "{\"labels\":[\"\"]}",
        "{\"labels\":[\"a\"]", "{\"labels\":[\"a\"]} x", "{\"labels\":[\"a\",]}", "{\"labels\":[{\"label\":[]}]}",
        "{\"labels\":[{\"label\":\"a\",\"score\":\"1\"}]}", "{\"labels\":[{\"label\":\"a\",\"score\":1e99}]}",
        "{\"labels\":[{\"label\":\"a\",\"score\":1},{\"label\":\"b\"}]}", "{\"labels\":[\"a\"],\"id\":[]}",
        "{\"labels\":[{\"label\":\"a\",\"score\":1,\"score\":2}]}",
        "{\"labels\":[{\"label\":\"b\"},{\"label\":\"a\",\"score\":1}]}"}) {
    EXPECT_NE(json(line).find("expected"), std::string::npos) << line << ": " << json(line);
  }
}

TEST(FasttextPredictions, HaveScoresOrNone) {
  EXPECT_EQ(fasttext("__label__a 0.5 __label__b\t1e-50 "), "=a:0.50 b:0.00 ");
  EXPECT_EQ(fasttext("  __label__a   __label__b__label__"), "=a b__label__ ");
  EXPECT_EQ(fasttext(""), "=");
}

TEST(FasttextPredictions, ThatMakeNoSenseAreRefused) {
  for (const char* line : {"a", "0.5", "__label__", "__label__ 0.5", "__label__a 0.5 0.5", "__label__a x",
                           "__label__a inf", "__label__a 1 __label__b", "__label__a __label__b 1", "__label__a 1e99"}) {
    EXPECT_NE(fasttext(line).find("expected"), std::string::npos) << line << ": " << fasttext(line);
  }
}

}  // namespace
}  // namespace xylem
