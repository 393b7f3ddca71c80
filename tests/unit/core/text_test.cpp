// SPDX-License-Identifier: Apache-2.0
#include "core/text.h"

#include <gtest/gtest.h>

namespace xylem {
namespace {

using Parts = std::vector<std::string_view>;

TEST(NearestNameHint, NamesTheCandidateWithTheFewestEdits) {
  const std::vector<std::string> names{"parabel", "popular", "linear"};
  EXPECT_EQ(nearest_name_hint("parbel", names), " (did you mean 'parabel'?)");
  EXPECT_EQ(nearest_name_hint("popualr", names), " (did you mean 'popular'?)");
  EXPECT_EQ(nearest_name_hint("linear", names), " (did you mean 'linear'?)");
}

TEST(NearestNameHint, NamesTheFirstOfEquallyNear) {
  EXPECT_EQ(nearest_name_hint("P@2", std::vector<std::string>{"P@1", "P@3"}), " (did you mean 'P@1'?)");
}

TEST(NearestNameHint, SaysNothingWhereNoneIsNear) {
  EXPECT_EQ(nearest_name_hint("zzzzzzz", std::vector<std::string>{"parabel", "popular"}), "");
  EXPECT_EQ(nearest_name_hint("x", std::vector<std::string>{}), "");
  EXPECT_EQ(nearest_name_hint("", std::vector<std::string>{"parabel"}), "");
}

TEST(Quoted, LeavesPlainTextAlone) {
  EXPECT_EQ(quote("a b:1"), "'a b:1'");
  EXPECT_EQ(quote(""), "''");
}

TEST(Quoted, WritesBytesThatDoNotPrintAsHex) {
  EXPECT_EQ(quote("a\tb\x7f\xc3\xa4"), "'a\\x09b\\x7f\\xc3\\xa4'");
  EXPECT_EQ(quote(std::string_view("\0", 1)), "'\\x00'");
}

TEST(Quoted, CutsLongText) {
  EXPECT_EQ(quote(std::string_view(std::string(40, 'x'))), "'" + std::string(40, 'x') + "'");
  EXPECT_EQ(quote(std::string_view(std::string(41, 'x'))), "'" + std::string(40, 'x') + "...'");
}

TEST(QuotedName, KeepsLettersAndDisarmsTheRest) {
  EXPECT_EQ(quote_name("Käse 中"), "'Käse 中'");
  EXPECT_EQ(quote_name("a\x1b[2J\x7f\u009bb"), "'a\\x1b[2J\\x7f\\x9bb'");
  EXPECT_EQ(quote_name(std::string(40, 'x')), "'" + std::string(40, 'x') + "'");
  EXPECT_EQ(quote_name(std::string(39, 'x') + "äb"), "'" + std::string(39, 'x') + "ä...'");
}

TEST(FormatBytes, ChoosesTheUnit) {
  EXPECT_EQ(format_bytes(0), "0 bytes");
  EXPECT_EQ(format_bytes(999), "999 bytes");
  EXPECT_EQ(format_bytes(1000), "1.0 KB");
  EXPECT_EQ(format_bytes(1'500'000'000), "1.5 GB");
  EXPECT_EQ(format_bytes(2'000'000'000'000), "2.0 TB");
}

TEST(FormatBytes, RoundsIntoTheNextUnit) {
  EXPECT_EQ(format_bytes(999'949), "999.9 KB");
  EXPECT_EQ(format_bytes(999'999), "1.0 MB");
  EXPECT_EQ(format_bytes(999'999'999), "1.0 GB");
}

TEST(ParseBytes, ReadsSizes) {
  EXPECT_EQ(parse_bytes("0"), 0U);
  EXPECT_EQ(parse_bytes("123"), 123U);
  EXPECT_EQ(parse_bytes("5B"), 5U);
  EXPECT_EQ(parse_bytes("1500M"), 1'500'000'000U);
  EXPECT_EQ(parse_bytes("2G"), 2'000'000'000U);
  EXPECT_EQ(parse_bytes("1.5GB"), 1'500'000'000U);
  EXPECT_EQ(parse_bytes("3K"), 3000U);
  EXPECT_EQ(parse_bytes("1T"), 1'000'000'000'000U);
}

TEST(ParseBytes, RefusesWhatIsNoSize) {
  for (const char* text : {"", "B", "G", "GB", "-1", "1X", "1 G", "G1", "nan", "1GG", "99999999T", "1BB"}) {
    EXPECT_FALSE(parse_bytes(text)) << text;
  }
}

TEST(Split, KeepsEmptyParts) {
  EXPECT_EQ(split("a,b", ','), (Parts{"a", "b"}));
  EXPECT_EQ(split("a,,b", ','), (Parts{"a", "", "b"}));
  EXPECT_EQ(split(",a,", ','), (Parts{"", "a", ""}));
  EXPECT_EQ(split(",", ','), (Parts{"", ""}));
  EXPECT_EQ(split("a", ','), (Parts{"a"}));
  EXPECT_EQ(split("", ','), Parts{});
}

}  // namespace
}  // namespace xylem
