// SPDX-License-Identifier: Apache-2.0
#include "methods/neighbours/learn_rows.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/file.h"
#include "folder.h"
#include "toy_data.h"
#include "xylem/error.h"
#include "xylem/tagger.h"

namespace xylem {
namespace {

// Rows with the label, or those without it.
Dataset rows_of(const Dataset& data, Label label, bool with) {
  std::vector<std::size_t> rows;
  for (std::size_t row = 0; row < data.size(); ++row) {
    if (std::ranges::binary_search(data.labels[row], label) == with) rows.push_back(row);
  }
  return select_rows(data, rows);
}

// How often the label is among the two best of its rows.
double found(const Tagger& tagger, const Dataset& data, Label label) {
  const Dataset rows = rows_of(data, label, true);
  const TopLabels answers = tagger.tag(rows.features.rows(), 2, {});
  double right = 0;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    if (std::ranges::count(answers.row_labels(row), label) > 0) ++right;
  }
  return right / static_cast<double>(rows.size());
}

class Grow : public ::testing::TestWithParam<const char*> {
 protected:
  // Without the rows of label 10, the last that occurs, and without labels from there on.
  Tagger train(const Settings& settings = {}) const {
    Dataset data = rows_of(all_, kLate, false);
    data.n_labels = kLate;
    TrainOptions options;
    options.method = GetParam();
    options.settings = {{"dim", "16"},     {"batch", "32"},  {"rate", "0.01"},    {"epochs", "10"},
                        {"k", "5"},        {"blend", "0.3"}, {"vote_power", "8"}, {"weighting", "0.5"},
                        {"clusters", "4"}, {"probes", "3"}};
    for (const auto& [name, value] : settings) options.settings[name] = value;
    return Tagger::train(std::move(data), options, {});
  }
  Tagger learn(const Tagger& tagger, const Settings& settings, int threads = 1) const {
    xylem::Run run;
    run.threads = threads;
    LearnOptions options;
    options.settings = settings;
    return tagger.learn(rows_of(all_, kLate, true), options, run);
  }

  static constexpr Label kLate = 10;
  Dataset all_ = test::toy_data(1), test_ = test::toy_data(2);
};
INSTANTIATE_TEST_SUITE_P(Methods, Grow, ::testing::Values("dxml", "mnn"));

TEST_P(Grow, NewLabelsAreFoundWithAndWithoutLearningOn) {
  const Tagger before = train();
  const Tagger joined = learn(before, {}), learned = learn(before, {{"epochs", "6"}, {"rate", "0.01"}});
  EXPECT_GT(found(joined, test_, kLate), 0.5);
  EXPECT_GT(found(learned, test_, kLate), 0.5);
  EXPECT_GT(found(learned, test_, 0), 0.7);
  EXPECT_EQ(joined.near_labels(kLate, 3).labels.size(), 3u);  // it has a vector
  const TopLabels old = before.tag(test_.features.rows(), 2, {}), again = joined.tag(test_.features.rows(), 2, {});
  std::size_t unchanged = 0;
  for (std::size_t row = 0; row < test_.size(); ++row) {
    if (std::ranges::equal(old.row_labels(row), again.row_labels(row))) ++unchanged;
  }
  EXPECT_GT(unchanged, test_.size() / 2);
}

TEST_P(Grow, LearningOnKeepsLabelsThatShareNoRow) {
  for (Dataset* data : {&all_, &test_}) {
    LabelLists first;
    for (std::size_t row = 0; row < data->size(); ++row) {
      first.push_back(data->labels[row].first(std::min<std::size_t>(1, data->labels[row].size())));
    }
    data->labels = first;
  }
  const Tagger before = train(), after = learn(before, {{"epochs", "20"}, {"rate", "0.01"}});
  double was = 0, is = 0;
  for (const Label label : {0u, 2u, 4u}) {
    was += found(before, test_, label);
    is += found(after, test_, label);
  }
  EXPECT_GT(was, 2.1);
  EXPECT_GT(is, was - 0.3);
}

TEST_P(Grow, WorksForAllKindsOfModels) {
  for (const Settings& settings : {Settings{{"precision", "int8"}, {"table_precision", "bf16"}},
                                   {{"learners", "2"}, {"label_share", "0.5"}},
                                   {{"precision", "bf16"}, {"blend", "0"}, {"clusters", "1"}}}) {
    EXPECT_GT(found(learn(train(settings), {}), test_, kLate), 0.5) << settings.begin()->first;
    if (settings.contains("blend")) continue;
    EXPECT_GT(found(learn(train(settings), {{"epochs", "4"}, {"rate", "0.01"}}), test_, kLate), 0.5);
  }
}

TEST_P(Grow, IsTheSameForAnyNumberOfThreads) {
  const test::Folder folder;
  const Tagger tagger = train();
  for (const Settings& settings : {Settings{}, {{"epochs", "2"}}}) {
    std::vector<std::string> files;
    for (const int threads : {1, 3}) {
      learn(tagger, settings, threads).save(folder / "model", true);
      files.push_back(read_whole_file(folder / "model"));
      Tagger::load(folder / "model");
    }
    EXPECT_EQ(files[0], files[1]);
  }
}

TEST_P(Grow, CannotLearnOnWithoutTheFeaturesOfItsRows) {
  const Tagger tagger = train({{"blend", "0"}});
  try {
    learn(tagger, {{"epochs", "2"}});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kUsage);
    EXPECT_NE(std::string(error.what()).find("blend=0"), std::string::npos);
  }
}

}  // namespace
}  // namespace xylem
