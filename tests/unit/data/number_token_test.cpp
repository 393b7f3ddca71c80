// SPDX-License-Identifier: Apache-2.0
#include "data/number_token.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "core/random.h"

namespace xylem {
namespace {

// The C library rounds correctly, and slowly.
void expect_exact(const std::string& text) {
  const std::string line = text + "\n";
  const char* p = line.data();
  float value = 0;
  ASSERT_TRUE(read_value(p, line.data() + line.size(), value)) << text;
  EXPECT_EQ(p, line.data() + text.size()) << text;
  const std::string longer = line + "1234567";
  p = longer.data();
  float again = 0;
  ASSERT_TRUE(read_value(p, longer.data() + longer.size(), again)) << text;
  EXPECT_EQ(std::bit_cast<std::uint32_t>(value), std::bit_cast<std::uint32_t>(again)) << text;
  EXPECT_EQ(std::bit_cast<std::uint32_t>(value), std::bit_cast<std::uint32_t>(std::strtof(text.c_str(), nullptr)))
      << text;
}

TEST(ReadValue, RoundsLikeTheCLibrary) {
  for (const char* text : {"0", "-0", "1", "0.1", "5.", ".5", "16777217", "16777219", "33554433.0", "1e-45", "7e-46",
                           "3.4028235e38", "0.000000000000001", "999999999999999", "1234567890123456789012345",
                           "-1.5E+3", "2.00000011920928955078125", "0.1000000014901161193847656250001", "1e-999"}) {
    expect_exact(text);
  }
  Random random(1, {0});
  for (int i = 0; i < 200'000; ++i) {
    std::string text = std::to_string(random.bits() >> random.below(64));
    if (text.size() > 1) text.insert(text.end() - static_cast<std::ptrdiff_t>(random.below(text.size())), '.');
    expect_exact(text);
  }
}

TEST(ReadValue, IsExactNextToTheBordersBetweenFloats) {
  Random random(2, {0});
  for (int i = 0; i < 100'000; ++i) {
    // 25 significant bits ending in 1: exactly between two floats. Then one more digit to either side.
    const std::uint64_t odd = (std::uint64_t{1} << 24) + 2 * random.below(std::uint64_t{1} << 23) + 1;
    expect_exact(std::to_string(odd));
    expect_exact(std::to_string(odd) + ".000001");
    expect_exact(std::to_string(odd - 1) + ".999999");
    expect_exact(std::to_string(odd / 2) + ".5");
    expect_exact(std::to_string(odd / 4) + (odd & 2 ? ".75" : ".25"));
  }
}

TEST(ReadValue, RefusesWhatIsNoFiniteNumber) {
  for (const std::string text :
       {"", "-", ".", "nan", "inf", "-inf", "1e999", "-1e999", "3.5e38", "x", "+1", " 1", "e5"}) {
    const std::string line = text + "\n";
    const char* p = line.data();
    float value = 0;
    EXPECT_FALSE(read_value(p, line.data() + line.size(), value)) << text;
  }
}

TEST(ReadId, KnowsNothingSmallAndHuge) {
  // Once at the end of the text, once with more behind it.
  const auto id_of = [](const std::string& text) {
    const std::string longer = text + "        ";
    const char* p = text.data();
    const std::uint64_t id = read_id(p, text.data() + text.size());
    const char* q = longer.data();
    EXPECT_EQ(read_id(q, longer.data() + longer.size()), id);
    EXPECT_EQ(p - text.data(), q - longer.data());
    return id;
  };
  EXPECT_EQ(id_of("x"), kNoId);
  EXPECT_EQ(id_of("-1\n"), kNoId);
  EXPECT_EQ(id_of("0\n"), 0U);
  EXPECT_EQ(id_of("007:"), 7U);
  EXPECT_EQ(id_of("1234567:"), 1234567U);
  EXPECT_EQ(id_of("12345678:"), 12345678U);
  EXPECT_EQ(id_of("123456789:"), 123456789U);
  EXPECT_EQ(id_of("12/:34"), 12U);
  EXPECT_EQ(id_of("12\xb0 "), 12U);
  EXPECT_EQ(id_of("4294967296:"), 4294967296U);
  EXPECT_EQ(id_of("9999999999999999999 "), 9999999999999999999U);
  EXPECT_EQ(id_of("18446744073709551616 "), kHugeId);
}

}  // namespace
}  // namespace xylem
