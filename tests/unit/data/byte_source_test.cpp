// SPDX-License-Identifier: Apache-2.0
#include "data/byte_source.h"

#include "test_files.h"

namespace xylem {
namespace {

std::string read_all(const std::string& path, std::size_t step = 1000) {
  ByteSource source(path);
  std::string all;
  while (true) {
    const std::size_t before = all.size();
    all.resize(before + step);
    const std::size_t n = source.read(all.data() + before, step);
    all.resize(before + n);
    if (n < step) return all;
  }
}

std::string long_text() {
  std::string text;
  for (int i = 0; i < 200'000; ++i) text += std::to_string(i * 7919 % 100'003) + '\n';
  return text;
}

using ByteSourceTest = TestFiles;

TEST_F(ByteSourceTest, ReadsPlainGzipAndZstdAlike) {
  const std::string text = long_text();
  EXPECT_EQ(read_all(write(text)), text);
  EXPECT_EQ(read_all(write(gzip(text))), text);
  EXPECT_EQ(read_all(write(zstd(text))), text);
  EXPECT_EQ(read_all(write(gzip(text)), 1 << 22), text);
  EXPECT_EQ(read_all(write(zstd(text)), 1 << 22), text);
}

TEST_F(ByteSourceTest, ReadsFilesTooShortToBeCompressed) {
  for (const std::string text : {"", "\x1f", "ab", "\x28\xb5\x2f"}) EXPECT_EQ(read_all(write(text)), text);
}

TEST_F(ByteSourceTest, JoinsGzipMembersAndZstdFrames) {
  const std::string text = long_text();
  EXPECT_EQ(read_all(write(gzip("a\n") + gzip("") + gzip(text) + gzip("b"))), "a\n" + text + "b");
  EXPECT_EQ(read_all(write(zstd("a\n") + zstd("") + zstd(text) + zstd("b"))), "a\n" + text + "b");
}

TEST_F(ByteSourceTest, SkipsZstdFramesThatHoldNoData) {
  const std::string skipped("\x50\x2a\x4d\x18\x04\x00\x00\x00\x01\x02\x03\x04", 12);
  EXPECT_EQ(read_all(write(skipped + zstd("text"))), "text");
}

TEST_F(ByteSourceTest, RefusesEveryTruncationOfCompressedData) {
  const std::string text = "some text that is compressed\n";
  for (const std::string& whole : {gzip(text), zstd(text), gzip("a") + gzip(text), zstd("a") + zstd(text)}) {
    for (std::size_t size = 4; size < whole.size(); ++size) {
      if (whole.substr(0, size) == gzip("a") || whole.substr(0, size) == zstd("a")) continue;
      const std::string file = write(whole.substr(0, size));
      EXPECT_EQ(error_of(ErrorKind::kData, [&] { read_all(file); }),
                "data.txt: found the end of the file in the middle of compressed data, expected the rest");
    }
  }
}

TEST_F(ByteSourceTest, RefusesDamagedCompressedData) {
  std::string bytes = gzip(long_text());
  bytes[bytes.size() - 6] ^= 1;  // in the checksum
  EXPECT_EQ(error_of(ErrorKind::kData, [&] { read_all(write(bytes)); }),
            "data.txt: found damaged gzip data (incorrect data check), expected a whole gzip file");
  EXPECT_EQ(error_of(ErrorKind::kData, [&] { read_all(write(gzip("a") + "no gzip")); }),
            "data.txt: found damaged gzip data (incorrect header check), expected a whole gzip file");
  EXPECT_EQ(error_of(ErrorKind::kData, [&] { read_all(write(zstd("a") + "no zstd")); }),
            "data.txt: found damaged zstd data (Unknown frame descriptor), expected a whole zstd file");
}

TEST_F(ByteSourceTest, RefusesDataThatGrowsAThousandfold) {
  // Deflate reaches 1032 times at most, zstd much more.
  const std::string zeros(40'000'000, '0');
  EXPECT_NE(
      error_of(ErrorKind::kData, [&] { read_all(write(gzip(zeros)), 1 << 20); }).find("expected at most 1000 times"),
      std::string::npos);
  EXPECT_NE(
      error_of(ErrorKind::kData, [&] { read_all(write(zstd(zeros)), 1 << 20); }).find("expected at most 1000 times"),
      std::string::npos);
  // Long before the end: what was inflated until then is all that it may cost.
  ByteSource source(write(gzip(zeros)));
  std::string step(1 << 18, ' ');
  std::size_t inflated = 0;
  error_of(ErrorKind::kData, [&] {
    while (true) inflated += source.read(step.data(), step.size());
  });
  EXPECT_LT(inflated, std::size_t{17} << 20);
  const std::string small(10'000'000, '0');
  EXPECT_EQ(read_all(write(zstd(small)), 1 << 20), small);
}

TEST_F(ByteSourceTest, ReadsAFileAsItWasWhenItWasOpened) {
  const std::string text = long_text();
  const std::string file = write(text);
  ByteSource source(file);
  std::ofstream(file, std::ios::app) << "more";
  std::string bytes(2 * text.size(), ' ');
  bytes.resize(source.read(bytes.data(), bytes.size()));
  EXPECT_EQ(bytes, text);
  EXPECT_EQ(read_all(file), text + "more");
}

TEST_F(ByteSourceTest, ReadsFilesThatDoNotTellTheirSize) {
  EXPECT_NE(read_all("/proc/self/status").find("Name:"), std::string::npos);
}

TEST_F(ByteSourceTest, SaysWhyAFileCannotBeRead) {
  EXPECT_EQ(error_of(ErrorKind::kIo, [&] { ByteSource(path("missing")); }), "missing: No such file or directory");
  EXPECT_EQ(error_of(ErrorKind::kIo, [&] { ByteSource("/"); }), "cannot read /: it is a folder");
}

TEST_F(ByteSourceTest, ReadsStandardInput) {
  const int saved = ::dup(STDIN_FILENO);
  const std::string file = write(gzip("typed"));
  ASSERT_NE(std::freopen(file.c_str(), "r", stdin), nullptr);
  EXPECT_EQ(read_all("-"), "typed");
  EXPECT_EQ(ByteSource("-").name(), "standard input");
  ::dup2(saved, STDIN_FILENO);
  ::close(saved);
}

}  // namespace
}  // namespace xylem
