// SPDX-License-Identifier: Apache-2.0
// Seconds are the machine's: only what does not depend on it is tested here.
#include "tagger/cost.h"

#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>

#include "folder.h"
#include "toy_data.h"
#include "xylem/error.h"
#include "xylem/tagger.h"

namespace xylem {
namespace {

CostOptions all_methods() {
  CostOptions options;
  options.methods.assign(methods().begin(), methods().end());
  options.seconds = 1;
  return options;
}

Corpus toy_texts(std::size_t rows) {
  const Dataset data = test::toy_data(1, {.rows = rows});
  Corpus corpus;
  for (std::size_t row = 0; row < data.size(); ++row) {
    std::string text;
    for (const Feature feature : data.features[row].ids) text += "word" + std::to_string(feature) + ' ';
    corpus.texts.push_back(text);
    corpus.labels.push_back(data.labels[row]);
  }
  for (std::size_t label = 0; label < data.n_labels; ++label)
    corpus.label_names.push_back("name" + std::to_string(label));
  return corpus;
}

TEST(Cost, IsEstimatedForEveryMethod) {
  const Dataset data = test::toy_data(1, {.rows = 600});
  for (const TrainingCost& cost : estimate_costs(data, all_methods(), {})) {
    EXPECT_GT(cost.memory, 1'000'000U);
    EXPECT_EQ(cost.labelled_rows, 600U);
    EXPECT_NE(cost.seconds.has_value(), !cost.problem.empty()) << cost.problem;
    EXPECT_GT(cost.seconds.value_or(1), 0);
  }
}

TEST(Cost, KnowsTheSizeOfTheModelFile) {
  const test::Folder folder;
  for (const char* method : {"knn", "popular"}) {  // whose plans are exact
    CostOptions options;
    options.methods = {&find_method(method)};
    options.seconds = 1000;  // a slow machine shall look at as many rows
    TrainOptions training;
    training.method = method;
    const auto size = [&](const Tagger& tagger) {
      tagger.save(folder / "model", true);
      return static_cast<double>(std::filesystem::file_size(folder / "model"));
    };
    const Dataset data = test::toy_data(1, {.rows = 5000});
    const double rows = size(Tagger::train(data, training, {}));
    EXPECT_NEAR(static_cast<double>(estimate_costs(data, options, {})[0].model), rows, 5000 + rows / 10) << method;
    const Corpus corpus = toy_texts(5000);
    const double texts = size(Tagger::train(corpus, training, {}));
    EXPECT_NEAR(static_cast<double>(estimate_costs(corpus, options, {})[0].model), texts, 5000 + texts / 10) << method;
  }
}

TEST(Cost, TellsWhyThereIsNone) {
  Dataset data = test::toy_data(1, {.rows = 5});
  data.labels = {};
  for (int i = 0; i < 5; ++i) data.labels.push_back({});
  for (const TrainingCost& cost : estimate_costs(data, all_methods(), {})) {
    EXPECT_FALSE(cost.seconds);
    EXPECT_EQ(cost.problem, "no row has a label");
  }
  Corpus corpus;
  corpus.label_names.push_back("a");
  corpus.texts.push_back("?! ...");
  corpus.labels.push_back(std::vector<Label>{0});
  for (const TrainingCost& cost : estimate_costs(corpus, all_methods(), {})) {
    EXPECT_FALSE(cost.seconds);
    EXPECT_NE(cost.problem.find("no word is left"), std::string::npos) << cost.problem;
  }
}

TEST(Cost, StopsWhenAsked) {
  const std::atomic<bool> cancel = true;
  xylem::Run run;
  run.cancel = &cancel;
  EXPECT_THROW(estimate_costs(test::toy_data(1), all_methods(), run), Error);
  EXPECT_THROW(estimate_costs(toy_texts(300), all_methods(), run), Error);
}

}  // namespace
}  // namespace xylem
