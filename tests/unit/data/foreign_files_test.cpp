// SPDX-License-Identifier: Apache-2.0
#include "data/foreign_files.h"

#include <gtest/gtest.h>

namespace xylem {
namespace {

using namespace std::string_view_literals;

TEST(ForeignFileProblem, NamesWideEncodingsWithoutAByteOrderMark) {
  const std::string ascii = "labels,text\nsail,hoist it\n";
  for (const auto& [encoding, unit, place] :
       {std::tuple{"UTF-16LE", 2, 0}, {"UTF-16BE", 2, 1}, {"UTF-32LE", 4, 0}, {"UTF-32BE", 4, 3}}) {
    std::string bytes;
    for (const char c : ascii) {
      std::string character(static_cast<std::size_t>(unit), '\0');
      character[static_cast<std::size_t>(place)] = c;
      bytes += character;
    }
    EXPECT_NE(foreign_file_problem(bytes).find(std::string("iconv -f ") + encoding + " "), std::string::npos);
  }
}

TEST(ForeignFileProblem, HasNothingAgainstTexts) {
  for (const std::string_view bytes : {""sv, "PK a word"sv, "a\tb\0c\n"sv, "PAR1 is a word\n"sv, "BZh\n"sv, "7z\n"sv,
                                       "K\xc3\xbc"
                                       "che\tBrot\n"sv}) {
    EXPECT_EQ(foreign_file_problem(bytes), "") << bytes;
  }
}

TEST(LineEndProblem, IsACarriageReturnAlone) {
  EXPECT_NE(line_end_problem("a\tb\rc\td\r"), "");
  EXPECT_NE(line_end_problem("a\tb\rc\td\n"), "");
  EXPECT_EQ(line_end_problem("a\tb\n"), "");
  EXPECT_EQ(line_end_problem("a\tb\r\nc\td\r\n"), "");
  EXPECT_EQ(line_end_problem("a\tb\rc\nd\te\n"), "");
}

}  // namespace
}  // namespace xylem
