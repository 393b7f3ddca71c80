// SPDX-License-Identifier: Apache-2.0
// The contract's data sets are so small that the default options make one leaf of them; here there are trees.
#include "methods/parabel/parabel.h"

#include <gtest/gtest.h>

#include "core/file.h"
#include "deadly_checkpoints.h"
#include "folder.h"
#include "model_surgery.h"
#include "toy_data.h"
#include "xylem/metrics.h"
#include "xylem/tagger.h"

namespace xylem {
namespace {

const std::vector<Settings> kTrees = {
    {{"arity", "2"}, {"max_leaf", "1"}, {"trees", "2"}},
    {{"arity", "3"}, {"max_leaf", "4"}, {"balanced", "no"}},
    {{"arity", "4"}, {"max_leaf", "2"}, {"max_depth", "1"}, {"prune", "0"}},
    {{"preset", "paper"}, {"max_leaf", "3"}, {"tail", "0.5"}},
    {{"preset", "accurate"}, {"max_leaf", "3"}},
    {{"arity", "3"}, {"max_leaf", "4"}, {"trees", "2"}, {"negatives", "node+predicted"}, {"beam_width", "4"}},
    {{"arity", "2"}, {"max_leaf", "8"}, {"loss", "logistic"}, {"cost", "20"}},
    {{"arity", "4"}, {"max_leaf", "4"}, {"max_node_rows", "250"}},
};

class Parabel : public ::testing::Test {
 protected:
  static Tagger train(Dataset data, const Settings& settings, int threads = 2, Checkpoints* checkpoints = nullptr,
                      std::string* remarks = nullptr) {
    TrainOptions options;
    options.method = "parabel";
    options.settings = settings;
    xylem::Run run;
    run.threads = threads;
    run.checkpoints = checkpoints;
    run.on_remark = [&](const std::string& remark) {
      if (remarks != nullptr) *remarks += remark;
    };
    return Tagger::train(std::move(data), options, run);
  }
  std::string bytes_of(const Tagger& tagger) const {
    tagger.save(path_, true);
    return read_whole_file(path_);
  }
  static double precision_at_1(const Tagger& tagger, const Dataset& test) {
    EvalOptions options;
    options.ks = {1};
    options.bootstrap = 0;
    const TopLabels top = tagger.tag(test.features.rows(), 1, {});
    return evaluate(test.labels, top, tagger.training_counts(), options).figure("P@1").value;
  }

  test::Folder folder_;
  std::string path_ = folder_ / "m.xylem";
};

TEST_F(Parabel, TreesOfEveryShapeLearn) {
  const test::ToyShape shape = {.rows = 2000, .labels = 60};
  for (const Settings& settings : kTrees) {
    EXPECT_GT(precision_at_1(train(test::toy_data(1, shape), settings), test::toy_data(2, shape)), 90);
  }
}

TEST_F(Parabel, TreesAreTheSameForAnyNumberOfThreads) {
  for (const Settings& settings : kTrees) {
    const std::string one = bytes_of(train(test::toy_data(1), settings, 1));
    for (const int threads : {2, 3}) EXPECT_EQ(bytes_of(train(test::toy_data(1), settings, threads)), one);
  }
}

// Rows that reach a node by mistake teach it to say no.
TEST_F(Parabel, PredictedNegativesLowerWrongScores) {
  const test::ToyShape shape = {.rows = 2000, .labels = 60};
  const Dataset test = test::toy_data(2, shape);
  std::vector<double> wrong;  // sums of the scores of wrong labels
  for (const char* negatives : {"node", "node+predicted"}) {
    const Tagger tagger =
        train(test::toy_data(1, shape), {{"arity", "4"}, {"max_leaf", "4"}, {"negatives", negatives}});
    const TopLabels top = tagger.tag(test.features.rows(), 5, {});
    double sum = 0;
    for (std::size_t row = 0; row < test.size(); ++row) {
      for (std::size_t i = top.offsets[row]; i < top.offsets[row + 1]; ++i) {
        if (std::ranges::count(test.labels[row], top.labels[i]) == 0) sum += static_cast<double>(top.scores[i]);
      }
    }
    wrong.push_back(sum);
  }
  EXPECT_LT(wrong[1], 0.9 * wrong[0]);
}

TEST_F(Parabel, ResumesWithTheSameBytesForAnyNumberOfThreads) {
  for (const char* negatives : {"node", "node+predicted"}) {
    // So many passes are allowed that a checkpoint is worth writing; few are made.
    const Settings settings = {
        {"trees", "3"}, {"arity", "2"}, {"max_leaf", "3"}, {"passes", "10000"}, {"negatives", negatives}};
    const auto data = [] { return test::toy_data(1, {.rows = 1000, .labels = 60}); };
    const std::string undisturbed = bytes_of(train(data(), settings));
    for (const int writes : {2, 3, 4}) {  // the first says whose they are
      EXPECT_TRUE(test::dies([&] {
        test::DeadlyCheckpoints deadly(folder_ / "checkpoint", writes);
        train(data(), settings, writes, &deadly);
      }));
      FolderCheckpoints left(folder_ / "checkpoint");
      std::string resumed;
      EXPECT_EQ(bytes_of(train(data(), settings, 6 - writes, &left, &resumed)), undisturbed);
      EXPECT_NE(resumed.find("nodes were found in the checkpoint"), std::string::npos) << resumed;

      Settings other = settings;
      other["cost"] = "2";
      EXPECT_EQ(test::kind_of_error([&] { train(data(), other, 1, &left); }), ErrorKind::kUsage);
      left.clear();
    }
  }
}

// What is there of lower levels must not matter to those above.
TEST_F(Parabel, ResumesWithTheSameBytesWhicheverPartIsMissing) {
  const Settings settings = {{"trees", "3"}, {"arity", "4"}, {"max_leaf", "3"}, {"passes", "10000"}};
  const auto data = [] { return test::toy_data(1, {.rows = 1000, .labels = 60}); };
  const std::filesystem::path folder = folder_ / "checkpoint";
  FolderCheckpoints saved(folder);
  const std::string undisturbed = bytes_of(train(data(), settings, 2, &saved));
  std::vector<std::filesystem::path> parts;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ".checkpoint") parts.push_back(entry.path());
  }
  ASSERT_GT(parts.size(), 2u);
  for (const std::filesystem::path& part : parts) {
    std::filesystem::remove(part);
    EXPECT_EQ(bytes_of(train(data(), settings, 2, &saved)), undisturbed) << part;
  }
}

