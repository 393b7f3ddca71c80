// SPDX-License-Identifier: Apache-2.0
#include "data/label_finder.h"

#include <gtest/gtest.h>

#include "test_files.h"

namespace xylem {
namespace {

TEST(LabelFinder, FindsByIdentifierThenByName) {
  const TextList names = list({"a", "b", "a", "c"}), ids = list({"u0", "u1", "u2", ""});
  const LabelFinder finder(names, ids, 4, std::nullopt);
  EXPECT_EQ(finder.find({"a", "u2"}), 2U);
  EXPECT_EQ(finder.find({"renamed", "u1"}), 1U);
  EXPECT_EQ(finder.find({"a", ""}), 0U);
  EXPECT_EQ(finder.find({"u2", ""}), 2U);
  EXPECT_EQ(finder.find({"c", "u9"}), 3U);
  EXPECT_EQ(finder.find({"b", "u9"}), kNoLabel) << "another label of that name";
  EXPECT_EQ(finder.find({"", ""}), kNoLabel);
  EXPECT_EQ(finder.find({"0", ""}), kNoLabel);
  EXPECT_EQ(finder.called("a").size(), 2U);
  EXPECT_EQ(finder.called("u2").size(), 1U);
  EXPECT_TRUE(finder.called("").empty());
}

TEST(LabelFinder, TakesNumbersWhereTheyStandForLabels) {
  const TextList names = list({"2", "b"}), none;
  const LabelFinder finder(names, none, 2, 1);
  EXPECT_EQ(finder.find({"2", ""}), 0U);
  EXPECT_EQ(finder.find_in_data({"2", ""}), 1U);
  EXPECT_EQ(finder.find({"1", ""}), 0U);
  EXPECT_EQ(finder.find({"3", ""}), kNoLabel);
  EXPECT_EQ(finder.find({"b", "u1"}), 1U);
  EXPECT_EQ(LabelFinder(none, none, 2, 0).find({"1", ""}), 1U);
}

}  // namespace
}  // namespace xylem
