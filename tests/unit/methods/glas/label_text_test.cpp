// SPDX-License-Identifier: Apache-2.0
#include "methods/glas/label_text.h"

#include <gtest/gtest.h>

namespace xylem::glas {
namespace {

TextList some_names() {
  TextList names;
  for (const char* name : {"Domestic trade", "foreign Trade, trade policy", "fish", "--"}) names.push_back(name);
  return names;
}

TEST(LabelWords, AreTheSharesOfWordsInNames) {
  const std::vector<Label> labels{0, 1, 3};
  const LabelWords words(some_names(), labels);
  EXPECT_EQ(words.n_words(), 4u);  // domestic, trade, foreign, policy: fish is of another label
  ASSERT_EQ(words.rows().size(), 3u);
  const SparseRow second = words.rows()[1];
  ASSERT_EQ(second.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_FLOAT_EQ(second.values[i], words.words()[second.ids[i]] == "trade" ? 0.5f : 0.25f);
  }
  EXPECT_EQ(words.rows()[2].size(), 0u);
}

TEST(NameReader, ReadsNamesByKnownWords) {
  const std::vector<Label> labels{0, 1};
  const LabelWords words(some_names(), labels);
  NameReader reader(words.words());
  const SparseRow known = reader.row("TRADE of foreign fish");
  ASSERT_EQ(known.size(), 2u);
  EXPECT_FLOAT_EQ(known.values[0], 0.5f);
  EXPECT_EQ(reader.row("fish").size(), 0u);
  EXPECT_EQ(reader.row("fish").size(), 0u);  // it learns nothing from being asked
}

}  // namespace
}  // namespace xylem::glas
