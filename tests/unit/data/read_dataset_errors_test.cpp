// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "data/read_sparse.h"
#include "test_files.h"

namespace xylem {
namespace {

class ReadDatasetErrors : public TestFiles {
 protected:
  // The message, without "data.txt:".
  std::string error(const std::string& bytes, const ReadOptions& options = {}) const {
    const std::string file = write(bytes);
    const std::string message = error_of(ErrorKind::kData, [&] { read_dataset(file, options); });
    EXPECT_TRUE(message.starts_with("data.txt:")) << message;
    return message.substr(std::min(message.size(), std::string("data.txt:").size()));
  }
};

TEST_F(ReadDatasetErrors, NameTheBrokenLabel) {
  EXPECT_EQ(error("0 0:1\n1,x,2 0:1\n"), "2: found 'x', expected a label: a whole number");
  EXPECT_EQ(error("-1 0:1\n"), "1: found '-1', expected a label: a whole number");
  EXPECT_EQ(error("+1 0:1\n"), "1: found '+1', expected a label: a whole number");
  EXPECT_EQ(error("1.0 0:1\n"), "1: found '1.0', expected a label: a whole number");
  EXPECT_EQ(error("1;2 0:1\n"), "1: found '1;2', expected a label: a whole number");
  EXPECT_EQ(error("0\r 0:1\n0 0:1\n"), "1: found '0\\x0d', expected a label: a whole number");
}

TEST_F(ReadDatasetErrors, NameLoneCommas) {
  const std::string expected = ", expected labels: whole numbers with commas between them";
  EXPECT_EQ(error(",\n"), "1: found ','" + expected);
  EXPECT_EQ(error("1, 0:1\n"), "1: found '1,'" + expected);
  EXPECT_EQ(error("1,,2 0:1\n"), "1: found '1,,2'" + expected);
  EXPECT_EQ(error(",1 0:1\n"), "1: found ',1'" + expected);
}

TEST_F(ReadDatasetErrors, NameTheBrokenFeature) {
  const std::string expected = ", expected a feature as id:value";
  for (const char* token :
       {":1", "1:2:3", "x:1", "-1:2", "+1:2", "1.5:2", "1:2,3", "1:0x10", "x", ":", "1:1x", "1:1f"}) {
    EXPECT_EQ(error(std::string("0 0:1\n0 0:1 ") + token + " 5:1\n"),
              "2: found '" + std::string(token) + "'" + expected);
  }
  EXPECT_EQ(error("1,2:3\n"), "1: found '2:3', expected a label: a whole number");
  EXPECT_EQ(error(":1\n"), "1: found ':1'" + expected);
}

TEST_F(ReadDatasetErrors, NameTheValueThatIsNotFinite) {
  for (const char* token :
       {"1:", "1:nan", "1:NaN", "1:inf", "1:-Infinity", "1:1e999", "1:-4e38", "1:x", "1:+2", "1:-"}) {
    EXPECT_EQ(error(std::string("0 ") + token + "\n"),
              "1: found '" + std::string(token) + "', expected a feature as id:value with a finite value");
  }
}

TEST_F(ReadDatasetErrors, NameNulBytes) {
  EXPECT_EQ(error(std::string("0 1:1\0\n", 7)), "1: found '1:1\\x00', expected a feature as id:value");
  EXPECT_EQ(error(std::string("\0\n", 2)), "1: found '\\x00', expected a label: a whole number");
}

TEST_F(ReadDatasetErrors, NameIdsBeyondTheHeader) {
  const std::string promise = ", as the header promises";
  EXPECT_EQ(error("1 5 3\n0 90211:1\n"), "2: found '90211:1', expected a feature id from 0 to 5" + promise);
  EXPECT_EQ(error("1 5 3\n4 1:1\n"), "2: found '4', expected a label id from 0 to 3" + promise);
  EXPECT_EQ(error("1 5 3\n0,18446744073709551616 1:1\n"),
            "2: found '18446744073709551616', expected a label id from 0 to 3" + promise);
  EXPECT_EQ(error("1 5 3\n0 18446744073709551616:1\n"),
            "2: found '18446744073709551616:1', expected a feature id from 0 to 5" + promise);
  EXPECT_EQ(error("1 5 3\n0 4294967296:1\n"), "2: found '4294967296:1', expected a feature id from 0 to 5" + promise);
}

TEST_F(ReadDatasetErrors, NameIdsOutsideTheKnownRange) {
  ReadOptions one;
  one.first_ids = FirstIds{1, 1};
  EXPECT_EQ(error("1 5 3\n1 0:1\n", one), "2: found '0:1', expected a feature id from 1 to 5, as the header promises");
  EXPECT_EQ(error("1 5 3\n0 1:1\n", one), "2: found '0', expected a label id from 1 to 3, as the header promises");
  EXPECT_EQ(error("0 1:1\n", one), "1: found '0', expected a label id from 1 to 2147483647");
  ReadOptions zero;
  zero.first_ids = FirstIds{0, 0};
  EXPECT_EQ(error("1 5 3\n1 5:1\n", zero), "2: found '5:1', expected a feature id from 0 to 4, as the header promises");
  EXPECT_EQ(error("1 5 0\n1 1:1\n", zero), "2: found '1', expected no label, as the header promises");
}

TEST_F(ReadDatasetErrors, NameHugeIdsWithoutHeader) {
  EXPECT_EQ(error("0 2147483648:1\n"), "1: found '2147483648:1', expected a feature id from 0 to 2147483647");
  EXPECT_EQ(error("2147483648 1:1\n"), "1: found '2147483648', expected a label id from 0 to 2147483647");
}

TEST_F(ReadDatasetErrors, NameIdsThatAZeroElsewhereMakesWrong) {
  EXPECT_EQ(
      error("3 5 3\n0 1:1\n0 5:1\n0 0:1\n"),
      "3: found feature 5, expected less than the 5 that the header promises, because ids count from 0 in this file");
  EXPECT_EQ(
      error("2 5 3\n3 1:1\n0 1:1\n"),
      "2: found label 3, expected less than the 3 that the header promises, because ids count from 0 in this file");
  EXPECT_EQ(
      error("1 0 1\n0 0:1\n"),
      "2: found feature 0, expected less than the 0 that the header promises, because ids count from 0 in this file");
}

TEST_F(ReadDatasetErrors, NameSumsThatOverflow) {
  EXPECT_EQ(error("1 1:1\n1 5:3e38 5:3e38\n"),
            "2: found feature 5 more than once with a sum of 6e+38, expected a sum that a 32-bit float can hold");
}

TEST_F(ReadDatasetErrors, NameHeadersThatLie) {
  EXPECT_EQ(error("3 5 3\n0 1:1\n0 1:1\n"), "1: found 2 rows, expected the 3 that the header promises");
  EXPECT_EQ(error("3 5 3\n"), "1: found 0 rows, expected the 3 that the header promises");
  EXPECT_EQ(error("1 5 3\n0 1:1\n\n0 1:1\n0 1:1\n"), "4: found more rows, expected the 1 that the header promises");
  EXPECT_EQ(error("1 5 3\n0 1:1\nbad\n"), "3: found more rows, expected the 1 that the header promises");
  EXPECT_EQ(error("1 5 3\n0 1:x\nbad\n"), "2: found '1:x', expected a feature as id:value with a finite value");
  ReadOptions lenient;
  lenient.max_bad_lines = 5;
  EXPECT_EQ(error("1 5 3\n0 1:x\n0 1:1\n", lenient), "3: found more rows, expected the 1 that the header promises");
}

TEST_F(ReadDatasetErrors, NameHeadersBeyondReason) {
  EXPECT_EQ(error("1 99999999999 3\n0 1:1\n"),
            "1: found '99999999999' in the header, expected a number of at most 2147483648");
  EXPECT_EQ(error("1 3 18446744073709551616\n"),
            "1: found '18446744073709551616' in the header, expected a number of at most 2147483648");
  EXPECT_EQ(error("18446744073709551615 3 3\n"),
            "1: found '18446744073709551615' in the header, expected a number of at most 9223372036854775807");
  EXPECT_EQ(error("9223372036854775807 3 3\n0 1:1\n"),
            "1: found 1 rows, expected the 9223372036854775807 that the header promises");
}

TEST_F(ReadDatasetErrors, NameEmptyFiles) {
  for (const std::string text : {"", "\n", "\r\n\n", "\xef\xbb\xbf"}) {
    EXPECT_EQ(error(text), "1: found an empty file, expected rows of labels and features");
  }
  EXPECT_EQ(error(gzip("")), "1: found an empty file, expected rows of labels and features");
}

TEST_F(ReadDatasetErrors, NameTheFirstOfTooManyBadLines) {
  ReadOptions options;
  options.max_bad_lines = 2;
  EXPECT_EQ(error("0 0:1\nx\n0 0:1\ny\nz\nw\n", options),
            "2: found 'x', expected a label: a whole number; at least 3 lines are bad and only 2 may be skipped");
  EXPECT_EQ(error("x\ny\n", options), "1: found 'x', expected a label: a whole number; all lines are bad");
  EXPECT_EQ(error("2 3 3\nx\ny\n", options), "2: found 'x', expected a label: a whole number; all lines are bad");
}

TEST_F(ReadDatasetErrors, DoNotDependOnThreads) {
  std::string text = "4000 100 10\n";
  for (int i = 0; i < 4000; ++i) text += i % 500 == 499 ? "0 broken" + std::to_string(i) + "\n" : "0 1:1 2:2\n";
  const std::string file = write(text);
  for (int threads : {1, 2, 3}) {
    for (int repeat = 0; repeat < 5; ++repeat) {
      xylem::Run run;
      run.threads = threads;
      ReadOptions options;
      options.max_bad_lines = static_cast<std::size_t>(repeat);
      const std::string message = error_of(ErrorKind::kData, [&] { read_dataset(file, options, run); });
      EXPECT_TRUE(message.starts_with("data.txt:501: found 'broken499'")) << message;
    }
  }
}

TEST_F(ReadDatasetErrors, NameTheMemoryThatIsTooLittle) {
  std::string text;
  for (int i = 0; i < 1000; ++i) text += "0 1:1 2:2\n";
  ReadOptions options;
  options.max_bytes = 20'000;
  const std::string file = write(text);
  const std::string message = error_of(ErrorKind::kMemory, [&] { read_dataset(file, options); });
  EXPECT_TRUE(message.starts_with("data.txt: 1000 rows already take ")) << message;
  EXPECT_TRUE(message.ends_with(" of memory, 20.0 KB are allowed")) << message;
}

TEST_F(ReadDatasetErrors, NameTheFormatsThereAre) {
  ReadOptions options;
  options.format = "libsmv";
  EXPECT_EQ(error_of(ErrorKind::kUsage, [&] { read_dataset("any", options); }),
            "no data format is called 'libsmv'; there are auto, xmlrepo, libsvm (did you mean 'libsvm'?)");
  EXPECT_EQ(error_of(ErrorKind::kUsage, [&] { write_dataset({}, "csv", path("out"), true); }),
            "no data format is called 'csv'; there are xmlrepo, libsvm");
}

TEST_F(ReadDatasetErrors, NameTruncatedCompression) {
  const std::string bytes = gzip("0 0:1\n");
  EXPECT_EQ(error_of(ErrorKind::kData, [&] { read_dataset(write(bytes.substr(0, bytes.size() - 3))); }),
            "data.txt: found the end of the file in the middle of compressed data, expected the rest");
}

}  // namespace
}  // namespace xylem
