// SPDX-License-Identifier: Apache-2.0
#include "tagger/label_lists.h"

#include <gtest/gtest.h>

#include <initializer_list>
#include <string>

#include "text_tagger.h"
#include "xylem/error.h"

namespace xylem {
namespace {

// The filter as 0 and 1, or why there is none.
std::string filter_text(const Tagger& tagger, std::initializer_list<const char*> lines,
                        Listed listed = Listed::kAllowed) {
  FileLines list{"list", {}};
  for (const char* line : lines) list.lines.push_back(line);
  try {
    std::string bits;
    for (const bool allowed : filter_of(tagger, list, listed)) bits += allowed ? '1' : '0';
    return bits;
  } catch (const Error& error) {
    return error.what();
  }
}

TEST(LabelLists, TakeNamesIdentifiersAndNumbers) {
  const Tagger tagger = test::text_tagger();
  EXPECT_EQ(filter_text(tagger, {"boat"}), "001");
  EXPECT_EQ(filter_text(tagger, {"boat", "", "u:1"}), "101");
  EXPECT_EQ(filter_text(tagger, {"bank"}), "110");  // both labels of this name
  EXPECT_EQ(filter_text(tagger, {"bank"}, Listed::kExcluded), "001");
  EXPECT_EQ(filter_text(test::row_tagger(), {"2"}), "01");
}

TEST(LabelLists, TakeLinesOfVocabularies) {
  const Tagger tagger = test::text_tagger();
  EXPECT_EQ(filter_text(tagger, {"<u:2>"}), "010");
  EXPECT_EQ(filter_text(tagger, {"<u:2>\tbank"}), "010");
  EXPECT_EQ(filter_text(tagger, {"u:9\tboat"}), "001");  // known by its name alone
}

TEST(LabelLists, SayWhichLineIsWrong) {
  const Tagger tagger = test::text_tagger();
  EXPECT_EQ(filter_text(tagger, {"bank", "boot"}), "list:2: the model has no label 'boot' (did you mean 'boat'?)");
  EXPECT_EQ(filter_text(test::row_tagger(), {"3"}),
            "list:1: the model has no label '3', expected a number from 1 to 2");
  EXPECT_EQ(filter_text(tagger, {}), "list leaves no label to give");
  EXPECT_EQ(filter_text(tagger, {"bank", "boat"}, Listed::kExcluded), "list leaves no label to give");
}

TEST(LabelLists, FindALabelOrNameTheOption) {
  const Tagger tagger = test::text_tagger();
  EXPECT_EQ(named_labels(tagger, "--label", "bank"), (std::vector<Label>{0, 1}));
  try {
    named_labels(tagger, "--label", "canoe");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kUsage);
    EXPECT_STREQ(error.what(), "--label: the model has no label 'canoe'");
  }
}

}  // namespace
}  // namespace xylem
