// SPDX-License-Identifier: Apache-2.0
// A model that learns more rows.
#include <algorithm>

#include "contract.h"
#include "core/file.h"
#include "kind_of_error.h"
#include "toy_data.h"
#include "xylem/error.h"

namespace xylem {
namespace {

using test::toy_data;

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

}  // namespace
}  // namespace xylem
