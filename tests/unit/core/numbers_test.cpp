// SPDX-License-Identifier: Apache-2.0
#include "core/numbers.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

namespace xylem {
namespace {

TEST(ParseNumber, ReadsWholeNumbers) {
  EXPECT_EQ(parse_number<std::uint32_t>("0"), 0U);
  EXPECT_EQ(parse_number<std::uint32_t>("4294967295"), 4294967295U);
  EXPECT_EQ(parse_number<int>("-17"), -17);
  EXPECT_EQ(parse_number<std::uint32_t>("007"), 7U);
}

TEST(ParseNumber, RefusesWholeNumbersThatDoNotFit) {
  EXPECT_FALSE(parse_number<std::uint32_t>("4294967296"));
  EXPECT_FALSE(parse_number<std::uint32_t>("-1"));
  EXPECT_FALSE(parse_number<std::uint64_t>("18446744073709551616"));
}

TEST(ParseNumber, ReadsFractionsAndExponents) {
  EXPECT_EQ(parse_number<double>("1.5"), 1.5);
  EXPECT_EQ(parse_number<double>("-2e3"), -2000);
  EXPECT_EQ(parse_number<float>("0.1"), 0.1F);
  EXPECT_EQ(parse_number<float>(".5"), 0.5F);
  EXPECT_EQ(parse_number<double>("1E-2"), 0.01);
}

TEST(ParseNumber, RefusesWhatIsNotFinite) {
  for (const char* text : {"nan", "inf", "-inf", "infinity", "NaN", "1e999"}) {
    EXPECT_FALSE(parse_number<double>(text)) << text;
  }
  EXPECT_FALSE(parse_number<float>("1e39"));
}

TEST(ParseNumber, WantsTheWholeTextToBeTheNumber) {
  for (const char* text : {"", " 1", "1 ", "+1", "1x", "x", "-", "1,5", "0x10", "--1"}) {
    EXPECT_FALSE(parse_number<int>(text)) << text;
    EXPECT_FALSE(parse_number<double>(text)) << text;
  }
  EXPECT_FALSE(parse_number<int>("1.5"));
  EXPECT_FALSE(parse_number<double>("1e"));
  EXPECT_FALSE(parse_number<double>(std::string_view("1\0", 2)));
}

TEST(ParseNumber, StopsAtTheEndOfTheView) {
  EXPECT_EQ(parse_number<int>(std::string_view("12345").substr(1, 2)), 23);
  EXPECT_EQ(parse_number<double>(std::string_view("1.2345").substr(0, 3)), 1.2);
}

}  // namespace
}  // namespace xylem
