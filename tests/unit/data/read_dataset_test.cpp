// SPDX-License-Identifier: Apache-2.0
// What readers accept, and what they make of it. What they refuse is in read_dataset_errors_test.cpp.
#include <gtest/gtest.h>

#include "data/read_sparse.h"
#include "test_files.h"

namespace xylem {
namespace {

class ReadDataset : public TestFiles {
 protected:
  ReadResult read(const std::string& bytes, const ReadOptions& options = {}) const {
    return read_dataset(write(bytes), options);
  }
};

ReadOptions with_first(std::uint32_t feature, std::uint32_t label) {
  ReadOptions options;
  options.first_ids = FirstIds{feature, label};
  return options;
}

ReadOptions with_format(const std::string& format) {
  ReadOptions options;
  options.format = format;
  return options;
}

TEST_F(ReadDataset, ReadsTheRepositoryFormat) {
  const auto [data, report] = read("2 5 3\n0,2 0:0.5 3:1.5\n1 4:2\n");
  EXPECT_EQ(text_of(data), "0,2,|0:0.5 3:1.5 ;1,|4:2 ;");
  EXPECT_EQ(data.features.n_columns, 5U);
  EXPECT_EQ(data.n_labels, 3U);
  EXPECT_EQ(report.format, "xmlrepo");
  EXPECT_EQ(report.bad_lines + report.duplicate_features + report.duplicate_labels, 0U);
}

TEST_F(ReadDataset, ReadsLibsvmWithoutHeader) {
  const auto [data, report] = read("0,2 0:0.5 3:1.5\n1 4:2\n");
  EXPECT_EQ(text_of(data), "0,2,|0:0.5 3:1.5 ;1,|4:2 ;");
  EXPECT_EQ(data.features.n_columns, 5U);
  EXPECT_EQ(data.n_labels, 3U);
  EXPECT_EQ(report.format, "libsvm");
}

TEST_F(ReadDataset, ListsItsFormats) {
  EXPECT_EQ(dataset_formats(), (std::vector<std::string_view>{"xmlrepo", "libsvm"}));
}

TEST_F(ReadDataset, TakesThreeBareNumbersForAHeaderUnlessToldOtherwise) {
  EXPECT_EQ(text_of(read("1 2 3\n0 1:1\n").data), "0,|1:1 ;");
  EXPECT_EQ(text_of(read("1\t2  3 \r\n0 1:1\n", with_format("xmlrepo")).data), "0,|1:1 ;");
  EXPECT_EQ(text_of(read("1 2 3\n0 0:1\n", with_format("libsvm")).data), "1,|2:1 3:1 ;0,|0:1 ;");
  EXPECT_EQ(text_of(read("0 0 2 3\n", with_first(0, 0)).data), "0,|0:1 2:1 3:1 ;");
  EXPECT_EQ(text_of(read(" 1 2 3\n", with_first(0, 0)).data), "|1:1 2:1 3:1 ;");
}

TEST_F(ReadDataset, AcceptsTheRepositoryFormatWithoutHeader) {
  const auto [data, report] = read("0 0:1\n", with_format("xmlrepo"));
  EXPECT_EQ(text_of(data), "0,|0:1 ;");
  EXPECT_EQ(report.format, "xmlrepo");
}

TEST_F(ReadDataset, AcceptsWindowsLinesAndByteOrderMark) {
  EXPECT_EQ(text_of(read("\xef\xbb\xbf"
                         "2 2 2\r\n0 0:1\r\n1 1:2\r\n")
                        .data),
            "0,|0:1 ;1,|1:2 ;");
  EXPECT_EQ(text_of(read("0 0:1 \r\n\r\n1\r\n").data), "0,|0:1 ;|;1,|;");
}

TEST_F(ReadDataset, AcceptsAMissingLastNewline) {
  EXPECT_EQ(text_of(read("0 0:1\n1 1:25").data), "0,|0:1 ;1,|1:25 ;");
  EXPECT_EQ(text_of(read("0 0:1\n1").data), "0,|0:1 ;1,|;");
}

TEST_F(ReadDataset, AcceptsTabsAndManyBlanks) {
  EXPECT_EQ(text_of(read("0,1\t0:1\t\t3:2  5:1 \t\n").data), "0,1,|0:1 3:2 5:1 ;");
}

TEST_F(ReadDataset, AcceptsRowsWithoutLabelsOrFeatures) {
  EXPECT_EQ(text_of(read("4 3 2\n 0:1\n2:1\n1\n\n").data), "|0:1 ;|2:1 ;1,|;|;");
  EXPECT_EQ(text_of(read("\t0:1\n0\n").data), "|0:1 ;0,|;");
}

TEST_F(ReadDataset, AcceptsFeaturesWithoutValues) {
  EXPECT_EQ(text_of(read("0 0 3:2 4\n").data), "0,|0:1 3:2 4:1 ;");
}

TEST_F(ReadDataset, AcceptsEveryFormOfNumbers) {
  EXPECT_EQ(text_of(read("0 0:-1 1:1e2 2:1E-2 3:.5 4:5. 5:0 6:-1.5e+1 007:1\n").data),
            "0,|0:-1 1:100 2:0.01 3:0.5 4:5 5:0 6:-15 7:1 ;");
}

TEST_F(ReadDataset, SortsIds) {
  EXPECT_EQ(text_of(read("2,0 5:5 0:1 3:3\n").data), "0,2,|0:1 3:3 5:5 ;");
}

TEST_F(ReadDataset, SumsDuplicateFeatures) {
  const auto [data, report] = read("0 3:1 0:1 3:2 3:0.5\n0 1:1 1:-1\n");
  EXPECT_EQ(text_of(data), "0,|0:1 3:3.5 ;0,|1:0 ;");
  EXPECT_EQ(report.duplicate_features, 3U);
}

TEST_F(ReadDataset, KeepsDuplicateLabelsOnce) {
  const auto [data, report] = read("1,0,1,1 0:1\n");
  EXPECT_EQ(text_of(data), "0,1,|0:1 ;");
  EXPECT_EQ(report.duplicate_labels, 2U);
}

TEST_F(ReadDataset, DropsEmptyLinesAtTheEnd) {
  EXPECT_EQ(text_of(read("0 0:1\n\n1 1:1\n\n\r\n\n").data), "0,|0:1 ;|;1,|1:1 ;");
  EXPECT_EQ(text_of(read("1 1 1\n0 0:1\n\n \n\n").data), "0,|0:1 ;");
  EXPECT_EQ(text_of(read("3 1 1\n0 0:1\n\n \n\n\n").data), "0,|0:1 ;|;|;");
}

TEST_F(ReadDataset, KeepsALineWithABlankAtTheEnd) {
  EXPECT_EQ(text_of(read("0 0:1\n \n").data), "0,|0:1 ;|;");
}

TEST_F(ReadDataset, AcceptsAHeaderWithoutRows) {
  const auto [data, report] = read("0 5 3\n");
  EXPECT_EQ(data.size(), 0U);
  EXPECT_EQ(data.features.n_columns, 5U);
  EXPECT_EQ(data.n_labels, 3U);
}

TEST_F(ReadDataset, CountsFromOneWhereNoZeroOccurs) {
  const auto data = read("1,3 1:1 4:2\n2 2:1\n").data;
  EXPECT_EQ(text_of(data), "0,2,|0:1 3:2 ;1,|1:1 ;");
  EXPECT_EQ(data.first_ids, (FirstIds{1, 1}));
  EXPECT_EQ(data.features.n_columns, 4U);
  EXPECT_EQ(data.n_labels, 3U);
}

TEST_F(ReadDataset, DecidesTheFirstFeatureAndLabelIndependently) {
  EXPECT_EQ(read("0 1:1\n").data.first_ids, (FirstIds{1, 0}));
  EXPECT_EQ(read("1 0:1\n").data.first_ids, (FirstIds{0, 1}));
  EXPECT_EQ(read("1 5 2\n0 1:1 5:1\n").data.first_ids, (FirstIds{1, 0}));
  EXPECT_EQ(read("1 5 2\n1,2 1:1 4:1\n").data.first_ids, (FirstIds{0, 1}));
}

TEST_F(ReadDataset, CountsFromZeroWhereTheHeaderLeavesRoom) {
  const auto data = read("1 5 3\n1,2 1:1 4:1\n").data;
  EXPECT_EQ(data.first_ids, FirstIds{});
  EXPECT_EQ(text_of(data), "1,2,|1:1 4:1 ;");
}

TEST_F(ReadDataset, CountsFromZeroWhereThereIsNothingToTell) {
  EXPECT_EQ(read(" \n").data.first_ids, FirstIds{});
  EXPECT_EQ(read(" \n").data.features.n_columns, 0U);
}

TEST_F(ReadDataset, CountsAsItIsTold) {
  const auto zero = read("1 1:1\n", with_first(0, 0)).data;
  EXPECT_EQ(text_of(zero), "1,|1:1 ;");
  EXPECT_EQ(zero.features.n_columns, 2U);
  const auto one = read("1 5 3\n1 1:1\n", with_first(1, 1)).data;
  EXPECT_EQ(text_of(one), "0,|0:1 ;");
  EXPECT_EQ(one.first_ids, (FirstIds{1, 1}));
  EXPECT_EQ(text_of(read("2 2147483647:1\n", with_first(1, 0)).data), "2,|2147483646:1 ;");
}

TEST_F(ReadDataset, ReadsCompressedFiles) {
  const std::string text = "2 5 3\n0,2 0:0.5 3:1.5\n1 4:2\n";
  expect_equal(read(gzip(text)).data, read(text).data);
  expect_equal(read(zstd(text)).data, read(text).data);
  expect_equal(read(gzip(text.substr(0, 15)) + gzip(text.substr(15))).data, read(text).data);
}

TEST_F(ReadDataset, SkipsAndCountsBadLines) {
  ReadOptions options;
  options.max_bad_lines = 2;
  const auto [data, report] = read("4 3 2\n0 0:x\n1 1:1\n0 5:1\n\n", options);
  EXPECT_EQ(text_of(data), "1,|1:1 ;|;");
  EXPECT_EQ(report.bad_lines, 2U);
  ASSERT_EQ(report.bad_line_messages.size(), 2U);
  EXPECT_TRUE(
      report.bad_line_messages[0].ends_with("data.txt:2: found '0:x', expected a feature as id:value with a "
                                            "finite value"));
  EXPECT_NE(report.bad_line_messages[1].find("data.txt:4: found '5:1'"), std::string::npos);
}

TEST_F(ReadDataset, KeepsTheMessagesOfTheFirstTenBadLines) {
  std::string text = "0 0:1\n";
  for (int i = 0; i < 50; ++i) text += "bad" + std::to_string(i) + "\n";
  ReadOptions options;
  options.max_bad_lines = 50;
  const xylem::Run run;
  const auto report = read_sparse(write(text), options, run, {.block_bytes = 64, .chunk_bytes = 16}).report;
  EXPECT_EQ(report.bad_lines, 50U);
  ASSERT_EQ(report.bad_line_messages.size(), 10U);
  EXPECT_NE(report.bad_line_messages[9].find(":11: found 'bad9'"), std::string::npos);
}

TEST_F(ReadDataset, SkipsRowsThatTheFirstIdMakesWrong) {
  ReadOptions options;
  options.max_bad_lines = 4;
  const auto [data, report] = read("6 3 2\n0 3:1\n1 x\n2 1:1\n0 0:1\n1 2:1 1:1\ny\n", options);
  EXPECT_EQ(text_of(data), "0,|0:1 ;1,|1:1 2:1 ;");
  EXPECT_EQ(report.bad_lines, 4U);
  ASSERT_EQ(report.bad_line_messages.size(), 4U);
  EXPECT_NE(report.bad_line_messages[0].find(":2: found feature 3, expected less than the 3"), std::string::npos);
  EXPECT_NE(report.bad_line_messages[1].find(":3: found 'x'"), std::string::npos);
  EXPECT_NE(report.bad_line_messages[2].find(":4: found label 2, expected less than the 2"), std::string::npos);
  EXPECT_NE(report.bad_line_messages[3].find(":7: found 'y'"), std::string::npos);
}

TEST_F(ReadDataset, ReportsProgressAndStopsWhenAsked) {
  std::string text = "100 3 2\n";
  for (int i = 0; i < 100; ++i) text += "0 1:1\n";
  const std::string file = write(text);
  const auto seen =
      first_three_reports([&](const auto& run) { read_sparse(file, {}, run, {.block_bytes = 60, .chunk_bytes = 20}); });
  EXPECT_EQ(seen[0].stage, "read");
  EXPECT_EQ(seen[0].unit, "rows");
  EXPECT_EQ(seen[0].total, 100U);
  EXPECT_GT(seen[1].done, seen[0].done);
}

}  // namespace
}  // namespace xylem
