// SPDX-License-Identifier: Apache-2.0
#include "methods/dxml/dxml.h"

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
  options.method = "dxml";
  options.settings = {{"hidden", "16"}, {"dim", "8"},        {"batch", "32"}, {"rate", "0.01"},     {"epochs", "6"},
                      {"blend", "0.4"}, {"vote_power", "8"}, {"ridge", "0"},  {"weighting", "0.5"}, {"k", "5"}};
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

TEST(Dxml, LearnsWithAllKindsOfSettings) {
  const test::Folder folder;
  std::string graph;
  const Dataset data = test::toy_data(1);
  for (std::size_t label = 1; label < data.n_labels; ++label) {
    graph += std::to_string(label - 1) + "\t" + std::to_string(label) + "\n";
  }
  test::write_plain(folder / "graph.tsv", graph);
  for (const Settings& settings : {Settings{{"edges", "unweighted"}},
                                   {{"edges", "rowwalk"}, {"window", "2"}},
                                   {{"edges", "file"}, {"label_graph", folder / "graph.tsv"}},
                                   {{"label_vectors", "deepwalk"}, {"deepwalk.walks", "2"}},
                                   {{"schedule", "cosine"}},
                                   {{"schedule", "exponential"}, {"average", "0.5"}},
                                   {{"clusters", "7"}, {"probes", "3"}, {"precision", "int8"}},
                                   {{"table_precision", "bf16"}, {"learners", "2"}},
                                   {{"table_precision", "int8"}, {"blend", "0"}},
                                   {{"ridge", "0.5"}, {"vote_power", "2"}},
                                   {{"ridge", "0.3"}, {"learners", "2"}, {"precision", "int8"}},
                                   {{"blend", "1"}, {"candidates", "20"}}}) {
    std::vector<std::string> files;
    for (const int threads : {1, 3}) {
      xylem::Run run;
      run.threads = threads;
      const Tagger tagger = Tagger::train(data, options_with(settings), run);
      EXPECT_GT(first_label_is_right(tagger, data), 0.5) << settings.begin()->first << " " << settings.begin()->second;
      tagger.save(folder / "model", true);
      files.push_back(read_whole_file(folder / "model"));
      const Tagger loaded = Tagger::load(folder / "model");
      EXPECT_EQ(loaded.tag(data.features.rows(), 3, {}).labels, tagger.tag(data.features.rows(), 3, {}).labels);
    }
    EXPECT_EQ(files[0], files[1]) << settings.begin()->first;
  }
}

TEST(Dxml, SaysWhatItsSettingsLack) {
  const auto error_of = [](const Settings& settings) -> std::string {
    try {
      Tagger::train(test::toy_data(1), options_with(settings), {});
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kUsage);
      return error.what();
    }
    return "none";
  };
  EXPECT_EQ(error_of({{"edges", "file"}}), "edges=file needs label_graph=FILE");
  EXPECT_EQ(error_of({{"label_graph", "g.tsv"}}), "label_graph=g.tsv needs edges=file");
  EXPECT_EQ(error_of({{"edges", "file"}, {"label_graph", "-"}}), "label_graph=-: expected a file, which is read twice");
  EXPECT_EQ(error_of({{"blend", "-0.5"}}), "blend=-0.5: expected -1, or a number from 0 to 1");
  EXPECT_EQ(error_of({{"optimiser", "sgd"}, {"rate", "100"}, {"weight_decay", "1"}, {"epochs", "30"}}),
            "training diverged in epoch 2: try a rate below 100");
  EXPECT_EQ(error_of({{"schedule", "linear"}, {"epochs", "0"}}),
            "schedule=linear needs epochs=N, because it falls to 0 with the last of them");
}

TEST(Dxml, RowsWithoutFeaturesMakeAModelThatLoads) {
  Dataset data;
  data.n_labels = 7;
  for (Label label = 0; label < 40; ++label) {
    data.features.push_back({});
    std::vector<Label> labels = {label % 7, (label + 1) % 7};
    std::ranges::sort(labels);
    data.labels.push_back(labels);
  }
  const test::Folder folder;
  Tagger::train(data, options_with({}), {}).save(folder / "model", true);
  EXPECT_EQ(Tagger::load(folder / "model").tag(data.features.rows(), 3, {}).size(), 40u);
}

TEST(Dxml, RefusesMorePairsOfLabelsThanItCanHold) {
  Dataset data;
  data.n_labels = 20'000;
  for (const Label first : {0u, 1u}) {
    data.features.push_back({});
    std::vector<Label> labels;
    for (Label label = first; label < 20'000; label += 2) labels.push_back(label);
    data.labels.push_back(labels);
  }
  try {
    Tagger::train(data, options_with({{"epochs", "1"}}), {});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kMemory);
    EXPECT_NE(std::string(error.what()).find("edges=rowwalk"), std::string::npos);
  }
}

}  // namespace
}  // namespace xylem
