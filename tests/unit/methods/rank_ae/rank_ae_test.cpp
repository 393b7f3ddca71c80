// SPDX-License-Identifier: Apache-2.0
#include "methods/rank_ae/rank_ae.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "core/file.h"
#include "folder.h"
#include "methods/rank_ae/trainer.h"
#include "model_surgery.h"
#include "toy_data.h"
#include "xylem/error.h"
#include "xylem/tagger.h"

namespace xylem {
namespace {

TrainOptions options_with(const Settings& settings) {
  TrainOptions options;
  options.method = "rank-ae";
  options.settings = {{"dim", "24"},   {"code", "24"},   {"hidden", "32"},
                      {"batch", "32"}, {"rate", "0.01"}, {"epochs", "12"}};
  for (const auto& [name, value] : settings) options.settings[name] = value;
  return options;
}

double first_label_is_right(const Tagger& tagger, const Dataset& data) {
  const TopLabels answers = tagger.tag(data.features.rows(), 1, {});
  double right = 0;
  for (std::size_t row = 0; row < data.size(); ++row) {
    if (std::ranges::binary_search(data.labels[row], answers.row_labels(row)[0])) ++right;
  }
  return right / static_cast<double>(data.size());
}

TEST(RankAe, LearnsWithAllKindsOfSettings) {
  const test::Folder folder;
  const Dataset data = test::toy_data(1);
  for (const Settings& settings : {Settings{},
                                   {{"attention", "no"}, {"loss", "bce"}},
                                   {{"softness", "0"}, {"margin", "1"}, {"warmup", "6"}},
                                   {{"output", "sigmoid"}, {"margin", "0.5"}, {"softness", "0.1"}},
                                   {{"decode_labels", "0"}, {"dropout", "0.2"}, {"keep", "0.8"}},
                                   {{"negatives", "3"}, {"reduction", "3"}},
                                   {{"label_start", "random"}, {"inner_rate", "1"}, {"code", "9"}},
                                   {{"optimiser", "adagrad"}, {"rate", "0.1"}, {"average", "0.5"}},
                                   {{"epochs", "0"}, {"patience", "2"}, {"table_precision", "int8"}}}) {
    std::vector<std::string> files;
    for (const int threads : {1, 3}) {
      xylem::Run run;
      run.threads = threads;
      const Tagger tagger = Tagger::train(data, options_with(settings), run);
      EXPECT_GT(first_label_is_right(tagger, data), 0.9) << tagger.card();
      tagger.save(folder / "model", true);
      files.push_back(read_whole_file(folder / "model"));
      const Tagger loaded = Tagger::load(folder / "model");
      EXPECT_EQ(loaded.tag(data.features.rows(), 3, {}).scores, tagger.tag(data.features.rows(), 3, {}).scores);
    }
    EXPECT_EQ(files[0], files[1]);
  }
}

std::string error_of(const Settings& settings) {
  try {
    Tagger::train(test::toy_data(1), options_with(settings), {});
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kUsage);
    return error.what();
  }
  return "none";
}

TEST(RankAe, SaysWhatItsSettingsLack) {
  EXPECT_EQ(error_of({{"decode_features", "no"}, {"decode_labels", "0"}}),
            "decode_features=no needs decode_labels above 0: there would be nothing to learn from");
  EXPECT_EQ(error_of({{"lambda", "0"}}),
            "lambda=0: expected a weight above 0, or the scores of labels would not be learned");
  EXPECT_EQ(error_of({{"word_vectors", "-"}}), "word_vectors=-: expected a file, which is read twice");
  EXPECT_EQ(error_of({{"word_vectors", "glove.txt"}}),
            "word_vectors=glove.txt needs texts: the features of sparse rows have no names");
  EXPECT_EQ(error_of({{"schedule", "cosine"}, {"epochs", "0"}}),
            "schedule=cosine needs epochs=N, because it falls to 0 with the last of them");
  EXPECT_EQ(
      error_of({{"optimiser", "sgd"}, {"rate", "50"}, {"lambda", "1000"}, {"inner_rate", "1"}, {"softness", "0"}}),
      "training diverged in epoch 1: try a rate below 50");
}

TEST(RankAe, LearnsALabelThatAllRowsHave) {
  Dataset data = test::toy_data(1);
  data.labels = {};
  for (std::size_t row = 0; row < data.size(); ++row) data.labels.push_back(std::vector<Label>{3});
  const Tagger tagger = Tagger::train(data, options_with({}), {});
  const TopLabels answers = tagger.tag(data.features.rows(), 2, {});
  EXPECT_EQ(answers.labels, std::vector<Label>(data.size(), 3));
}

Corpus questions() {
  Corpus corpus;
  for (const char* name : {"drink", "sail"}) corpus.label_names.push_back(name);
  for (int i = 0; i < 30; ++i) {
    corpus.texts.push_back(i % 2 == 0 ? "green tea in a cup" : "wind and a boat");
    corpus.labels.push_back(std::vector<Label>{static_cast<Label>(i % 2)});
  }
  return corpus;
}

TEST(RankAe, StartsFromWordVectorsAndSaysHowManyItFound) {
  const test::Folder folder;
  const auto write = [&](const std::string& text) {
    OutputFile file(folder / "vectors.txt", IfExists::kReplace);
    file.write(text);
    file.commit();
  };
  write("tea 1 0 0\nboat 0 1 0\ncat 5 5 5\n");
  std::vector<std::string> remarks;
  xylem::Run run;
  run.on_remark = [&](const std::string& remark) { remarks.push_back(remark.substr(remark.rfind('/') + 1)); };
  const TrainOptions options = options_with({{"dim", "3"}, {"word_vectors", folder / "vectors.txt"}});
  const Tagger tagger = Tagger::train(questions(), options, run);
  EXPECT_EQ(remarks, std::vector<std::string>{"vectors.txt has vectors for 2 of the 8 words of the texts, 25.0 %"});
  std::filesystem::remove(folder / "vectors.txt");  // the model does not need it any more
  tagger.save(folder / "model", false);
  TextList texts;
  texts.push_back("a cup of tea");
  EXPECT_EQ(Tagger::load(folder / "model").tag(texts, 1, {}).labels, std::vector<Label>{0});
}

TEST(RankAe, RefusesACheckpointOfOtherWordVectors) {
  const Dataset data = test::toy_data(1);
  const xylem::Run run;
  rank_ae::NetOptions options;
  options.dim = options.code = options.hidden = 3;
  const rank_ae::Trainer one({data}, options, {}, 1, run, [](Matrix& vectors) { vectors.setOnes(); });
  rank_ae::Trainer other({data}, options, {}, 1, run, [](Matrix& vectors) { vectors.setZero(); });
  std::string bytes;
  one.save(bytes, false);
  std::string_view rest = bytes;
  EXPECT_EQ(test::kind_of_error([&] { other.load(rest, false); }), ErrorKind::kUsage);
}

}  // namespace
}  // namespace xylem
