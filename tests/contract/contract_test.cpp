// SPDX-License-Identifier: Apache-2.0
// What every method promises. Runs over the table: a new method is tested here without an edit.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "algorithms/predict.h"
#include "algorithms/row_scaling.h"
#include "core/file.h"
#include "core/parallel.h"
#include "data/utf8.h"
#include "deadly_checkpoints.h"
#include "folder.h"
#include "model_surgery.h"
#include "toy_data.h"
#include "xylem/error.h"
#include "xylem/metrics.h"
#include "xylem/tagger.h"

namespace xylem {
namespace {

using test::Folder;
using test::toy_data;

class Contract : public ::testing::TestWithParam<const Method*> {
 protected:
  Tagger train(Dataset data, int threads = 2, const Settings& settings = {}) const {
    TrainOptions options;
    options.method = GetParam()->name;
    options.settings = settings;
    xylem::Run run;
    run.threads = threads;
    return Tagger::train(std::move(data), options, run);
  }
  // For tests that look at every bit of a model, or every epoch of its training.
  Settings small_settings() const {
    Settings settings;
    for (const OptionInfo& option : GetParam()->options()) {
      if (option.name == "hidden" || option.name == "dim" || option.name == "code") settings[option.name] = "3";
      if (option.name == "patience") settings[option.name] = "1";
    }
    return settings;
  }
  // The model file's bytes.
  std::string bytes_of_training(int threads) const {
    train(toy_data(1), threads).save(folder_ / "bytes.xylem", true);
    return read_whole_file(folder_ / "bytes.xylem");
  }
  static double precision_at_1(const Tagger& tagger, const Dataset& test) {
    const TopLabels top = tagger.tag(test.features.rows(), 1, {});
    EvalOptions options;
    options.ks = {1};
    options.bootstrap = 0;
    return evaluate(test.labels, top, tagger.training_counts(), options).figure("P@1").value;
  }

