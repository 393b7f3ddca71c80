// SPDX-License-Identifier: Apache-2.0
#include "data/utf8.h"

#include <gtest/gtest.h>

#include "core/random.h"

namespace xylem {
namespace {

std::string replaced(std::string_view text) {
  std::string out;
  replace_bad_utf8(text, out);
  return out;
}

TEST(Utf8, AcceptsEveryCharacter) {
  std::string all;
  for (std::uint32_t code = 0; code < 0x110000; ++code) {
    if (code < 0xd800 || code >= 0xe000) append_utf8(code, all);
  }
  EXPECT_EQ(find_bad_utf8(all).size, 0U);
  EXPECT_EQ(replaced(all), all);
  std::string some;
  for (const std::uint32_t code : {0x41, 0xe4, 0x20ac, 0x1f600}) append_utf8(code, some);
  EXPECT_EQ(some, "Aä€😀");
}

// Decodes by the definition: bits first, then the ranges.
bool is_character(std::string_view bytes) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(bytes[i]); };
  std::uint32_t code = byte(0);
  std::size_t length = 1;
  if (code >= 0x80) {
    length = code >= 0xf0 ? 4 : code >= 0xe0 ? 3 : 2;
    if (code < 0xc0 || code >= 0xf8 || bytes.size() != length) return false;
    code &= 0x7fU >> length;
    for (std::size_t i = 1; i < length; ++i) {
      if ((byte(i) & 0xc0) != 0x80) return false;
      code = code << 6 | (byte(i) & 0x3f);
    }
  }
  if (bytes.size() != length || code >= 0x110000 || (code >= 0xd800 && code < 0xe000)) return false;
  std::string again;
  append_utf8(code, again);
  return again == bytes;  // not overlong
}

TEST(Utf8, AgreesWithItsTwinOnAllShortBytes) {
  Random random(1, {});
  for (std::size_t length = 1; length <= 4; ++length) {
    for (int i = 0; i < 200'000; ++i) {
      std::string bytes;
      for (std::size_t j = 0; j < length; ++j) bytes += static_cast<char>(0x80 + random.below(0x80));
      if (random.below(2) == 0) bytes[0] = static_cast<char>(0xe0 + random.below(0x20));
      bool right = false;
      for (std::size_t cut = 1; cut < length && !right; ++cut) {  // two characters, each of more than a byte
        right = is_character(bytes.substr(0, cut)) && is_character(bytes.substr(cut));
      }
      ASSERT_EQ(find_bad_utf8(bytes).size == 0, right || is_character(bytes)) << testing::PrintToString(bytes);
    }
  }
}

TEST(Utf8, RefusesWhatIsNoCharacter) {
  for (const std::string bad : {"\x80", "\xc0\x80", "\xc1\xbf", "\xe0\x9f\xbf", "\xed\xa0\x80", "\xf0\x8f\xbf\xbf",
                                "\xf4\x90\x80\x80", "\xf5", "\xff", "\xe2\x82", "\xf0\x9f\x98"}) {
    for (const std::size_t before : {0, 1, 7, 8, 100}) {
      const BadUtf8 found = find_bad_utf8(std::string(before, 'a') + bad + "b");
      EXPECT_EQ(found.begin, before);
      EXPECT_GT(found.size, 0U);
    }
  }
}

TEST(Utf8, ReplacesPieceByPieceAsUnicodeRecommends) {
  // The example of the Unicode standard, section 3.9.
  EXPECT_EQ(replaced("a\xF1\x80\x80\xE1\x80\xC2\x62\x80\x63\x80\xBF\x64"), "a\uFFFD\uFFFD\uFFFDb\uFFFDc\uFFFD\uFFFDd");
  EXPECT_EQ(replaced("\xed\xa0\x80"), "\uFFFD\uFFFD\uFFFD");
  EXPECT_EQ(replaced("\xe2\x82"), "\uFFFD");
  EXPECT_EQ(replaced(""), "");
}

TEST(Utf8, KnowsPrintableAscii) {
  for (const std::size_t size : {0, 1, 63, 64, 65, 200}) {
    std::string text(size, 'x');
    EXPECT_TRUE(is_plain_ascii(text));
    for (std::size_t i = 0; i < size; ++i) {
      for (const char c : {'\0', '\t', '\x1f', '\x80', '\xff'}) {
        text[i] = c;
        ASSERT_FALSE(is_plain_ascii(text));
      }
      text[i] = 'x';
    }
  }
}

}  // namespace
}  // namespace xylem
