// SPDX-License-Identifier: Apache-2.0
// The reader against a slow and obvious twin, on random files, whatever the threads and wherever the file is cut.
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <set>
#include <sstream>

#include "core/parallel.h"
#include "core/random.h"
#include "data/read_sparse.h"
#include "test_files.h"

namespace xylem {
namespace {

struct Row {
  std::set<Label> labels;
  std::map<Feature, double> features;
};

// Valid files that count from 0 only.
Dataset twin(const std::string& text) {
  std::istringstream lines(text);
  std::string line;
  std::vector<Row> rows;
  std::size_t n_columns = 0, n_labels = 0;
  bool has_header = false;
  while (std::getline(lines, line)) {
    if (line.ends_with('\r')) line.pop_back();
    std::istringstream words(line);
    std::size_t n = 0;
    if (rows.empty() && line.find_first_of(":,") == std::string::npos && words >> n >> n_columns >> n_labels) {
      has_header = true;
      continue;
    }
    words = std::istringstream(line);
    Row row;
    std::string word;
    bool first = !line.starts_with(' ') && !line.starts_with('\t');
    while (words >> word) {
      const std::size_t colon = word.find(':');
      if (first && colon == std::string::npos) {
        std::istringstream labels(word);
        while (std::getline(labels, word, ',')) row.labels.insert(static_cast<Label>(std::stoul(word)));
      } else {
        const float value = colon == std::string::npos ? 1.0F : std::strtof(word.c_str() + colon + 1, nullptr);
        row.features[static_cast<Feature>(std::stoul(word))] += static_cast<double>(value);
      }
      first = false;
    }
    rows.push_back(row);
  }
  Dataset data;
  for (const Row& row : rows) {
    for (const Label label : row.labels) data.labels.ids.push_back(label);
    data.labels.offsets.push_back(data.labels.ids.size());
    for (const auto& [id, value] : row.features) {
      data.features.ids.push_back(id);
      data.features.values.push_back(static_cast<float>(value));
      if (!has_header) n_columns = std::max<std::size_t>(n_columns, id + 1);
    }
    data.features.offsets.push_back(data.features.ids.size());
    if (!has_header && !row.labels.empty()) n_labels = std::max<std::size_t>(n_labels, *row.labels.rbegin() + 1);
  }
  data.features.n_columns = n_columns;
  data.n_labels = n_labels;
  return data;
}

std::string random_value(Random& random) {
  char text[64];
  switch (random.below(6)) {
    case 0:
      return ":1";
    case 1:
      return "";
    case 2:
      std::snprintf(text, sizeof text, ":%.4g", random.uniform());
      break;
    case 3:
      std::snprintf(text, sizeof text, ":%.9g", random.normal());
      break;
    case 4:
      std::snprintf(text, sizeof text, ":%.17g", random.normal() * 1e6);
      break;
    default:
      std::snprintf(text, sizeof text, ":%e", random.normal() * 1e-20);
      break;
  }
  return text;
}

std::string random_file(std::uint64_t seed) {
  Random random(seed, {});
  const std::size_t rows = 1 + random.below(200);
  const std::string newline = random.below(2) == 0 ? "\n" : "\r\n";
  const std::string blanks[] = {" ", "\t", "  ", " \t "};
  std::string text;
  if (random.below(2) == 0) text += std::to_string(rows) + " 1000 50" + newline;
  for (std::size_t row = 0; row < rows; ++row) {
    const std::size_t n_labels = random.below(4);
    // Row 0 has id 0, so that the file counts from 0, and the last is not empty, so that none is dropped.
    if (row == 0) text += "0";
    for (std::size_t i = 0; i < n_labels; ++i) {
      if (i > 0 || row == 0) text += ',';
      text += std::to_string(random.below(50));
    }
    if (row == 0) text += " 0:1";
    const std::size_t n_features = random.below(30) + (row + 1 == rows);
    std::size_t id = 0;
    const bool sorted = random.below(3) > 0;
    for (std::size_t i = 0; i < n_features; ++i) {
      id = sorted ? std::min<std::size_t>(999, id + 1 + random.below(30)) : random.below(1000);
      text += blanks[random.below(4)] + std::to_string(id) + random_value(random);
    }
    text += blanks[random.below(4)].substr(0, row + 1 == rows ? 1 : random.below(2));
    if (row + 1 < rows || random.below(2) == 0) text += newline;
  }
  return text;
}

using ReadDatasetTwin = TestFiles;

TEST_F(ReadDatasetTwin, AgreesOnRandomFiles) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const std::string text = random_file(seed);
    const std::string file = write(seed % 3 == 0 ? text : seed % 3 == 1 ? gzip(text) : zstd(text));
    expect_equal(read_dataset(file).data, twin(text));
    if (HasFailure()) FAIL() << "seed " << seed << "\n" << text;
  }
}

TEST_F(ReadDatasetTwin, AgreesWhereverTheFileIsCutAndOnAnyThreads) {
  for (std::uint64_t seed = 1000; seed < 1010; ++seed) {
    const std::string text = random_file(seed);
    const std::string file = write(text);
    const Dataset expected = twin(text);
    for (const std::size_t block_bytes : {1, 100, 1000, 100'000}) {
      for (const std::size_t chunk_bytes : {1, 30, 500, 100'000}) {
        for (const int threads : {1, 2, 3}) {
          with_threads(threads, [&] {
            expect_equal(read_sparse(file, {}, {}, {.block_bytes = block_bytes, .chunk_bytes = chunk_bytes}).data,
                         expected);
          });
        }
      }
    }
    if (HasFailure()) FAIL() << "seed " << seed;
  }
}

TEST_F(ReadDatasetTwin, NeverDoesWorseThanAnErrorOnDamagedFiles) {
  int refused = 0;
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    std::string text = random_file(seed);
    Random random(seed, {1});
    for (std::size_t i = 0; i <= random.below(5); ++i) {
      const std::string characters = std::string("\n\r\t :,.-+0159eEnx\x80\xff", 19) + '\0';
      text[random.below(text.size())] = characters[random.below(characters.size())];
    }
    const std::string file = write(text);
    ReadOptions options;
    options.max_bad_lines = random.below(3);
    try {
      const Dataset data = read_sparse(file, options, {}, {.block_bytes = 300, .chunk_bytes = 50}).data;
      for (const Feature id : data.features.ids) ASSERT_LT(id, data.features.n_columns);
      for (const Label id : data.labels.ids) ASSERT_LT(id, data.n_labels);
      for (const float value : data.features.values) ASSERT_TRUE(std::isfinite(value));
      ASSERT_EQ(data.labels.size(), data.size());
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kData) << error.what();
      ++refused;
    }
  }
  EXPECT_GT(refused, 100);
}

}  // namespace
}  // namespace xylem
