// SPDX-License-Identifier: Apache-2.0
#include "data/line_blocks.h"

#include <vector>

#include "test_files.h"

namespace xylem {
namespace {

std::vector<std::string> blocks_of(const std::string& path, std::size_t block_bytes) {
  LineBlocks lines(path, block_bytes);
  std::vector<std::string> blocks;
  std::string block;
  while (lines.next(block)) blocks.push_back(block);
  return blocks;
}

using LineBlocksTest = TestFiles;
using Blocks = std::vector<std::string>;

TEST_F(LineBlocksTest, CutsAtLineEnds) {
  EXPECT_EQ(blocks_of(write("ab\ncd\nef\n"), 7), (Blocks{"ab\ncd\n", "ef\n"}));
  EXPECT_EQ(blocks_of(write("ab\ncd\nef\n"), 9), (Blocks{"ab\ncd\nef\n"}));
  EXPECT_EQ(blocks_of(write("ab\ncd\nef\n"), 100), (Blocks{"ab\ncd\nef\n"}));
}

TEST_F(LineBlocksTest, GrowsForALongLine) {
  const std::string line(1000, 'x');
  EXPECT_EQ(blocks_of(write("a\n" + line + "\nb\n"), 4), (Blocks{"a\n", line + "\nb\n"}));
}

TEST_F(LineBlocksTest, BeginsWithSmallBlocks) {
  std::string text;
  while (text.size() < 2'000'000) text += "0123456789\n";
  const Blocks blocks = blocks_of(write(text), 1'000'000);
  ASSERT_EQ(blocks.size(), 4U);
  std::string joined;
  for (const std::string& block : blocks) joined += block;
  EXPECT_EQ(joined, text);
  EXPECT_LE(blocks[0].size(), 65'536U);
  EXPECT_LE(blocks[1].size(), 262'144U);
  EXPECT_GT(blocks[2].size(), 999'900U);
}

TEST_F(LineBlocksTest, AddsTheLastNewline) {
  EXPECT_EQ(blocks_of(write("a\nb"), 100), (Blocks{"a\nb\n"}));
  EXPECT_EQ(blocks_of(write("abc\nd"), 4), (Blocks{"abc\n", "d\n"}));
}

TEST_F(LineBlocksTest, GivesTheSameLinesWhateverTheSize) {
  std::string text;
  for (int i = 0; i < 100; ++i) text += std::string(static_cast<std::size_t>(i * 37 % 23), 'x') + '\n';
  for (std::size_t size = 1; size < 60; ++size) {
    std::string joined;
    for (const std::string& block : blocks_of(write(text), size)) joined += block;
    EXPECT_EQ(joined, text);
  }
}

TEST_F(LineBlocksTest, SkipsTheByteOrderMark) {
  EXPECT_EQ(blocks_of(write("\xef\xbb\xbf"
                            "a\n"),
                      100),
            (Blocks{"a\n"}));
  EXPECT_EQ(blocks_of(write("\xef\xbb"
                            "a\n"),
                      100),
            (Blocks{"\xef\xbb"
                    "a\n"}));
  EXPECT_EQ(blocks_of(write("\xef\xbb\xbf"), 100), Blocks{});
}

TEST_F(LineBlocksTest, FindsNothingInAnEmptyFile) {
  EXPECT_EQ(blocks_of(write(""), 100), Blocks{});
}

TEST_F(LineBlocksTest, ShowsTheFirstLinesAndGivesThemAgain) {
  LineBlocks lines(write("ab\ncd\nef\n"), 7);
  EXPECT_EQ(lines.first_lines(), "ab\ncd\n");
  EXPECT_EQ(lines.first_lines(), "ab\ncd\n");
  std::string block;
  EXPECT_TRUE(lines.next(block));
  EXPECT_EQ(block, "ab\ncd\n");
  EXPECT_TRUE(lines.next(block));
  EXPECT_EQ(block, "ef\n");
  EXPECT_FALSE(lines.next(block));
  EXPECT_EQ(LineBlocks(write(""), 7).first_lines(), "");
}

TEST_F(LineBlocksTest, RefusesALineThatTakesTooMuchMemory) {
  const std::string file = write(std::string(5000, 'x'));
  LineBlocks lines(file, 100, 2000);
  std::string block;
  EXPECT_EQ(error_of(ErrorKind::kMemory, [&] { lines.next(block); }),
            "data.txt: a line of more than 1.6 KB needs more memory than the 2.0 KB allowed");
}

}  // namespace
}  // namespace xylem
