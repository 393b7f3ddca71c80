// SPDX-License-Identifier: Apache-2.0
#include "algorithms/epochs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "core/bytes.h"
#include "deadly_checkpoints.h"
#include "folder.h"
#include "xylem/error.h"

namespace xylem {
namespace {

// What it learns is a hash of all orders and rates so far; its figures are written down beforehand.
class Diary final : public EpochTrainer {
 public:
  explicit Diary(std::vector<double> figures = {}) : figures_(std::move(figures)) {}

  double epoch(std::span<const std::uint32_t> order, std::size_t number, double rate,
               const std::function<void(std::size_t)>& on_rows) override {
    for (const std::uint32_t row : order)
      state_.sum = state_.sum * 31 + row * 7 + static_cast<std::uint64_t>(rate * 1e6);
    on_rows(order.size() / 2);
    state_.number = number;
    on_rows(order.size());
    return number == diverges_in ? std::numeric_limits<double>::quiet_NaN() : 1.0 / static_cast<double>(number);
  }
  bool make_candidate() override {
    candidate_ = state_;
    return true;
  }
  double figure_of_candidate() override {
    asked.push_back(candidate_.number);
    return figures_.at(candidate_.number - 1);
  }
  void keep_candidate() override { kept_ = candidate_; }
  void save(std::string& bytes, bool with_kept) const override {
    append_bytes(bytes, std::span(&state_, 1));
    if (with_kept) append_bytes(bytes, std::span(&kept_, 1));
  }
  void load(std::string_view& bytes, bool with_kept) override {
    take_bytes(bytes, std::span(&state_, 1));
    kept_ = state_;
    if (with_kept) take_bytes(bytes, std::span(&kept_, 1));
  }

  std::uint64_t kept_epoch() const { return kept_.number; }
  std::uint64_t kept_sum() const { return kept_.sum; }

  std::vector<std::uint64_t> asked;  // the epochs whose figures were
  std::size_t diverges_in = 0;

