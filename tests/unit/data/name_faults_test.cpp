// SPDX-License-Identifier: Apache-2.0
#include "data/name_faults.h"

#include <gtest/gtest.h>

#include <initializer_list>

namespace xylem {
namespace {

using Strings = std::vector<std::string>;

NameFaults faults_of(std::initializer_list<std::string_view> names, char separator = ',') {
  TextList list;
  for (const std::string_view name : names) list.push_back(name);
  return find_name_faults(list, separator);
}

TEST(NameFaults, AreNoneInUsualNames) {
  const NameFaults faults = faults_of({"cooking", "chess clocks", "Straße", "C++"});
  EXPECT_TRUE(faults.separators.empty());
  EXPECT_EQ(faults.blank.count + faults.alike.count, 0U);
}

TEST(NameFaults, AreSeparatorsInNames) {
  const NameFaults faults = faults_of({"a,b", "c;d", "e, f; g", "x/y", "t\tu"}, '/');
  ASSERT_EQ(faults.separators.size(), 4U);
  EXPECT_EQ(faults.separators[0].separator, ',');
  EXPECT_EQ(faults.separators[0].names.examples, (Strings{"a,b", "e, f; g"}));
  EXPECT_EQ(faults.separators[1].names.examples, (Strings{"c;d", "e, f; g"}));
  EXPECT_EQ(faults.separators[2].separator, '\t');
  EXPECT_EQ(faults.separators[3].names.examples, Strings{"x/y"});
}

TEST(NameFaults, AreBlankNames) {
  EXPECT_EQ(faults_of({"", "a", " \t"}).blank.count, 2U);
}

TEST(NameFaults, AreNamesThatOneTakesForEachOther) {
  const NameFaults faults = faults_of({"Müller", "müller ", "other", "\tMÜLLER", "MU\u0308LLER", "STRASSE", "Straße"});
  EXPECT_EQ(faults.alike.count, 4U);
  EXPECT_EQ(faults.alike.examples, (Strings{"müller ", "\tMÜLLER", "MU\u0308LLER", "Straße"}));
  EXPECT_EQ(faults.alike_to, (Strings{"Müller", "Müller", "Müller", "STRASSE"}));
}

TEST(NameFaults, ShowTheFirstTen) {
  TextList names;
  for (int i = 0; i < 30; ++i) names.push_back(std::string(static_cast<std::size_t>(i), ' ') + "x");
  const NameFaults faults = find_name_faults(names, ',');
  EXPECT_EQ(faults.alike.count, 29U);
  EXPECT_EQ(faults.alike.examples.size(), 10U);
  EXPECT_EQ(faults.alike_to.size(), 10U);
}

}  // namespace
}  // namespace xylem