  Folder folder_;
};

TEST_P(Contract, LearnsSeparableRowsAndBeatsPopular) {
  const Dataset test = toy_data(2);
  const double precision = precision_at_1(train(toy_data(1)), test);
  if (GetParam()->name == "popular") {
    EXPECT_GT(precision, 100.0 / 12);  // better than a label at random
  } else {
    EXPECT_GT(precision, 90);
    TrainOptions floor;
    floor.method = "popular";
    EXPECT_GT(precision, 30 + precision_at_1(Tagger::train(toy_data(1), floor, {}), test));
  }
}

TEST_P(Contract, GivesTheSameBytesForAnyNumberOfThreads) {
  const std::string one = bytes_of_training(1);
  for (const int threads : {2, 3, 7}) EXPECT_EQ(bytes_of_training(threads), one) << threads << " threads";
}

TEST_P(Contract, PredictsTheSameAfterSavingAndLoading) {
  const Dataset test = toy_data(2);
  const Tagger tagger = train(toy_data(1));
  tagger.save(folder_ / "m.xylem", false);
  const Tagger loaded = Tagger::load(folder_ / "m.xylem");
  const TopLabels before = tagger.tag(test.features.rows(), 7, {});
  const TopLabels after = loaded.tag(test.features.rows(), 7, {});
  EXPECT_EQ(after.offsets, before.offsets);
  EXPECT_EQ(after.labels, before.labels);
  EXPECT_EQ(after.scores, before.scores);
  EXPECT_EQ(loaded.card(), tagger.card());
  EXPECT_EQ(loaded.training_counts().labels, tagger.training_counts().labels);
  loaded.save(folder_ / "again.xylem", false);
  EXPECT_EQ(read_whole_file(folder_ / "again.xylem"), read_whole_file(folder_ / "m.xylem"));
}

TEST_P(Contract, PredictsTheSameForAnyNumberOfThreadsAndAnyBlocks) {
  const Dataset test = toy_data(2, {.rows = 600});
  const Tagger tagger = train(toy_data(1));
  xylem::Run one, three;
  one.threads = 1;
  three.threads = 3;
  const TopLabels all = tagger.tag(test.features.rows(), 5, one);
  const TopLabels parallel = tagger.tag(test.features.rows(), 5, three);
  EXPECT_EQ(parallel.labels, all.labels);
  EXPECT_EQ(parallel.scores, all.scores);
  for (std::size_t row = 0; row < 20; ++row) {
    const TopLabels single = tagger.tag(test.features.rows().slice(row, 1), 5, one);
    const auto expected = all.row_labels(row);
    EXPECT_EQ(single.labels, std::vector<Label>(expected.begin(), expected.end()));
    const auto scores = all.row_scores(row);
    EXPECT_EQ(single.scores, std::vector<float>(scores.begin(), scores.end()));
  }
}

TEST_P(Contract, OrdersByScoreAndThenById) {
  const TopLabels top = train(toy_data(1)).tag(toy_data(2).features.rows(), 12, {});
  for (std::size_t row = 0; row < top.size(); ++row) {
    const auto labels = top.row_labels(row);
    const auto scores = top.row_scores(row);
    for (std::size_t i = 0; i < labels.size(); ++i) {
      EXPECT_TRUE(std::isfinite(scores[i]));
      EXPECT_LT(labels[i], 12u);
      if (i == 0) continue;
      EXPECT_TRUE(scores[i - 1] > scores[i] || (scores[i - 1] == scores[i] && labels[i - 1] < labels[i]));
    }
  }
}

TEST_P(Contract, GivesAtMostKAndAtMostAllLabels) {
  const Tagger tagger = train(toy_data(1));
  const Dataset test = toy_data(2);
  for (const std::size_t k : {0u, 1u, 1000u}) {
    const TopLabels top = tagger.tag(test.features.rows(), k, {});
    ASSERT_EQ(top.size(), test.size());
    for (std::size_t row = 0; row < top.size(); ++row)
      EXPECT_LE(top.row_labels(row).size(), std::min<std::size_t>(k, 12));
  }
}

TEST_P(Contract, GivesKAllowedLabelsWhereItKnowsThem) {
  const Tagger tagger = train(toy_data(1));
  const Dataset test = toy_data(2);
  const TopLabels everything = tagger.tag(test.features.rows(), 12, {});
  LabelFilter allowed(12);
  for (const Label label : {1u, 2u, 5u, 11u}) allowed[label] = true;
  for (const std::size_t k : {0u, 1u, 3u, 1000u}) {
    const TopLabels top = tagger.tag(test.features.rows(), k, {}, &allowed);
    ASSERT_EQ(top.size(), test.size());
    for (std::size_t row = 0; row < top.size(); ++row) {
      std::vector<Label> expected;
      for (const Label label : everything.row_labels(row)) {
        if (allowed[label] && expected.size() < k) expected.push_back(label);
      }
      EXPECT_EQ(std::vector<Label>(top.row_labels(row).begin(), top.row_labels(row).end()), expected);
    }
  }
  const LabelFilter too_short(11);
  EXPECT_EQ(test::kind_of_error([&] { tagger.tag(test.features.rows(), 1, {}, &too_short); }), ErrorKind::kUsage);
}

TEST_P(Contract, NeverPredictsALabelWithoutRows) {
  const TopLabels top = train(toy_data(1)).tag(toy_data(2).features.rows(), 12, {});
  EXPECT_EQ(std::ranges::count(top.labels, Label{11}), 0);
}

void expect_finite(const Explanation& explanation) {
  const auto expect = [](double value) { EXPECT_TRUE(std::isfinite(value)); };
  const auto expect_evidence = [&](const std::vector<Contribution>& evidence) {
    for (std::size_t i = 0; i < evidence.size(); ++i) {
      expect(evidence[i].value);
      EXPECT_NE(evidence[i].value, 0);
      EXPECT_LE(std::abs(evidence[i].value), std::abs(evidence[i > 0 ? i - 1 : 0].value));
    }
  };
  expect(explanation.score);
  expect(explanation.bias);
  expect_evidence(explanation.evidence);
  EXPECT_FALSE(explanation.basis.empty());
  for (const TreePath& path : explanation.paths) {
    expect(path.score);
    for (const PathStep& step : path.steps) {
      expect(step.bias + step.margin + step.score);
      expect_evidence(step.evidence);
    }
  }
  for (const Neighbour& neighbour : explanation.neighbours) expect(neighbour.similarity);
}

TEST_P(Contract, ExplainsScoresAndRanksAsItPredictsThem) {
  const Tagger tagger = train(toy_data(1));
  const Dataset test = toy_data(2, {.rows = 10});
  const TopLabels top = tagger.tag(test.features.rows(), 12, {});
  for (std::size_t row = 0; row < test.size(); ++row) {
    const auto labels = top.row_labels(row);
    for (Label label = 0; label < 12; ++label) {
      const Explanation found = tagger.explain(test.features[row], label);
      EXPECT_EQ(found.label, label);
      expect_finite(found);
      const auto place = static_cast<std::size_t>(std::ranges::find(labels, label) - labels.begin());
      if (place < labels.size()) {
        EXPECT_EQ(found.rank, place + 1);
        EXPECT_EQ(found.score, static_cast<double>(top.row_scores(row)[place]));
      } else {
        EXPECT_FALSE(found.rank);
      }
    }
  }
}

TEST_P(Contract, ExplainsTheSameWayAfterSavingAndLoading) {
  const Tagger tagger = train(toy_data(1));
  tagger.save(folder_ / "m.xylem", false);
  const Tagger loaded = Tagger::load(folder_ / "m.xylem");
  const Dataset test = toy_data(2, {.rows = 3});
  for (std::size_t row = 0; row < test.size(); ++row) {
    for (Label label = 0; label < 12; ++label) {
      const Explanation before = tagger.explain(test.features[row], label);
      const Explanation after = loaded.explain(test.features[row], label);
      EXPECT_EQ(after.score, before.score);
      EXPECT_EQ(after.rank, before.rank);
      EXPECT_EQ(after.basis, before.basis);
      ASSERT_EQ(after.evidence.size(), before.evidence.size());
      for (std::size_t i = 0; i < before.evidence.size(); ++i) {
        EXPECT_EQ(after.evidence[i].feature, before.evidence[i].feature);
        EXPECT_EQ(after.evidence[i].value, before.evidence[i].value);
      }
      EXPECT_EQ(after.paths.size(), before.paths.size());
      EXPECT_EQ(after.neighbours.size(), before.neighbours.size());
    }
  }
}

TEST_P(Contract, ExplainsEmptyRowsUnseenFeaturesAndZeros) {
  const Tagger tagger = train(toy_data(1));
  const std::vector<Feature> unseen = {1000, 4'000'000'000};
  const std::vector<Feature> known = {0, 1};
  for (Label label = 0; label < 12; ++label) {
    expect_finite(tagger.explain(SparseRow{}, label));
    expect_finite(tagger.explain({unseen, std::vector<float>{1, 2}}, label));
    for (const float value : {0.0f, 3e38f, 1e-45f, -1.0f}) {
      expect_finite(tagger.explain({known, std::vector<float>{value, value}}, label));
    }
  }
}

// What a method says that does not know better.
TEST_P(Contract, CanBeExplainedByLeavingFeaturesOut) {
  Dataset data = toy_data(1);
  scale_to_unit(data.features);
  std::unique_ptr<Model> model;
  with_threads(2, [&] { model = GetParam()->train({data, &data}, GetParam()->parse({}), {}).model; });
  const RowBlock row = data.features.rows().slice(0, 1);
  Scratch scratch;
  for (Label label = 0; label < 12; ++label) {
    const Explanation found = model->Model::explain(row, label, scratch);
    expect_finite(found);
    const Explanation known = model->explain(row, label, scratch);
    EXPECT_EQ(found.rank, known.rank);
    EXPECT_EQ(found.score, found.rank ? known.score : 0);
  }
}

TEST_P(Contract, HasAVectorForEachLabelOrSaysThatItHasNone) {
  Dataset data = toy_data(1);
  scale_to_unit(data.features);
  std::unique_ptr<Model> model;
  with_threads(2, [&] { model = GetParam()->train({data, &data}, GetParam()->parse({}), {}).model; });
  if (!GetParam()->has_label_vectors) {
    EXPECT_EQ(test::kind_of_error([&] { model->label_vectors(); }), ErrorKind::kUsage);
    return;
  }
  const LabelVectors vectors = model->label_vectors();
  EXPECT_GT(vectors.dim, 0u);
  EXPECT_EQ(vectors.values.size(), data.n_labels * vectors.dim);
  for (const float value : vectors.values) EXPECT_TRUE(std::isfinite(value));
  for (const float value : vectors[11]) EXPECT_EQ(value, 0);  // no row has it
}

TEST_P(Contract, FindsLabelsNearToALabelOrSaysThatItCannot) {
  const Tagger tagger = train(toy_data(1));
  if (!GetParam()->has_label_vectors) {
    EXPECT_EQ(test::kind_of_error([&] { tagger.near_labels(0, 5); }), ErrorKind::kUsage);
    return;
  }
  tagger.save(folder_ / "m.xylem", false);
  const Tagger loaded = Tagger::load(folder_ / "m.xylem");
  for (Label label = 0; label < 11; ++label) {
    const TopLabels near = tagger.near_labels(label, 1000);
    ASSERT_EQ(near.size(), 1u);
    std::vector<Label> others = near.labels;
    std::ranges::sort(others);
    std::vector<Label> expected;
    for (Label other = 0; other < 11; ++other) {
      if (other != label) expected.push_back(other);
    }
    EXPECT_EQ(others, expected);
    EXPECT_TRUE(std::ranges::is_sorted(near.scores, std::greater()));
    for (const float cosine : near.scores) EXPECT_LE(std::abs(cosine), 1.0f);
    EXPECT_EQ(loaded.near_labels(label, 1000).labels, near.labels);
    EXPECT_EQ(loaded.near_labels(label, 1000).scores, near.scores);
    EXPECT_EQ(tagger.near_labels(label, 2).labels, std::vector<Label>(near.labels.begin(), near.labels.begin() + 2));
    EXPECT_TRUE(tagger.near_labels(label, 0).labels.empty());
  }
  EXPECT_TRUE(tagger.near_labels(11, 5).labels.empty());
  EXPECT_EQ(test::kind_of_error([&] { tagger.near_labels(12, 5); }), ErrorKind::kUsage);
}

TEST_P(Contract, AcceptsEmptyRowsUnseenFeaturesAndZeros) {
  const Tagger tagger = train(toy_data(1));
  SparseMatrix rows;
  rows.push_back({});
  const std::vector<Feature> unseen = {1000, 4'000'000'000};
  const std::vector<Feature> known = {0, 1};
  rows.push_back({unseen, std::vector<float>{1, 2}});
  rows.push_back({known, std::vector<float>{0, 0}});
  rows.push_back({known, std::vector<float>{3e38f, 3e38f}});
  rows.push_back({known, std::vector<float>{1e-45f, 1e-45f}});
  rows.push_back({known, std::vector<float>{-1, -1}});
  const TopLabels top = tagger.tag(rows.rows(), 5, {});
  EXPECT_EQ(top.size(), 6u);
  for (const float score : top.scores) EXPECT_TRUE(std::isfinite(score));
}

TEST_P(Contract, TrainsOnRowsWithoutFeaturesOrLabels) {
  Dataset data = toy_data(1);
  const std::vector<Label> label = {3};
  const std::vector<Feature> feature = {5};
  data.features.push_back({});
  data.labels.push_back(label);
  data.features.push_back({feature, std::vector<float>{1}});
  data.labels.push_back({});
  data.features.push_back({});
  data.labels.push_back({});
  const Tagger tagger = train(data);
  EXPECT_EQ(tagger.training_counts().rows, data.size());
  EXPECT_GT(precision_at_1(tagger, toy_data(2)), 8);
}

TEST_P(Contract, RefusesDataWithoutAnyLabel) {
  Dataset data = toy_data(1);
  data.labels.ids.clear();
  data.labels.offsets.assign(data.size() + 1, 0);
  EXPECT_EQ(test::kind_of_error([&] { train(std::move(data)); }), ErrorKind::kData);
}

TEST_P(Contract, RefusesOptionsThatMakeNoSense) {
  TrainOptions options;
  options.method = GetParam()->name;
  const auto expect_refused = [&](const std::string& name, const std::string& value) {
    options.settings = {{name, value}};
    try {
      Tagger::train(toy_data(1), options, {});
      FAIL() << name << " = " << value << " was accepted";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kUsage);
      EXPECT_NE(std::string(error.what()).find(name), std::string::npos) << error.what();
    }
  };
  expect_refused("no_such_option", "1");
  for (const OptionInfo& option : GetParam()->options()) {
    if (option.type == "text") continue;
    expect_refused(option.name, "broken");
    expect_refused(option.name, "");
    if (!option.range.empty()) {
      expect_refused(option.name, "-987654321");
      expect_refused(option.name, "9e99");
    }
  }
}

TEST_P(Contract, PlansEnoughMemoryForItsModel) {
  const Dataset data = toy_data(1, {.rows = 3000});
  const DataShape shape = shape_of(data);
  const Tagger tagger = train(data);
  tagger.save(folder_ / "m.xylem", false);
  const MemoryPlan plan = GetParam()->plan(shape, GetParam()->parse({}), 2);
  EXPECT_GE(plan.training, plan.model);
  constexpr std::size_t kContainer = 4096;  // header, card and label counts
  EXPECT_LE(read_whole_file(folder_ / "m.xylem").size(), plan.model + kContainer);
}

TEST_P(Contract, PlansNoLessForMore) {
  const DataShape shapes[] = {
      {1, 1, 1, 1, 1}, {300, 82, 12, 1500, 450}, {45000, 38616, 4271, 10401240, 228322}, {1, 1 << 30, 1, 1, 1}};
  constexpr std::size_t DataShape::*kSizes[] = {&DataShape::rows, &DataShape::features, &DataShape::labels,
                                                &DataShape::nonzeros, &DataShape::label_pairs};
  for (const DataShape& shape : shapes) {
    const auto expect_no_less = [&](const DataShape& more, std::size_t threads) {
      const MemoryPlan before = GetParam()->plan(shape, GetParam()->parse({}), 2);
      const MemoryPlan after = GetParam()->plan(more, GetParam()->parse({}), threads);
      EXPECT_GE(after.training, before.training);
      EXPECT_GE(after.model, before.model);
    };
    for (const auto size : kSizes) {
      for (const std::size_t factor : {2u, 3u, 1000u}) {
        DataShape more = shape;
        more.*size *= factor;
        expect_no_less(more, 2);
      }
    }
    expect_no_less(shape, 3);
    expect_no_less(shape, 64);
  }
}

TEST_P(Contract, StopsBeforeWorkThatNeedsTooMuchMemory) {
  TrainOptions options;
  options.method = GetParam()->name;
  options.max_memory = 1000;
  try {
    Tagger::train(toy_data(1), options, {});
    FAIL() << "it trained in 1000 bytes";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kMemory);
  }
}

// Whatever it writes: it may be killed after each time.
TEST_P(Contract, ResumesWithTheSameBytes) {
  TrainOptions options;
  options.method = GetParam()->name;
  options.settings = small_settings();
  options.valid_fraction = 0.2;
  const auto bytes = [&](Checkpoints* checkpoints) {
    xylem::Run run;
    run.threads = 2;
    run.checkpoints = checkpoints;
    Tagger::train(toy_data(1), options, run).save(folder_ / "m.xylem", true);
    return read_whole_file(folder_ / "m.xylem");
  };
  const std::string undisturbed = bytes(nullptr);
  std::size_t n_kills = 0;
  for (bool killed = true; killed; n_kills += killed) {
    killed = test::dies([&] {
      test::DeadlyCheckpoints checkpoints(folder_ / "checkpoint", static_cast<int>(n_kills) + 1);
      bytes(&checkpoints);
    });
    FolderCheckpoints left(folder_ / "checkpoint");
    EXPECT_EQ(bytes(&left), undisturbed) << "killed after " << n_kills + 1;
    left.clear();
  }
  EXPECT_GE(n_kills, 1u);  // the choice at least
}

TEST_P(Contract, StopsWhenAsked) {
  const Tagger tagger = train(toy_data(1));
  const std::atomic<bool> cancel{true};
  xylem::Run run;
  run.cancel = &cancel;
  EXPECT_EQ(test::kind_of_error([&] { tagger.tag(toy_data(2).features.rows(), 5, run); }), ErrorKind::kInterrupted);
  TrainOptions options;
  options.method = GetParam()->name;
  options.valid_fraction = 0.2;
  EXPECT_EQ(test::kind_of_error([&] { Tagger::train(toy_data(1), options, run); }), ErrorKind::kInterrupted);
}

// Whenever it is asked: there is a model that works, or none.
TEST_P(Contract, StoppedHalfwayGivesAModelOrNone) {
  TrainOptions options;
  options.method = GetParam()->name;
  options.settings = small_settings();
  options.valid_fraction = 0.2;
  bool stopped = true;
  for (std::size_t n_reports = 1; stopped; n_reports *= 2) {
    std::atomic<bool> cancel{false};
    std::size_t seen = 0;
    xylem::Run run;
    run.cancel = &cancel;
    run.on_progress = [&](const Progress&) { cancel = cancel || ++seen == n_reports; };
    try {
      Tagger::train(toy_data(1), options, run).save(folder_ / "m.xylem", true);
      const Tagger tagger = Tagger::load(folder_ / "m.xylem");
      EXPECT_EQ(tagger.tag(toy_data(2).features.rows(), 5, {}).size(), toy_data(2).size());
      EXPECT_TRUE(cancel || tagger.interrupted().empty());
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kInterrupted) << error.what();
    }
    stopped = cancel;
  }
}

// Of the toy rows those without the labels 8 to 10, of which there is nothing, and those with one of them.
struct LateLabels {
  Dataset early, late;
};
LateLabels late_labels() {
  const Dataset data = toy_data(1);
  std::vector<std::size_t> early, late;
  for (std::size_t row = 0; row < data.size(); ++row) (data.labels[row].back() < 8 ? early : late).push_back(row);
  LateLabels result{select_rows(data, early), select_rows(data, late)};
  result.early.n_labels = 8;
  return result;
}

TEST_P(Contract, LearnsRowsWithNewLabelsOrSaysThatItCannot) {
  const LateLabels data = late_labels();
  const Tagger before = train(data.early);
  if (!GetParam()->learns) {
    EXPECT_EQ(test::kind_of_error([&] { before.learn(data.late, {}, {}); }), ErrorKind::kUsage);
    return;
  }
  const Tagger after = before.learn(data.late, {}, {});
  EXPECT_EQ(after.n_labels(), 12u);
  EXPECT_EQ(after.training_counts().labels, label_counts(toy_data(1)));
  const Dataset test = toy_data(2);
  const TopLabels top = after.tag(test.features.rows(), 12, {}), old = before.tag(test.features.rows(), 12, {});
  std::size_t n_late = 0, n_found = 0, n_early = 0, n_unchanged = 0;
  for (std::size_t row = 0; row < test.size(); ++row) {
    const bool late = test.labels[row].back() >= 8;
    const auto best = top.row_labels(row).front();
    if (late && test.labels[row].front() >= 8) {
      ++n_late;
      n_found += std::ranges::binary_search(test.labels[row], best);
    } else if (!late) {
      ++n_early;
      n_unchanged += best == old.row_labels(row).front();
    }
    EXPECT_EQ(std::ranges::count(top.row_labels(row), Label{11}), 0);
  }
  ASSERT_GT(n_late, 20u);
  EXPECT_GT(n_found, n_late * 9 / 10);
  EXPECT_GT(n_unchanged, n_early * 9 / 10);
  after.save(folder_ / "m.xylem", false);
  const Tagger loaded = Tagger::load(folder_ / "m.xylem");
  const TopLabels again = loaded.tag(test.features.rows(), 12, {});
  EXPECT_EQ(again.labels, top.labels);
  EXPECT_EQ(again.scores, top.scores);
  EXPECT_EQ(loaded.card(), after.card());
  for (Label label = 0; label < 12; ++label) expect_finite(loaded.explain(test.features[0], label));
}

TEST_P(Contract, LearnsTheSameBytesForAnyNumberOfThreadsAndFromALoadedModel) {
  if (!GetParam()->learns) return;
  const LateLabels data = late_labels();
  const Tagger before = train(data.early);
  before.save(folder_ / "m.xylem", false);
  const Tagger loaded = Tagger::load(folder_ / "m.xylem");
  const auto bytes = [&](const Tagger& tagger, int threads) {
    xylem::Run run;
    run.threads = threads;
    tagger.learn(data.late, {}, run).save(folder_ / "bytes.xylem", true);
    return read_whole_file(folder_ / "bytes.xylem");
  };
  const std::string one = bytes(before, 1);
  for (const int threads : {2, 3, 7}) EXPECT_EQ(bytes(before, threads), one) << threads << " threads";
  EXPECT_EQ(bytes(loaded, 2), one);
}

TEST_P(Contract, LearnsTwiceWhatItLearnsAtOnce) {
  if (!GetParam()->learns) return;
  const LateLabels data = late_labels();
  const Tagger before = train(data.early);
  std::vector<std::size_t> first, second;
  for (std::size_t row = 0; row < data.late.size(); ++row) (row < 20 ? first : second).push_back(row);
  const Tagger once = before.learn(data.late, {}, {});
  const Tagger twice =
      before.learn(select_rows(data.late, first), {}, {}).learn(select_rows(data.late, second), {}, {});
  const Dataset test = toy_data(2);
  const TopLabels expected = once.tag(test.features.rows(), 12, {}), found = twice.tag(test.features.rows(), 12, {});
  EXPECT_EQ(found.labels, expected.labels);
  EXPECT_EQ(found.scores, expected.scores);
  EXPECT_EQ(twice.training_counts().labels, once.training_counts().labels);
}

TEST_P(Contract, FindsEveryCutAndEveryFlippedBit) {
  train(toy_data(1, {.rows = 12, .labels = 4, .words_a_label = 4, .common_words = 2}), 2, small_settings())
      .save(folder_ / "m.xylem", false);
  const std::string whole = read_whole_file(folder_ / "m.xylem");
  const std::string path = folder_ / "damaged.xylem";
  for (std::size_t length = 0; length < whole.size(); ++length) {
    test::write_plain(path, whole.substr(0, length));
    EXPECT_EQ(test::kind_of_error([&] { Tagger::load(path); }), ErrorKind::kModel) << "cut at " << length;
  }
  for (std::size_t bit = 0; bit < 8 * whole.size(); ++bit) {
    std::string damaged = whole;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << (bit % 8)));
    test::write_plain(path, damaged);
    EXPECT_EQ(test::kind_of_error([&] { Tagger::load(path); }), ErrorKind::kModel) << "bit " << bit;
  }
}

