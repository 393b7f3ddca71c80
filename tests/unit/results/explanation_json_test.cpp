// SPDX-License-Identifier: Apache-2.0
#include "results/explanation_json.h"

#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "text_tagger.h"

namespace xylem {
namespace {

TEST(ExplanationJson, HasEverythingWithItsName) {
  const Tagger tagger = test::row_tagger();
  Explanation explanation;
  explanation.label = 1;
  explanation.score = 0.1;
  explanation.basis = "made up";
  explanation.evidence = {{0, 2.5}, {1, -1, 0.5}};
  PathStep step;
  step.margin = 1;
  step.labels = {0, 1};
  explanation.paths = {{0, 0.5, true, {step}}};
  explanation.neighbours = {{2, 0.75, true, {1}}};
  EXPECT_EQ(explanation_json(explanation, tagger),
            R"({"label":2,"score":0.1,"rank":null,"basis":"made up","bias":0,)"
            R"("evidence":[{"feature":1,"contribution":2.5},{"feature":2,"contribution":-1,"attention":0.5}],)"
            R"("paths":[{"tree":1,"score":0.5,"reached":true,"steps":[{"margin":1,"score":0,"labels":2,)"
            R"("examples":[1,2],"bias":0,"evidence":[]}]}],)"
            R"("neighbours":[{"row":3,"similarity":0.75,"votes":true,"labels":[2]}]})");
}

TEST(ExplanationJson, IsJsonWhateverTheNumbers) {
  Explanation explanation;
  explanation.score = std::numeric_limits<double>::infinity();
  explanation.bias = std::numeric_limits<double>::quiet_NaN();
  const auto read = nlohmann::json::parse(explanation_json(explanation, test::text_tagger()));
  EXPECT_TRUE(read["score"].is_null());
  EXPECT_TRUE(read["bias"].is_null());
  EXPECT_EQ(read["label"], "bank");
}

TEST(ExplanationJson, SaysThatThereIsNoLabel) {
  EXPECT_EQ(no_label_json(), R"({"label":null,"basis":"the model gives this row no label"})");
}

TEST(ExplanationJson, ShowsTheMostFrequentLabelsOfANode) {
  const Tagger tagger = test::text_tagger();
  PathStep step;
  step.labels = {1, 2, 0};
  EXPECT_EQ(examples_of(step, tagger), (std::vector<Label>{0, 1, 2}));
}

}  // namespace
}  // namespace xylem
