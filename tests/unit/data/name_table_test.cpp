// SPDX-License-Identifier: Apache-2.0
#include "data/name_table.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "core/random.h"

namespace xylem {
namespace {

TEST(NameTable, AgreesWithAMap) {
  NameTable table;
  std::map<std::string, std::uint32_t> twin;
  Random random(1, {});
  for (int i = 0; i < 20'000; ++i) {
    const std::string name = std::to_string(random.below(5000));
    const auto number = twin.emplace(name, static_cast<std::uint32_t>(twin.size())).first->second;
    ASSERT_EQ(table.find(name).has_value(), number < table.names().size());
    ASSERT_EQ(table.number(name), number);
    ASSERT_EQ(table.find(name), number);
  }
  ASSERT_EQ(table.names().size(), twin.size());
  for (const auto& [name, number] : twin) EXPECT_EQ(table.names()[number], name);
}

TEST(NameTable, StartsAgainWhenCleared) {
  NameTable table;
  EXPECT_EQ(table.number("a"), 0U);
  EXPECT_EQ(table.number(""), 1U);
  table.clear();
  EXPECT_FALSE(table.find("a"));
  EXPECT_EQ(table.number("b"), 0U);
  EXPECT_EQ(table.number("a"), 1U);
  EXPECT_EQ(table.take_names().bytes, "ba");
  EXPECT_EQ(table.names().size(), 0U);
  EXPECT_EQ(table.number("a"), 0U);
}

}  // namespace
}  // namespace xylem
