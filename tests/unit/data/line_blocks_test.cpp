// SPDX-License-Identifier: Apache-2.0
#include "data/line_blocks.h"

#include <unistd.h>

#include <limits>
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
  LineBlocks lines(write("ab\ncd\nef"), 7);
  EXPECT_EQ(lines.first_lines(), "ab\ncd\nef\n");
  EXPECT_EQ(lines.first_lines(), "ab\ncd\nef\n");
  std::string block;
  EXPECT_TRUE(lines.next(block));
  EXPECT_EQ(block, "ab\ncd\n");
  EXPECT_TRUE(lines.next(block));
  EXPECT_EQ(block, "ef\n");
  EXPECT_FALSE(lines.next(block));
  EXPECT_EQ(LineBlocks(write(""), 7).first_lines(), "");
}

TEST_F(LineBlocksTest, ShowsAFewOfManyLinesOrALongOne) {
  std::string text;
  while (text.size() < 200'000) text += "0123456789\n";
  LineBlocks many(write(text), 1000);
  EXPECT_GT(many.first_lines().size(), 65'000U);
  EXPECT_LE(many.first_lines().size(), 65'536U);
  std::string joined, block;
  while (many.next(block)) joined += block;
  EXPECT_EQ(joined, text);
  const std::string line(200'000, 'x');
  LineBlocks one(write(line + "\nb\n"), 16);
  EXPECT_EQ(one.first_lines().substr(0, line.size() + 1), line + "\n");
  EXPECT_TRUE(one.next(block));
  EXPECT_EQ(block.substr(0, line.size()), line);
}

TEST_F(LineBlocksTest, RefusesALineThatTakesTooMuchMemory) {
  const std::string file = write(std::string(5000, 'x'));
  LineBlocks lines(file, 100, 2000);
  std::string block;
  EXPECT_EQ(error_of(ErrorKind::kMemory, [&] { lines.next(block); }),
            "data.txt: a line of more than 1.6 KB needs more memory than the 2.0 KB allowed");
}

// A pipe that a test writes into as it likes.
class Pipe {
 public:
  Pipe() { EXPECT_EQ(::pipe(ends_), 0); }
  ~Pipe() { close(); }
  LineBlocks lines(std::size_t block_bytes, Waiting waiting) const {
    return LineBlocks(ByteSource(FileHandle(::dup(ends_[0])), "pipe"), block_bytes,
                      std::numeric_limits<std::size_t>::max(), waiting);
  }
  void write(std::string_view bytes) const {
    EXPECT_EQ(::write(ends_[1], bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
  }
  void close() {
    for (int& end : ends_) {
      if (end >= 0) ::close(end);
      end = -1;
    }
  }
  void end_writing() {
    ::close(ends_[1]);
    ends_[1] = -1;
  }

 private:
  int ends_[2] = {-1, -1};
};

TEST(LineBlocksOfAPipe, GiveALineAsSoonAsItIsThere) {
  Pipe pipe;
  pipe.write("a\n");
  LineBlocks lines = pipe.lines(1000, Waiting::kForALine);
  std::string block;
  ASSERT_TRUE(lines.next(block));
  EXPECT_EQ(block, "a\n");
  pipe.write("b\nc\nhalf a li");
  lines.prefetch();  // does not wait for the rest
  ASSERT_TRUE(lines.next(block));
  EXPECT_EQ(block, "b\nc\n");
  pipe.write("ne\nd");
  ASSERT_TRUE(lines.next(block));
  EXPECT_EQ(block, "half a line\n");
  pipe.end_writing();
  ASSERT_TRUE(lines.next(block));
  EXPECT_EQ(block, "d\n");
  EXPECT_FALSE(lines.next(block));
  EXPECT_FALSE(lines.next(block));
}

TEST(LineBlocksOfAPipe, ShowAHeaderBeforeTheOtherLines) {
  for (const bool asks_for_more : {false, true}) {
    Pipe pipe;
    pipe.write("\n\nhead\n");
    LineBlocks lines = pipe.lines(1000, Waiting::kForAHeader);
    EXPECT_EQ(lines.first_line(), "\n\nhead\n");
    pipe.write("a\nb");
    if (asks_for_more) {
      pipe.end_writing();
      EXPECT_EQ(lines.first_lines(), "\n\nhead\na\nb\n");
    }
    std::string block, all;
    ASSERT_TRUE(lines.next(block));
    all = block;
    if (!asks_for_more) {
      EXPECT_EQ(block, "\n\nhead\na\n");
      pipe.end_writing();
    }
    while (lines.next(block)) all += block;
    EXPECT_EQ(all, "\n\nhead\na\nb\n");
  }
}

TEST(LineBlocksOfAPipe, AreFullIfThereIsMuch) {
  Pipe pipe;
  pipe.write("aa\nbb\ncc\ndd\n");
  LineBlocks lines = pipe.lines(7, Waiting::kForALine);
  std::string block;
  ASSERT_TRUE(lines.next(block));
  EXPECT_EQ(block, "aa\nbb\n");
  lines.prefetch();
  ASSERT_TRUE(lines.next(block));
  EXPECT_EQ(block, "cc\ndd\n");
}

TEST(LineBlocksOfAPipe, HaveAHashThatKnowsNoBlocks) {
  std::vector<std::uint64_t> hashes;
  for (const std::size_t size : {3, 7, 100}) {
    Pipe pipe;
    pipe.write("aa\nbb\ncc");
    pipe.end_writing();
    LineBlocks lines = pipe.lines(size, Waiting::kForFullBlocks);
    lines.first_lines();
    std::string block;
    while (lines.next(block)) lines.prefetch();
    hashes.push_back(lines.hash());
  }
  EXPECT_EQ(hashes[0], hashes[1]);
  EXPECT_EQ(hashes[0], hashes[2]);
}

}  // namespace
}  // namespace xylem
