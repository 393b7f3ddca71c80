// SPDX-License-Identifier: Apache-2.0
#include "results/label_json.h"

#include <gtest/gtest.h>

#include "text_tagger.h"

namespace xylem {
namespace {

TEST(LabelJson, HasTheNameAndTheIdentifierIfThereIsOne) {
  const Tagger tagger = test::text_tagger();
  EXPECT_EQ(label_members(tagger, 0), R"("label":"bank","id":"u:1")");
  EXPECT_EQ(label_members(tagger, 2), R"("label":"boat")");
}

TEST(LabelJson, HasTheNumberThatTheDataHadIfThereIsNoName) {
  EXPECT_EQ(label_members(test::row_tagger(), 0), R"("label":1)");
}

TEST(LabelJson, ListsTheLabelsOfARowWithTheirScores) {
  TopLabels top;
  top.end_row();
  top.push_back(2, 0.5f);
  top.push_back(1, 0.1f);
  top.end_row();
  std::string text = ">";
  append_labels_json(test::text_tagger(), top, 0, "score", text);
  append_labels_json(test::text_tagger(), top, 1, "cosine", text);
  EXPECT_EQ(text, R"(>[][{"label":"boat","cosine":0.5},{"label":"bank","id":"u:2","cosine":0.1}])");
}

}  // namespace
}  // namespace xylem
