// SPDX-License-Identifier: Apache-2.0
#include "methods/glas/glas.h"

#include <gtest/gtest.h>

#include "core/parallel.h"
#include "toy_data.h"
#include "xylem/error.h"
#include "xylem/tagger.h"

namespace xylem {
namespace {

using test::toy_data;

Tagger train(Dataset data, Settings settings) {
  TrainOptions options;
  options.method = "glas";
  settings.try_emplace("epochs", "40");
  settings.try_emplace("dim", "24");
  settings.try_emplace("rate", "0.01");
  options.settings = std::move(settings);
  return Tagger::train(std::move(data), options, {});
}

// Labels of the same word stand for similar words in rows, so a label without rows can be found by its name.
Dataset named_toy(std::uint64_t seed) {
  Dataset data = toy_data(seed);
  for (std::size_t label = 0; label < data.n_labels; ++label) {
    data.label_names.push_back(label == 11 ? "group3 extra" : "group" + std::to_string(label) + " label");
  }
  return data;
}

TEST(Glas, NamesFindLabelsWithoutRows) {
  const Dataset test = toy_data(2);
  const TopLabels without = train(named_toy(1), {}).tag(test.features.rows(), 12, {});
  EXPECT_EQ(std::ranges::count(without.labels, Label{11}), 0);
  const TopLabels with = train(named_toy(1), {{"label_text", "yes"}}).tag(test.features.rows(), 12, {});
  double of_its_group = 0, of_others = 0, n_group = 0, n_others = 0;
  for (std::size_t row = 0; row < test.size(); ++row) {
    const auto labels = with.row_labels(row);
    const auto rank = static_cast<double>(std::ranges::find(labels, Label{11}) - labels.begin());
    ASSERT_LT(rank, 12);
    const bool group = std::ranges::binary_search(test.labels[row], Label{3});
    (group ? of_its_group : of_others) += rank;
    (group ? n_group : n_others) += 1;
  }
  EXPECT_LT(of_its_group / n_group, 4);  // behind label 3 itself, and another one that the row has
  EXPECT_GT(of_others / n_others, 2 + of_its_group / n_group);
}

// Rows that do not have a label which was learned later must not get it.
TEST(Glas, LearningALabelLeavesOtherRowsAlone) {
  const Dataset all = toy_data(1), test = toy_data(2);
  Dataset before = all, later = all;
  before.features = later.features = {};
  before.labels = later.labels = {};
  for (std::size_t row = 0; row < all.size(); ++row) {
    Dataset& part = std::ranges::binary_search(all.labels[row], Label{3}) ? later : before;
    part.features.push_back(all.features[row]);
    part.labels.push_back(all.labels[row]);
  }
  before.features.n_columns = later.features.n_columns = all.features.n_columns;
  const Tagger model = train(before, {});
  const Tagger grown = model.learn(later, {}, {});
  double with = 0, without = 0, n_with = 0, n_without = 0;
  const TopLabels answers = grown.tag(test.features.rows(), 2, {});
  for (std::size_t row = 0; row < test.size(); ++row) {
    const bool has = std::ranges::binary_search(test.labels[row], Label{3});
    const auto found = answers.row_labels(row);
    (has ? n_with : n_without) += 1;
    (has ? with : without) += static_cast<double>(std::ranges::count(found, Label{3}));
  }
  EXPECT_GT(with / n_with, 0.5);
  EXPECT_LT(without / n_without, 0.2);
}

TEST(Glas, NamesMustBeThere) {
  try {
    train(toy_data(1), {{"label_text", "yes"}});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kUsage);
    EXPECT_NE(std::string(error.what()).find("names"), std::string::npos);
  }
}

TEST(Glas, SchedulesThatEndNeedEpochs) {
  try {
    train(toy_data(1), {{"schedule", "linear"}, {"epochs", "0"}});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kUsage);
  }
}

TEST(Glas, PlansWhatItTakes) {
  const DataShape shape{45000, 38616, 4271, 10401240, 228322};
  const MemoryPlan plan = glas_method.plan(shape, glas_method.parse({}), 2);
  const std::uint64_t parameters = 3 * 4 * 512 * (38616 + 4271);
  EXPECT_GT(plan.training, parameters);
  EXPECT_LT(plan.training, 5 * parameters);
}

}  // namespace
}  // namespace xylem
