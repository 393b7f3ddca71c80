// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>

#include "model_surgery.h"
#include "toy_data.h"
#include "xylem/tagger.h"

namespace xylem {
namespace {

Corpus questions() {
  Corpus corpus;
  const auto add = [&](const char* text, std::vector<Label> labels) {
    corpus.texts.push_back(text);
    corpus.labels.push_back(labels);
  };
  for (const char* name : {"account", "delivery"}) corpus.label_names.push_back(name);
  add("I forgot my password", {0});
  add("the password is wrong", {0});
  add("I cannot log in", {0});
  add("where is the parcel", {1});
  add("the parcel has not arrived", {1});
  add("I wait for my order", {1});
  return corpus;
}

TEST(TaggerExplain, FindsTheWordsThatSpeakForALabel) {
  const Tagger tagger = Tagger::train(questions(), {}, {});
  const char* text = "a parcel, a password";
  for (const auto& [label, word] : {std::pair<Label, std::string>{0, "password"}, {1, "parcel"}}) {
    const Explanation found = tagger.explain(text, label);
    ASSERT_FALSE(found.evidence.empty());
    const auto best = std::ranges::max_element(found.evidence, {}, &Contribution::value);
    EXPECT_EQ(tagger.feature_name(best->feature), word);
  }
}

TEST(TaggerExplain, ExplainsATextAsItsRow) {
  const Tagger tagger = Tagger::train(questions(), {}, {});
  Corpus one;
  one.texts.push_back("my password for the parcel");
  one.labels.push_back({});
  const Dataset rows = tagger.rows_of(one, {});
  const Explanation of_text = tagger.explain(one.texts[0], 1);
  const Explanation of_row = tagger.explain(rows.features[0], 1);
  EXPECT_EQ(of_text.score, of_row.score);
  ASSERT_EQ(of_text.evidence.size(), of_row.evidence.size());
  for (std::size_t i = 0; i < of_row.evidence.size(); ++i) {
    EXPECT_EQ(of_text.evidence[i].feature, of_row.evidence[i].feature);
    EXPECT_EQ(of_text.evidence[i].value, of_row.evidence[i].value);
  }
}

TEST(TaggerExplain, DoesNotDependOnTheLengthOfTheRow) {
  const Tagger tagger = Tagger::train(test::toy_data(1), {}, {});
  Dataset rows = test::toy_data(2, {.rows = 1});
  const Explanation before = tagger.explain(rows.features[0], 3);
  for (float& value : rows.features.values) value *= 1000;
  const Explanation after = tagger.explain(rows.features[0], 3);
  EXPECT_NEAR(before.score, after.score, 1e-6);
  EXPECT_NEAR(before.evidence.at(0).value, after.evidence.at(0).value, 1e-6);
}

TEST(TaggerExplain, RefusesALabelThatThereIsNot) {
  const Tagger tagger = Tagger::train(test::toy_data(1), {}, {});
  EXPECT_EQ(test::kind_of_error([&] { tagger.explain(SparseRow{}, 12); }), ErrorKind::kUsage);
}

}  // namespace
}  // namespace xylem
