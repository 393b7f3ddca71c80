// SPDX-License-Identifier: Apache-2.0
#include "methods/knn.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "toy_data.h"
#include "xylem/tagger.h"

namespace xylem {
namespace {

void add_row(Dataset& data, std::vector<Feature> ids, std::vector<float> values, std::vector<Label> labels) {
  data.features.push_back({ids, values});
  data.labels.push_back(labels);
}

TEST(Knn, NeighboursVoteWithTheirCosine) {
  Dataset data;
  data.n_labels = 3;
  data.features.n_columns = 3;
  add_row(data, {0}, {1}, {0});
  add_row(data, {0, 1}, {3, 4}, {1, 2});
  add_row(data, {2}, {1}, {2});
  TrainOptions options;
  options.method = "knn";
  options.settings = {{"k", "2"}};
  const Tagger tagger = Tagger::train(data, options, {});
  SparseMatrix query;
  const std::vector<Feature> ids = {0};
  query.push_back({ids, std::vector<float>{5}});  // cosines 1, 0.6, 0
  const TopLabels top = tagger.tag(query.rows(), 5, {});
  EXPECT_EQ(top.labels, (std::vector<Label>{0, 1, 2}));
  ASSERT_EQ(top.scores.size(), 3u);
  EXPECT_NEAR(top.scores[0], 1.0 / 1.6, 1e-6);
  EXPECT_NEAR(top.scores[1], 0.6 / 1.6, 1e-6);
  EXPECT_EQ(top.scores[2], top.scores[1]);
}

TEST(Knn, ChoosesKOnValidationRowsUnlessGiven) {
  const auto settings_of = [](const TrainOptions& options) {
    return nlohmann::json::parse(Tagger::train(test::toy_data(1), options, {}).card()).at("settings");
  };
  TrainOptions options;
  options.method = "knn";
  EXPECT_GE(std::stoi(settings_of(options).at("k").get<std::string>()), 1);
  options.settings = {{"k", "4"}};
  EXPECT_EQ(settings_of(options).at("k"), "4");
}

}  // namespace
}  // namespace xylem