 private:
  struct State {
    std::uint64_t number = 0, sum = 0;
  };
  State state_, candidate_, kept_;
  std::vector<double> figures_;
};

const std::vector<std::uint32_t> kRows = {2, 3, 5, 7, 11, 13};

EpochOptions options_with(int epochs, int patience = 2) {
  EpochOptions options;
  options.epochs = epochs;
  options.patience = patience;
  options.optimiser.schedule = Schedule::kExponential;
  return options;
}

EpochsDone learn(Diary& diary, const EpochOptions& options, const Run& run = {}, bool has_choice = false) {
  return run_epochs(diary, kRows, options, has_choice, run.seed, "train", run);
}

TEST(LearnEpochs, StopsWithoutGainAndKeepsTheBest) {
  Diary diary({10, 30, 20, 30, 99});
  const EpochsDone done = learn(diary, options_with(0));
  EXPECT_EQ(done.epochs, 2u);
  EXPECT_FALSE(done.interrupted);
  EXPECT_EQ(diary.kept_epoch(), 2u);
  EXPECT_EQ(diary.asked, (std::vector<std::uint64_t>{1, 2, 3, 4}));
}

TEST(LearnEpochs, GivenEpochsKeepTheLastAndAskForFiguresOnlyWhereTheyChoose) {
  Diary diary({10, 30, 20});
  EXPECT_EQ(learn(diary, options_with(3)).epochs, 3u);
  EXPECT_EQ(diary.kept_epoch(), 3u);
  EXPECT_TRUE(diary.asked.empty());
  Diary chooser({10, 30, 20});
  EXPECT_EQ(learn(chooser, options_with(3), {}, true).epochs, 3u);
  EXPECT_EQ(chooser.kept_epoch(), 3u);
  EXPECT_EQ(chooser.asked, std::vector<std::uint64_t>{3});
}

TEST(LearnEpochs, EveryEpochAndSeedHasAnOrderOfItsOwn) {
  const auto sum = [](int epochs, std::uint64_t seed) {
    Diary diary;
    xylem::Run run;
    run.seed = seed;
    learn(diary, options_with(epochs), run);
    return diary.kept_sum();
  };
  EXPECT_EQ(sum(2, 1), sum(2, 1));
  EXPECT_NE(sum(2, 1), sum(2, 2));
  EXPECT_NE(sum(1, 1), sum(2, 1));
}

TEST(LearnEpochs, RefusesACheckpointThatItCannotHaveWritten) {
  const test::Folder folder;
  FolderCheckpoints checkpoints(folder.path());
  xylem::Run run;
  run.checkpoints = &checkpoints;
  Diary diary({10, 30, 20, 30, 99});
  learn(diary, options_with(0), run);
  const std::string whole = *checkpoints.read("train");
  const auto is_refused = [&](const std::string& bytes) {
    checkpoints.write("train", bytes);
    try {
      learn(diary, options_with(0), run);
    } catch (const Error& error) {
      return error.kind() == ErrorKind::kUsage;
    }
    return false;
  };
  for (std::size_t size = 0; size < whole.size(); ++size) EXPECT_TRUE(is_refused(whole.substr(0, size))) << size;
  EXPECT_TRUE(is_refused(whole + "x"));
  std::string with_best_of_the_future = whole;
  with_best_of_the_future[sizeof(std::uint64_t)] = 99;
  EXPECT_TRUE(is_refused(with_best_of_the_future));
  std::string without_epochs = whole;
  without_epochs[0] = 0;
  EXPECT_TRUE(is_refused(without_epochs));
}

TEST(LearnEpochs, GoesOnAfterADeathToTheSameEnd) {
  const std::vector<double> figures = {10, 30, 20, 40, 5, 6, 7};
  for (const int epochs : {0, 5}) {
    Diary undisturbed(figures);
    const EpochsDone expected = learn(undisturbed, options_with(epochs));
    for (int writes = 1; writes <= 4; ++writes) {
      const test::Folder folder;
      xylem::Run run;
      EXPECT_TRUE(test::dies([&] {
        test::DeadlyCheckpoints deadly(folder.path(), writes);
        run.checkpoints = &deadly;
        Diary dying(figures);
        learn(dying, options_with(epochs), run);
      }));
      FolderCheckpoints checkpoints(folder.path());
      run.checkpoints = &checkpoints;
      Diary resumed(figures);
      const EpochsDone done = learn(resumed, options_with(epochs), run);
      EXPECT_EQ(done.epochs, expected.epochs);
      EXPECT_EQ(resumed.kept_epoch(), undisturbed.kept_epoch());
      EXPECT_EQ(resumed.kept_sum(), undisturbed.kept_sum());
    }
  }
}

TEST(LearnEpochs, AskedToStopItLeavesTheBestSoFar) {
  std::atomic<bool> cancel = false;
  xylem::Run run;
  run.cancel = &cancel;
  run.on_progress = [&](const Progress& progress) { cancel = progress.done == 3 && progress.part == 0; };
  Diary diary({10, 30, 20, 40, 50});
  const EpochsDone done = learn(diary, options_with(0), run);
  EXPECT_TRUE(done.interrupted);
  EXPECT_EQ(done.epochs, 2u);
  EXPECT_EQ(diary.kept_epoch(), 2u);
  cancel = true;
  Diary none({10});
  EXPECT_THROW(learn(none, options_with(0), run), Error);
}

TEST(LearnEpochs, SaysWhenTrainingDiverges) {
  Diary diary;
  diary.diverges_in = 2;
  try {
    learn(diary, options_with(3));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kUsage);
    EXPECT_STREQ(error.what(), "training diverged in epoch 2: try a rate below 0.001");
  }
}

TEST(CheckEpochs, SchedulesThatEndNeedAnEnd) {
  for (const Schedule schedule : {Schedule::kLinear, Schedule::kCosine}) {
    EpochOptions options = options_with(0);
    options.optimiser.schedule = schedule;
    EXPECT_THROW(check_epochs(options), Error);
    options.epochs = 3;
    EXPECT_NO_THROW(check_epochs(options));
  }
  EXPECT_NO_THROW(check_epochs(options_with(0)));
}

TEST(ForBatches, TakesEveryRowOnceAndAveragesOverThem) {
  const std::vector<std::uint32_t> order = {5, 3, 8, 1, 0, 2, 7};
  std::vector<std::uint32_t> seen;
  std::vector<std::uint64_t> seeds;
  std::vector<std::size_t> told;
  const auto step = [&](std::span<const std::uint32_t> rows, std::uint64_t seed) {
    seen.insert(seen.end(), rows.begin(), rows.end());
    seeds.push_back(seed);
    return static_cast<double>(rows[0]);
  };
  const double mean = for_batches(
      order, 3, 1, 2, [&](std::size_t done) { told.push_back(done); }, step);
  EXPECT_EQ(seen, order);
  EXPECT_EQ(told, (std::vector<std::size_t>{3, 6, 7}));
  EXPECT_EQ(seeds.size(), count_batches(order.size(), 3));
  EXPECT_NE(seeds[0], seeds[1]);
  EXPECT_DOUBLE_EQ(mean, (3 * 5 + 3 * 1 + 1 * 7) / 7.0);
  const std::vector<std::uint64_t> before = std::exchange(seeds, {});
  for_batches(order, 3, 1, 3, {}, step);
  EXPECT_NE(seeds, before);  // of another epoch
  EXPECT_EQ(for_batches({}, 3, 1, 2, {}, step), 0);
}

}  // namespace
}  // namespace xylem