TEST_F(Parabel, PlanCoversTheModel) {
  for (const Settings& settings : kTrees) {
    const Dataset data = test::toy_data(1, {.rows = 1000, .labels = 60});
    const MemoryPlan plan = parabel_method.plan(shape_of(data), parabel_method.parse(settings), 2);
    constexpr std::size_t kContainer = 4096;
    EXPECT_LE(bytes_of(train(data, settings)).size(), plan.model + kContainer);
  }
}

TEST_F(Parabel, PlanKnowsThatManyFeaturesTakeMemory) {
  for (const Settings& settings : kTrees) {
    Dataset data = test::toy_data(1, {.rows = 100, .labels = 60});
    data.features.n_columns = 1 << 22;
    const MemoryPlan plan = parabel_method.plan(shape_of(data), parabel_method.parse(settings), 2);
    constexpr std::size_t kContainer = 4096;
    EXPECT_LE(bytes_of(train(data, settings)).size(), plan.model + kContainer);
    EXPECT_GE(plan.training, plan.model + 8 * data.features.n_columns);
  }
}

TEST_F(Parabel, PresetGivesOptionsThatAreNotGiven) {
  const Method& method = find_method("parabel");
  const auto value = [&](const Settings& settings, const std::string& name) {
    for (const auto& [key, text] : method.parse(settings).values())
      if (key == name) return text;
    return std::string("none");
  };
  EXPECT_EQ(value({}, "trees"), "1");
  EXPECT_EQ(value({{"preset", "paper"}}, "trees"), "3");
  EXPECT_EQ(value({{"preset", "paper"}}, "arity"), "2");
  EXPECT_EQ(value({{"preset", "paper"}, {"trees", "1"}}, "trees"), "1");
  EXPECT_EQ(value({{"trees", "7"}, {"preset", "accurate"}}, "trees"), "7");
  EXPECT_EQ(value({{"preset", "accurate"}}, "negatives_beam"), "10");
}

TEST_F(Parabel, ThePathCountsLessWhereNodesLearnFromMistakes) {
  const auto weight = [](const Settings& settings) {
    for (const auto& [name, text] : find_method("parabel").parse(settings).values())
      if (name == "path_weight") return text;
    return std::string("none");
  };
  EXPECT_EQ(weight({}), "0.3");
  EXPECT_EQ(weight({{"negatives", "node"}}), "1");
  EXPECT_EQ(weight({{"preset", "paper"}}), "1");
  EXPECT_EQ(weight({{"preset", "paper"}, {"negatives", "node+predicted"}}), "0.3");
  EXPECT_EQ(weight({{"path_weight", "0.5"}}), "0.5");
}

TEST_F(Parabel, SurvivesTreesThatLie) {
  const Dataset data = test::toy_data(1, {.rows = 20, .labels = 6, .words_a_label = 3, .common_words = 2});
  train(data, kTrees[0]).save(path_, false);
  const std::string path = folder_ / "forged.xylem";
  std::size_t refused = 0;
  std::vector<std::string> all = test::forged_models(path_);
  std::ranges::move(test::models_with_forged_texts(path_), std::back_inserter(all));
  for (const std::string& forged : all) {
    test::write_plain(path, forged);
    const auto kind = test::kind_of_error([&] {
      const TopLabels top = Tagger::load(path).tag(data.features.rows(), 5, {});
      EXPECT_EQ(top.size(), data.size());
    });
    EXPECT_EQ(kind.value_or(ErrorKind::kModel), ErrorKind::kModel);
    refused += kind.has_value();
  }
  EXPECT_GT(refused, all.size() / 8);  // any code of a weight is a good one
}

}  // namespace
}  // namespace xylem
