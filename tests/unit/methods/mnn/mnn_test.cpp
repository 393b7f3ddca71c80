// SPDX-License-Identifier: Apache-2.0
#include "methods/mnn/mnn.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/file.h"
#include "folder.h"
#include "toy_data.h"
#include "xylem/error.h"
#include "xylem/tagger.h"

namespace xylem {
namespace {

TrainOptions options_with(const Settings& settings) {
  TrainOptions options;
  options.method = "mnn";
  options.settings = {{"dim", "16"},       {"batch", "32"}, {"rate", "0.01"},     {"epochs", "8"}, {"blend", "0.4"},
                      {"vote_power", "8"}, {"ridge", "0"},  {"weighting", "0.5"}, {"k", "5"}};
  for (const auto& [name, value] : settings) options.settings[name] = value;
  return options;
}

double first_label_is_right(const Tagger& tagger, const Dataset& data) {
  const TopLabels answers = tagger.tag(data.features.rows(), 1, {});
  double right = 0;
  for (std::size_t row = 0; row < data.size(); ++row) {
    const auto labels = data.labels[row];
    if (!answers.row_labels(row).empty() && std::ranges::binary_search(labels, answers.row_labels(row)[0])) ++right;
  }
  return right / static_cast<double>(data.size());
}

TEST(Mnn, LearnsWithAllKindsOfSettings) {
  const test::Folder folder;
  const Dataset data = test::toy_data(1);
  for (const Settings& settings : {Settings{},
                                   {{"negatives", "0"}},
                                   {{"negatives", "50"}, {"margin", "0"}},
                                   {{"label_share", "1"}},
                                   {{"label_share", "0.3"}, {"blend", "0"}},
                                   {{"label_share", "0.3"}, {"learners", "2"}},
                                   {{"label_share", "-1"}, {"k", "0"}, {"epochs", "0"}, {"patience", "2"}},
                                   {{"optimiser", "sgd"}, {"rate", "1"}},
                                   {{"clusters", "7"}, {"probes", "3"}, {"precision", "int8"}},
                                   {{"table_precision", "bf16"}, {"learners", "2"}}}) {
    std::vector<std::string> files;
    for (const int threads : {1, 2, 3}) {
      xylem::Run run;
      run.threads = threads;
      const Tagger tagger = Tagger::train(data, options_with(settings), run);
      EXPECT_GT(first_label_is_right(tagger, data), 0.5) << tagger.card();
      tagger.save(folder / "model", true);
      files.push_back(read_whole_file(folder / "model"));
      const Tagger loaded = Tagger::load(folder / "model");
      EXPECT_EQ(loaded.tag(data.features.rows(), 3, {}).scores, tagger.tag(data.features.rows(), 3, {}).scores);
    }
    EXPECT_EQ(files[0], files[1]);
    EXPECT_EQ(files[0], files[2]);
  }
}

TEST(Mnn, LabelsThatShareRowsAreNear) {
  const Dataset data = test::toy_data(1);
  const Tagger tagger = Tagger::train(data, options_with({}), {});
  EXPECT_EQ(tagger.near_labels(0, 3).labels.size(), 3u);
}

TEST(Mnn, SaysWhatItsSettingsLack) {
  const auto error_of = [](const Settings& settings) -> std::string {
    try {
      Tagger::train(test::toy_data(1), options_with(settings), {});
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kUsage);
      return error.what();
    }
    return "none";
  };
  EXPECT_EQ(error_of({{"label_share", "-0.5"}}), "label_share=-0.5: expected -1, or a number from 0 to 1");
  EXPECT_EQ(error_of({{"schedule", "cosine"}, {"epochs", "0"}}),
            "schedule=cosine needs epochs=N, because it falls to 0 with the last of them");
}

}  // namespace
}  // namespace xylem
