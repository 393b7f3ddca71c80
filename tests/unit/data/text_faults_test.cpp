// SPDX-License-Identifier: Apache-2.0
#include "data/text_faults.h"

#include <gtest/gtest.h>

#include <string>

#include "data/utf8.h"

namespace xylem {
namespace {

TEST(TextFaults, CountReplacementCharacters) {
  EXPECT_EQ(count_replacement_characters(""), 0U);
  EXPECT_EQ(count_replacement_characters("\uFFFD\uFFFDa\uFFFC\uFFFD"), 3U);
}

TEST(TextFaults, FindEveryLetterThatWasEncodedTwice) {
  for (std::uint32_t code = 0xa0; code <= 0xff; ++code) {
    std::string letter, twice;
    append_utf8(code, letter);
    for (const char byte : letter) append_utf8(static_cast<unsigned char>(byte), twice);  // as Latin-1
    EXPECT_TRUE(has_mojibake("x" + twice + "y")) << code;
    EXPECT_FALSE(has_mojibake("x" + letter + "y")) << code;
  }
  for (const char* windows : {"KÃ¤se", "ÃœberfÃ¤lle", "StraÃŸe", "Ã–l", "itâ€™s", "â€œsoâ€", "5Â°"})
    EXPECT_TRUE(has_mojibake(windows)) << windows;
}

TEST(TextFaults, LeaveRightTextAlone) {
  for (const char* right :
       {"", "plain", "Käse, Öl, Straße", "São Paulo, SÃO PAULO", "Âge d'or, âge", "mÃ", "â", "中文 ÿ", "\xc3"})
    EXPECT_FALSE(has_mojibake(right)) << right;
}

}  // namespace
}  // namespace xylem
