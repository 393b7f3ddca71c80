// SPDX-License-Identifier: Apache-2.0
#include "tagger/probes.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "core/file.h"
#include "folder.h"
#include "model_surgery.h"
#include "toy_data.h"
#include "xylem/tagger.h"

namespace xylem {
namespace {

class ProbesOfMethods : public ::testing::TestWithParam<const Method*> {
 protected:
  Tagger train() const {
    TrainOptions options;
    options.method = GetParam()->name;
    for (const OptionInfo& option : GetParam()->options()) {
      if (option.name == "epochs") options.settings["epochs"] = "2";
    }
    return Tagger::train(test::toy_data(1), options, {});
  }
  static void expect_equal(const Tagger& tagger) {
    const auto outcome = tagger.verify_probes();
    ASSERT_TRUE(outcome);
    EXPECT_EQ(outcome->rows, kProbeRows);
    EXPECT_TRUE(outcome->equal) << outcome->difference;
  }
  test::Folder folder_;
};

TEST_P(ProbesOfMethods, ArePredictedAsBeforeFromTheFile) {
  const Tagger tagger = train();
  expect_equal(tagger);
  tagger.save(folder_ / "m.xylem", false);
  expect_equal(Tagger::load(folder_ / "m.xylem"));
}

TEST_P(ProbesOfMethods, AreMadeAnewWhenTheModelLearns) {
  if (!GetParam()->learns) return;
  Dataset more = test::toy_data(2, {.rows = 50});
  more.n_labels += 1;
  const Tagger learned = train().learn(std::move(more), {}, {});
  expect_equal(learned);
}

INSTANTIATE_TEST_SUITE_P(AllMethods, ProbesOfMethods, ::testing::ValuesIn(methods().begin(), methods().end()),
                         [](const auto& method) {
                           std::string name(method.param->name);
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

Tagger train_popular() {
  TrainOptions options;
  options.method = "popular";
  return Tagger::train(test::toy_data(1), options, {});
}

Corpus small_corpus() {
  Corpus corpus;
  for (const char* name : {"x", "y"}) corpus.label_names.push_back(name);
  for (Label i = 0; i < 40; ++i) {
    corpus.texts.push_back(i % 2 == 0 ? "secret apple pie recipe" : "blue ocean sailing boat");
    corpus.labels.push_back(std::vector<Label>{i % 2});
  }
  return corpus;
}

TEST(Probes, DependOnTheSeedAlone) {
  const Tagger tagger = train_popular();
  EXPECT_EQ(make_probes(tagger, 1, {}).rows, make_probes(tagger, 1, {}).rows);
  EXPECT_NE(make_probes(tagger, 1, {}).rows, make_probes(tagger, 2, {}).rows);
}

TEST(Probes, OfTextsAreWordsOfTheVocabularyAndNoTrainingText) {
  TrainOptions options;
  options.method = "knn";
  options.settings = {{"k", "3"}};
  const Corpus corpus = small_corpus();
  const Tagger tagger = Tagger::train(corpus, options, {});
  const Probes probes = make_probes(tagger, 1, {});
  EXPECT_TRUE(probes.of_texts);
  ASSERT_EQ(probes.rows.size(), kProbeRows);
  for (const std::string& row : probes.rows) {
    EXPECT_NE(row, "");
    EXPECT_EQ(row.find("secret apple pie recipe"), std::string::npos);
  }
  EXPECT_TRUE(tagger.verify_probes()->equal);
}

TEST(Probes, TellHowFarThePredictionsAre) {
  const Tagger tagger = train_popular();
  Probes probes = make_probes(tagger, 1, {});
  EXPECT_TRUE(run_probes(tagger, probes, {}).equal);
  const Probes good = probes;
  const TopLabels top = tagger.tag(test::toy_data(1).features.rows().slice(0, 1), kProbeLabels, {});
  const auto row = [&](float change, std::size_t n) {
    std::string text;
    for (std::size_t i = 0; i < n; ++i) {
      if (i > 0) text += ' ';
      text += fmt::format("{}:{}", top.labels[i], top.scores[i] + (i == 0 ? change : 0));
    }
    return text;
  };
  probes.predictions[2] = row(0.25f, top.labels.size());
  ProbeOutcome outcome = run_probes(tagger, probes, {});
  EXPECT_FALSE(outcome.equal);
  EXPECT_NEAR(outcome.difference, 0.25, 1e-6);
  probes.predictions[2] = row(0, top.labels.size() - 1);
  outcome = run_probes(tagger, probes, {});
  EXPECT_FALSE(outcome.equal);
  EXPECT_TRUE(std::isinf(outcome.difference));
  EXPECT_EQ(good.predictions[2], row(0, top.labels.size()));
}

TEST(Probes, ThatMakeNoSenseAreRefused) {
  const Tagger tagger = train_popular();
  const Probes good = make_probes(tagger, 1, {});
  for (const char* row : {"1", "1:", ":1", "2:1 1:1", "1:nan", "-1:2", "a:b", "1:1  2:2"}) {
    Probes probes = good;
    probes.rows[0] = row;
    EXPECT_EQ(test::kind_of_error([&] { run_probes(tagger, probes, {}); }), ErrorKind::kModel) << row;
  }
  Probes probes = good;
  probes.predictions[0] = "nonsense";
  EXPECT_EQ(test::kind_of_error([&] { run_probes(tagger, probes, {}); }), ErrorKind::kModel);
  probes = good;
  probes.predictions.pop_back();
  EXPECT_EQ(test::kind_of_error([&] { run_probes(tagger, probes, {}); }), ErrorKind::kModel);
  probes = good;
  probes.of_texts = true;
  EXPECT_EQ(test::kind_of_error([&] { run_probes(tagger, probes, {}); }), ErrorKind::kModel);
}

}  // namespace
}  // namespace xylem