// A file can be wrong on purpose, with a right checksum. Every element of every array and every text in turn is set to
// values that break assumptions; loading refuses it, or what is loaded can be used.
TEST_P(Contract, SurvivesFilesThatLie) {
  Dataset data = toy_data(1, {.rows = 12, .labels = 4, .words_a_label = 4, .common_words = 2});
  for (const char* name : {"a", "b", "c", "d"}) data.label_names.push_back(name);
  train(data, 2, small_settings()).save(folder_ / "m.xylem", false);
  const std::string path = folder_ / "forged.xylem";
  std::size_t refused = 0;
  std::vector<std::string> all = test::forged_models(folder_ / "m.xylem");
  std::ranges::move(test::models_with_forged_texts(folder_ / "m.xylem"), std::back_inserter(all));
  for (const std::string& forged : all) {
    test::write_plain(path, forged);
    try {
      const Tagger tagger = Tagger::load(path);
      const TopLabels top = tagger.tag(data.features.rows(), 5, {});
      EXPECT_EQ(top.size(), data.size());
      for (const float score : top.scores) EXPECT_TRUE(std::isfinite(score));
      Dataset more = data;
      more.label_names = tagger.label_names();
      test::kind_of_error([&] { tagger.learn(more, {}, {}).tag(data.features.rows(), 5, {}); });
      for (const Label label : top.labels) EXPECT_EQ(find_bad_utf8(tagger.label_name(label)).size, 0u);
      for (Label label = 0; label < tagger.n_labels(); ++label) {
        tagger.explain(data.features[0], label);
        if (!tagger.method().has_label_vectors) continue;
        for (const float cosine : tagger.near_labels(label, 5).scores) EXPECT_LE(std::abs(cosine), 1.0f);
      }
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kModel);
      ++refused;
    }
  }
  EXPECT_GT(refused, 0u);
}

INSTANTIATE_TEST_SUITE_P(AllMethods, Contract, ::testing::ValuesIn(methods().begin(), methods().end()),
                         [](const auto& method) {
                           std::string name(method.param->name);
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace xylem
