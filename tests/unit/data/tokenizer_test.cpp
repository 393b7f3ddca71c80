// SPDX-License-Identifier: Apache-2.0
#include "data/tokenizer.h"

#include <gtest/gtest.h>

#include "core/random.h"
#include "model_surgery.h"

namespace xylem {
namespace {

using List = std::vector<std::string>;

List words_of(std::string_view text, const std::string& stem = "") {
  Tokenizer tokenizer(stem);
  const Words& words = tokenizer.split(text);
  List result;
  for (std::size_t i = 0; i < words.size(); ++i) result.emplace_back(words[i]);
  return result;
}

TEST(Tokenizer, LowersAndSplitsAscii) {
  EXPECT_EQ(words_of("The Quick-brown fox's 2nd\tjump!\n"), (List{"the", "quick", "brown", "fox", "s", "2nd", "jump"}));
  EXPECT_EQ(words_of("0.1_a@[`{~"), (List{"0", "1", "a"}));
}

TEST(Tokenizer, FindsNothingInNothing) {
  EXPECT_EQ(words_of(""), List{});
  EXPECT_EQ(words_of(" \n.,-"), List{});
  EXPECT_EQ(words_of(std::string_view("\0", 1)), List{});
}

TEST(Tokenizer, LowersBeyondAscii) {
  EXPECT_EQ(words_of("ÄRGER Straße ÉTÉ"), (List{"ärger", "straße", "été"}));
  EXPECT_EQ(words_of("ΑΘΉΝΑ Москва́х"), (List{"αθήνα", "москва́х"}));
  EXPECT_EQ(words_of("Ⱥb İx"), (List{"ⱥb", "ix"}));  // one grows, one shrinks
}

TEST(Tokenizer, SplitsAtSymbolsBeyondAscii) {
  EXPECT_EQ(words_of("a—b„c“d…e\u00a0f€g\u200bh"), (List{"a", "b", "c", "d", "e", "f", "g", "h"}));
  EXPECT_EQ(words_of("x²+Ⅷ ½"), (List{"x²", "ⅷ", "½"}));
  EXPECT_EQ(words_of("٣٤ مرحبا بالعالم"), (List{"٣٤", "مرحبا", "بالعالم"}));
  EXPECT_EQ(words_of("😀ok😀"), List{"ok"});
}

TEST(Tokenizer, TakesComposedAndDecomposedForTheSame) {
  const List composed = words_of("\u00e9tude \u212b \ud55c\uad6d \u304c");
  EXPECT_EQ(composed, (List{"étude", "å", "한국", "が"}));
  EXPECT_EQ(words_of("e\u0301tude A\u030a \u1112\u1161\u11ab\u1100\u116e\u11a8 \u304b\u3099"), composed);
  EXPECT_EQ(words_of("E\u0301tude"), List{"étude"});
  EXPECT_EQ(words_of("a\u0323\u0307"), words_of("a\u0307\u0323"));  // the order of marks above and below is free
  EXPECT_EQ(words_of("a=\u0338b"), (List{"a", "b"}));               // "not equal"
}

TEST(Tokenizer, KeepsMarksInsideWords) {
  EXPECT_EQ(words_of("हिन्दी भाषा"), (List{"हिन्दी", "भाषा"}));
  EXPECT_EQ(words_of("\u0301x"), List{"\u0301x"});
}

TEST(Tokenizer, GivesCharactersOfScriptsWithoutBlanksOneByOne) {
  EXPECT_EQ(words_of("東京Tower2へ、カー。"), (List{"東", "京", "tower2", "へ", "カ", "ー"}));
  EXPECT_EQ(words_of("𠀀𠀁é字é"), (List{"𠀀", "𠀁", "é", "字", "é"}));
  EXPECT_EQ(words_of("葛\U000e0100飾"), (List{"葛\U000e0100", "飾"}));  // with a variation selector
  EXPECT_EQ(words_of("한국어 말"), (List{"한국어", "말"}));
}

TEST(Tokenizer, TakesBadBytesForSeparators) {
  EXPECT_EQ(words_of("a\xff"
                     "b\xc3"),
            (List{"a", "b"}));
  EXPECT_EQ(words_of("a\xed\xa0\x80z"), (List{"a", "z"}));                    // a surrogate
  EXPECT_EQ(words_of("a\xc0\xafz\xf4\x90\x80\x80y"), (List{"a", "z", "y"}));  // too long, too large
  EXPECT_EQ(words_of("e\u0301\xff"
                     "e\u0301\xe2\x82"),
            (List{"é", "é"}));
}

TEST(Tokenizer, CutsLongWordsAtACharacter) {
  EXPECT_EQ(words_of(std::string(64, 'a') + " b"), (List{std::string(64, 'a'), "b"}));
  EXPECT_EQ(words_of(std::string(100'000, 'A') + " b"), (List{std::string(64, 'a'), "b"}));
  std::string accents = "x", kept = "x";
  for (int i = 0; i < 50; ++i) accents += "é";
  for (int i = 0; i < 31; ++i) kept += "é";
  EXPECT_EQ(words_of(accents + " b"), (List{kept, "b"}));
}

TEST(Tokenizer, StemsWhereAsked) {
  EXPECT_EQ(words_of("Running runs 東京", "english"), (List{"run", "run", "東", "京"}));
  EXPECT_EQ(words_of("Häuser", "german"), List{"haus"});
}

TEST(Tokenizer, NamesTheLanguagesItCanStem) {
  try {
    Tokenizer tokenizer("klingon");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kUsage);
    EXPECT_NE(std::string(error.what()).find("german"), std::string::npos) << error.what();
  }
}

TEST(Tokenizer, SurvivesRandomBytes) {
  Tokenizer tokenizer("english");
  const std::string_view pieces[] = {"a", "Z", " ", "\xcc\x81", "\xe6\x9d\xb1", "\xc8\xba", "\xff", "\xe2", "\x80"};
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    Random random(seed, {});
    std::string text;
    for (std::size_t i = random.below(60); i > 0; --i) {
      if (random.below(2) == 0) {
        text.append(pieces[random.below(std::size(pieces))]);
      } else {
        text.push_back(static_cast<char>(random.below(256)));
      }
    }
    const std::vector<char> exact(text.begin(), text.end());  // so that the sanitizer sees reading behind the end
    const Words& words = tokenizer.split({exact.data(), exact.size()});
    for (std::size_t i = 0; i < words.size(); ++i) {
      ASSERT_GT(words[i].size(), 0u);
      ASSERT_LE(words[i].size(), Tokenizer::kMaxWordBytes + 8);
    }
  }
}

}  // namespace
}  // namespace xylem
