// SPDX-License-Identifier: Apache-2.0
#include "data/label_table.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "core/random.h"

namespace xylem {
namespace {

std::string key(std::string name, std::string_view id) {
  add_label_id(id, name);
  return name;
}

// "name(identifier) name" in the order of the labels.
std::string text_of(const LabelTable& table) {
  const TextList names = table.names(), ids = table.ids();
  std::string text;
  for (std::size_t i = 0; i < table.size(); ++i) {
    text += std::string(names[i]);
    if (ids.size() > 0 && !ids[i].empty()) text += "(" + std::string(ids[i]) + ")";
    text += ' ';
  }
  return text;
}

TEST(LabelTable, NumbersNamesAsTheyCome) {
  LabelTable table;
  EXPECT_EQ(table.number("b"), 0U);
  EXPECT_EQ(table.number("a"), 1U);
  EXPECT_EQ(table.number("b"), 0U);
  EXPECT_EQ(text_of(table), "b a ");
  EXPECT_EQ(table.ids().size(), 0U);
}

TEST(LabelTable, TellsLabelsOfOneNameApartByIdentifier) {
  LabelTable table;
  EXPECT_EQ(table.number(key("a", "u1")), 0U);
  EXPECT_EQ(table.number(key("a", "u2")), 1U);
  EXPECT_EQ(table.number(key("other", "u1")), 0U);
  EXPECT_EQ(table.number("a"), 0U);
  EXPECT_EQ(table.number("u2"), 1U);
  EXPECT_EQ(text_of(table), "a(u1) a(u2) ");
}

TEST(LabelTable, GivesAnIdentifierToALabelThatCameWithout) {
  LabelTable table;
  EXPECT_EQ(table.number("a"), 0U);
  EXPECT_EQ(table.number("u2"), 1U);
  EXPECT_EQ(table.number(key("a", "u1")), 0U);
  EXPECT_EQ(table.number(key("b", "u2")), 1U);
  EXPECT_EQ(table.number("b"), 1U);
  EXPECT_EQ(text_of(table), "a(u1) b(u2) ");
}

// Readers look every key up once per piece of a file, in whatever pieces they cut it: what a key stands for must not
// depend on how often it came before.
TEST(LabelTable, AlwaysTakesAKeyForTheSameLabel) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    Random random(seed, {});
    LabelTable table, once;
    std::map<std::string, Label> first;
    for (int i = 0; i < 40; ++i) {
      const auto letter = [&] { return std::string(1, static_cast<char>('a' + random.below(5))); };
      const std::string text = random.below(2) == 0 ? letter() : key(letter(), letter());
      const Label label = table.number(text);
      ASSERT_EQ(first.emplace(text, label).first->second, label) << seed;
    }
    Random again(seed, {});
    std::map<std::string, bool> seen;
    for (int i = 0; i < 40; ++i) {
      const auto letter = [&] { return std::string(1, static_cast<char>('a' + again.below(5))); };
      const std::string text = again.below(2) == 0 ? letter() : key(letter(), letter());
      if (seen.emplace(text, true).second) {
        ASSERT_EQ(once.number(text), first[text]) << seed;
      }
    }
    ASSERT_EQ(text_of(once), text_of(table)) << seed;
  }
}

}  // namespace
}  // namespace xylem
