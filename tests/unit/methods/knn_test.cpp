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

class KnnExplain : public ::testing::Test {
 protected:
  KnnExplain() {
    data_.n_labels = 5;
    data_.features.n_columns = 4;
    add_row(data_, {0}, {1}, {0});
    add_row(data_, {0, 1}, {3, 4}, {1, 2});
    add_row(data_, {0, 2}, {8, 6}, {0, 2});
    add_row(data_, {0, 2}, {5, 12}, {1, 3});
    add_row(data_, {3}, {1}, {4});
    const std::vector<Feature> ids = {0, 2, 9};
    query_.push_back({ids, std::vector<float>{4, 3, 0}});  // cosines 0.8, 0.48, 1, 56 / 65, 0
  }
  Explanation explain(Label label, const char* k = "2") const {
    TrainOptions options;
    options.method = "knn";
    options.settings = {{"k", k}};
    return Tagger::train(data_, options, {}).explain(query_[0], label);
  }

  Dataset data_;
  SparseMatrix query_;
};

TEST_F(KnnExplain, ShowsTheRowsThatVoteAndTheFeaturesOfTheirVotes) {
  const double all = 1 + 56.0 / 65;
  const Explanation found = explain(0);
  EXPECT_NEAR(found.score, 1 / all, 1e-6);
  ASSERT_EQ(found.neighbours.size(), 1u);
  EXPECT_EQ(found.neighbours[0].row, 2u);
  EXPECT_NEAR(found.neighbours[0].similarity, 1, 1e-6);
  EXPECT_TRUE(found.neighbours[0].votes);
  EXPECT_EQ(found.neighbours[0].labels, (std::vector<Label>{0, 2}));
  ASSERT_EQ(found.evidence.size(), 2u);
  EXPECT_EQ(found.evidence[0].feature, 0u);
  EXPECT_NEAR(found.evidence[0].value, 0.8 * 0.8 / all, 1e-6);
  EXPECT_NEAR(found.evidence[1].value, 0.6 * 0.6 / all, 1e-6);
}

TEST_F(KnnExplain, EvidenceAddsUpToTheScore) {
  for (const char* k : {"1", "2", "4", "100"}) {
    for (Label label = 0; label < 5; ++label) {
      const Explanation found = explain(label, k);
      if (!found.rank) continue;
      double sum = 0;
      for (const Contribution& part : found.evidence) sum += part.value;
      EXPECT_NEAR(sum, found.score, 1e-6);
    }
  }
}

TEST_F(KnnExplain, ShowsRowsThatAreTooFarAwayToVote) {
  EXPECT_EQ(explain(0, "1").neighbours.size(), 1u);  // not also the first row, which is too far away
  const Explanation missed = explain(1, "1");
  EXPECT_FALSE(missed.rank);
  EXPECT_EQ(missed.score, 0);
  ASSERT_EQ(missed.neighbours.size(), 2u);
  EXPECT_EQ(missed.neighbours[0].row, 3u);
  EXPECT_EQ(missed.neighbours[1].row, 1u);
  EXPECT_FALSE(missed.neighbours[0].votes);
  double sum = 0;
  for (const Contribution& part : missed.evidence) sum += part.value;
  EXPECT_NEAR(sum, (56.0 / 65 + 0.48) / 2, 1e-6);
}

TEST_F(KnnExplain, SaysWhereNoRowSpeaksForALabel) {
  EXPECT_EQ(explain(4).basis, "no training row with this label has a feature in common with this row");
  data_.n_labels = 6;
  EXPECT_EQ(explain(5).basis, "no row that the model learned from has this label");
  EXPECT_TRUE(explain(5).neighbours.empty());
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
