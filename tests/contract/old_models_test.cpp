// SPDX-License-Identifier: Apache-2.0
// Models of earlier versions, stored with their predictions: every later program reads them to the same scores.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "xylem/corpus.h"
#include "xylem/dataset.h"
#include "xylem/tagger.h"

namespace xylem {
namespace {

namespace fs = std::filesystem;

#if defined(__clang__) || defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr float kTolerance = 1e-6f;  // of a score; clang and sanitized builds round sums differently
#else
constexpr float kTolerance = 0;
#endif

constexpr std::size_t kLabels = 20;  // that were asked for in each row

std::vector<std::string> old_models() {
  std::vector<std::string> models;
  for (const auto& version : fs::directory_iterator(XYLEM_OLD_MODELS)) {
    for (const auto& file : fs::directory_iterator(version)) {
      if (file.path().extension() == ".xylem") models.push_back(file.path().string());
    }
  }
  std::ranges::sort(models);
  return models;
}

std::string test_name(const ::testing::TestParamInfo<std::string>& info) {
  const fs::path path = info.param;
  std::string name = path.parent_path().filename().string() + "_" + path.stem().string();
  for (char& c : name) c = std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  return name;
}

// Label and score of a row.
using Row = std::map<std::string, float>;

std::vector<Row> stored_predictions(const fs::path& path) {
  std::vector<Row> rows;
  ReadOptions options;
  options.format = "lines";
  const TextList texts = read_corpus(path.string(), options).corpus.texts;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    Row& row = rows.emplace_back();
    const auto prediction = nlohmann::json::parse(texts[i]);
    for (const auto& entry : prediction["labels"]) {
      const auto& label = entry["label"];
      row[label.is_string() ? label.get<std::string>() : label.dump()] = entry["score"].get<float>();
    }
  }
  return rows;
}

TopLabels predictions(const Tagger& tagger, const fs::path& folder) {
  if (tagger.takes_texts()) {
    return tagger.tag(read_corpus((folder / "texts.jsonl").string()).corpus.texts, kLabels, {});
  }
  ReadOptions options;
  options.first_ids = tagger.first_ids();
  const Dataset rows = read_dataset((folder / "rows.txt").string(), options).data;
  return tagger.tag(rows.features.rows(), kLabels, {});
}

class OldModels : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(All, OldModels, ::testing::ValuesIn(old_models()), test_name);

TEST_P(OldModels, GiveTheScoresThatTheyGave) {
  const fs::path path = GetParam();
  const Tagger tagger = Tagger::load(path.string());
  const TopLabels top = predictions(tagger, path.parent_path());
  const std::vector<Row> expected = stored_predictions(fs::path(path).replace_extension(".predictions.jsonl"));
  ASSERT_EQ(top.size(), expected.size());
  for (std::size_t i = 0; i < top.size(); ++i) {
    const auto labels = top.row_labels(i);
    ASSERT_EQ(labels.size(), expected[i].size()) << "row " << i;
    for (std::size_t j = 0; j < labels.size(); ++j) {
      const std::string name = tagger.label_name(labels[j]);
      ASSERT_TRUE(expected[i].contains(name)) << "row " << i << ", label " << name;
      EXPECT_LE(std::abs(top.row_scores(i)[j] - expected[i].at(name)), kTolerance) << "row " << i << ", label " << name;
    }
  }
}

TEST(OldModelFiles, AreThereForEveryMethodOfTheFirstVersion) {
  std::map<std::string_view, int> found;
  for (const std::string& path : old_models()) {
    if (fs::path(path).parent_path().filename() == "0.1") ++found[Tagger::load(path).method().name];
  }
  for (const char* method : {"parabel", "dxml", "mnn", "glas", "rank-ae", "knn", "popular"}) {
    EXPECT_GE(found[method], 2) << method;  // for rows and for texts
  }
}

}  // namespace
}  // namespace xylem
