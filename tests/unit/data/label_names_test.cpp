// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "test_files.h"
#include "xylem/corpus.h"

namespace xylem {
namespace {

class ReadLabelNames : public TestFiles {
 protected:
  // An asterisk in front where the lines are numbered.
  std::string names(const std::string& bytes) const {
    const LabelNames read = read_label_names(write(bytes));
    const TextList& list = read.names;
    std::string text = read.numbered ? "*" : "";
    for (std::size_t i = 0; i < list.size(); ++i) text.append(list[i]) += '|';
    return text;
  }
  std::string error(const std::string& bytes) const {
    return error_of(ErrorKind::kData, [&] { names(bytes); });
  }
};

TEST_F(ReadLabelNames, StandOneALine) {
  EXPECT_EQ(names("a\nb c\n\nä\n\n\n"), "a|b c||ä|");
  EXPECT_EQ(names("\xef\xbb\xbf"
                  "a\r\nb"),
            "a|b|");
  EXPECT_EQ(names(gzip("1\n2\n")), "1|2|");
}

TEST_F(ReadLabelNames, GoWhereTheirIdsSay) {
  EXPECT_EQ(names("2\tc\n0\ta\tx\n"), "*a\tx||c|");
  EXPECT_EQ(names("2\tb\n1\ta\n"), "*|a|b|");
}

TEST_F(ReadLabelNames, FollowEachOtherWhereKeysAreNoNumbers) {
  EXPECT_EQ(names("gnd:4\tb\n17\ta\n"), "b|a|");
  EXPECT_EQ(names("-1\tb\n\ta\n"), "b|a|");
}

TEST_F(ReadLabelNames, KeepIdentifiersBesideThem) {
  const LabelNames read = read_label_names(write("<u:1>\tb\n\ta\n17\tb\n"));
  ASSERT_EQ(read.ids.size(), 3U);
  EXPECT_EQ(read.ids[0], "u:1");
  EXPECT_EQ(read.ids[1], "");
  EXPECT_EQ(read.ids[2], "17");
  EXPECT_EQ(read_label_names(write("2\tc\n0\ta\n")).ids.size(), 0U);
  EXPECT_EQ(read_label_names(write("\tc\n\ta\n")).ids.size(), 0U);
  EXPECT_EQ(error("u:1\tb\n<u:1>\ta\n"), "data.txt:2: found the identifier 'u:1' twice, expected it once");
}

TEST_F(ReadLabelNames, AreReadBackAsTheyWereWritten) {
  const TextList names = list({"a", "b c", "a"});
  EXPECT_EQ(label_names_text(names, {}), "a\nb c\na\n");
  EXPECT_EQ(label_names_text(names, {}, 0), "0\ta\n1\tb c\n2\ta\n");
  EXPECT_EQ(label_names_text(names, {}, 1), "1\ta\n2\tb c\n3\ta\n");
  for (const TextList& ids : {TextList(), list({"u:1", "", "u:3"}), list({"7", "", "8"})}) {
    for (const std::optional<Label> first : {std::optional<Label>(), std::optional<Label>(0)}) {
      const LabelNames read = read_label_names(write(label_names_text(names, ids, first)));
      EXPECT_EQ(read.names, names);
      EXPECT_EQ(read.ids, ids);
    }
  }
  // Taken for numbers, they would shift the names.
  EXPECT_EQ(label_names_text(names, list({"7", "8", "9"})), "a\nb c\na\n");
  for (const char* bad : {"", "a\tb", "a\nb", "a\rb"}) {
    error_of(ErrorKind::kData, [&] { label_names_text(list({bad}), {}); });
    if (*bad != '\0') error_of(ErrorKind::kData, [&] { label_names_text(list({"a"}), list({bad})); });
  }
}

TEST_F(ReadLabelNames, AreRefusedWithASentence) {
  EXPECT_EQ(error(""), "data.txt:1: found an empty file, expected names of labels");
  EXPECT_EQ(error("\n\n"), "data.txt:1: found an empty file, expected names of labels");
  EXPECT_EQ(error("0\ta\nb\n"), "data.txt:2: found 'b', expected a line with a TAB like those before");
  EXPECT_EQ(error("a\n1\tb\n"), "data.txt:2: found '1\\x09b', expected a line without a TAB like those before");
  EXPECT_EQ(error("0\ta\n0\tb\n"), "data.txt:2: found id 0 twice, expected it once");
  EXPECT_EQ(error("99999999999999999999\ta\n"),
            "data.txt:1: found '99999999999999999999', expected an id from 0 to 16777215");
  EXPECT_EQ(error("a\n\xff\n"), "data.txt:2: found invalid UTF-8 '\\xff', expected UTF-8");
  EXPECT_EQ(error(std::string("a\0\n", 3)), "data.txt:1: found a NUL byte, expected text");
}

}  // namespace
}  // namespace xylem
