// SPDX-License-Identifier: Apache-2.0
#include "xylem/dataset.h"

#include <array>

#include "core/file.h"
#include "core/random.h"
#include "test_files.h"

namespace xylem {
namespace {

Dataset random_dataset(std::uint64_t seed, FirstIds first_ids) {
  Random random(seed, {});
  Dataset data;
  data.first_ids = first_ids;
  data.features.n_columns = 100;
  data.n_labels = 20;
  const std::size_t rows = 1 + random.below(30);
  for (std::size_t row = 0; row < rows; ++row) {
    for (Label label = 0; label < 20; ++label) {
      if (random.below(10) == 0) data.labels.ids.push_back(label);
    }
    data.labels.offsets.push_back(data.labels.ids.size());
    for (Feature id = 0; id < 100; ++id) {
      // The last row has the last ids, so that they are known without a header too.
      if (random.below(20) > 0 && !(row == 0 && id == 99)) continue;
      data.features.ids.push_back(id);
      data.features.values.push_back(static_cast<float>(random.normal() * std::pow(10.0, random.normal() * 8)));
    }
    data.features.offsets.push_back(data.features.ids.size());
  }
  return data;
}

using DatasetTest = TestFiles;

TEST_F(DatasetTest, ReadsBackExactlyWhatWasWritten) {
  for (std::uint64_t seed = 0; seed < 24; ++seed) {
    ReadOptions options;
    options.first_ids = FirstIds{static_cast<std::uint32_t>(seed & 1), static_cast<std::uint32_t>(seed / 2 & 1)};
    Dataset data = random_dataset(seed, *options.first_ids);
    write_dataset(data, "xmlrepo", path("a"), true);
    expect_equal(read_dataset(path("a"), options).data, data);
    write_dataset(data, "libsvm", path("a"), true);
    options.format = "libsvm";
    data.n_labels = 0;  // without a header there are as many as the largest asks for
    for (const Label label : data.labels.ids) data.n_labels = std::max<std::size_t>(data.n_labels, label + 1);
    expect_equal(read_dataset(path("a"), options).data, data);
  }
}

TEST_F(DatasetTest, IsWrittenAsTheFormatsDemand) {
  Dataset data;
  data.features = {{0, 2, 3, 3, 3}, {0, 4, 1}, {1.0F, 0.1F, 1e20F}, 5};
  data.labels = {{0, 2, 2, 3, 3}, {0, 2, 1}};
  data.n_labels = 3;
  data.first_ids = {1, 0};
  write_dataset(data, "xmlrepo", path("a"), true);
  EXPECT_EQ(read_whole_file(path("a")), "4 5 3\n0,2 1:1 5:0.1\n 2:1e+20\n1\n \n");
  write_dataset(data, "libsvm", path("a"), true);
  EXPECT_EQ(read_whole_file(path("a")), "0,2 1:1 5:0.1\n 2:1e+20\n1\n \n");
}

TEST_F(DatasetTest, WithoutRowsIsAHeader) {
  Dataset data;
  data.n_labels = 3;
  write_dataset(data, "xmlrepo", path("a"), true);
  EXPECT_EQ(read_whole_file(path("a")), "0 0 3\n");
}

TEST_F(DatasetTest, CountsTheRowsOfEachLabel) {
  Dataset data;
  data.features = {{0, 0, 0}, {}, {}, 0};
  data.labels = {{0, 2, 3}, {0, 2, 2}};
  data.n_labels = 4;
  EXPECT_EQ(label_counts(data), (std::vector<std::uint32_t>{1, 0, 2, 0}));
}

TEST_F(DatasetTest, SelectsRowsInTheOrderGiven) {
  const Dataset data = read_dataset(write("3 5 3\n0,2 0:1 4:2\n1\n 2:1\n")).data;
  const std::array<std::size_t, 3> rows = {2, 0, 0};
  const Dataset chosen = select_rows(data, rows);
  EXPECT_EQ(text_of(chosen), "|2:1 ;0,2,|0:1 4:2 ;0,2,|0:1 4:2 ;");
  EXPECT_EQ(chosen.features.n_columns, 5U);
  EXPECT_EQ(chosen.n_labels, 3U);
  EXPECT_EQ(chosen.first_ids, data.first_ids);
  EXPECT_EQ(select_rows(data, {}).size(), 0U);
}

TEST_F(DatasetTest, ReplacesAFileOnlyWhenTold) {
  const Dataset data = random_dataset(1, {});
  write_dataset(data, "libsvm", path("a"), false);
  EXPECT_NE(error_of(ErrorKind::kUsage, [&] { write_dataset(data, "xmlrepo", path("a"), false); }), "");
  write_dataset(data, "xmlrepo", path("a"), true);
}

}  // namespace
}  // namespace xylem
