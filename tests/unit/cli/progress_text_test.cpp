// SPDX-License-Identifier: Apache-2.0
#include "cli/progress_text.h"

#include <gtest/gtest.h>

namespace xylem::cli {
namespace {

Progress progress(const char* stage, const char* unit, std::size_t done, std::size_t total) {
  Progress state;
  state.stage = stage;
  state.unit = unit;
  state.done = done;
  state.total = total;
  return state;
}

TEST(ProgressText, SaysHowFarHowFastAndHowLong) {
  const Progress rows = progress("predict", "rows", 2500, 10000);
  EXPECT_EQ(progress_text(rows, {2500, 5}, false), "predict 25 %  2500/10000 rows  500/s  0:15 left");
  EXPECT_EQ(progress_text(rows, {2500, 5}, true),
            "predict [######..................] 25 %  2500/10000 rows  500/s  0:15 left");
  EXPECT_EQ(progress_text(progress("read", "rows", 70000, 0), {70000, 10}, true), "read  70000 rows  7000/s");
}

TEST(ProgressText, EstimatesTheEndFromTheShareOfAFile) {
  Progress rows = progress("predict", "rows", 2500, 0);
  rows.share = 0.25;
  EXPECT_EQ(progress_text(rows, {2500, 5}, false), "predict 25 %  2500 rows  500/s  0:15 left");
  EXPECT_EQ(progress_text(rows, {2500, 5}, true),
            "predict [######..................] 25 %  2500 rows  500/s  0:15 left");
}

TEST(ProgressText, SaysHowLongASlowUnitTakes) {
  Progress epochs = progress("train", "epochs", 7, 30);
  epochs.loss = 0.12345;
  EXPECT_EQ(progress_text(epochs, {7, 84}, false), "train 23 %  7/30 epochs  12 s/epoch  4:36 left  loss 0.1235");
  EXPECT_EQ(progress_text(epochs, {7, 8.4}, false), "train 23 %  7/30 epochs  1.2 s/epoch  0:28 left  loss 0.1235");
  EXPECT_EQ(progress_text(epochs, {7, 2}, false), "train 23 %  7/30 epochs  3.5/s  0:07 left  loss 0.1235");
  EXPECT_EQ(progress_text(epochs, {7, 9000}, false),
            "train 23 %  7/30 epochs  1286 s/epoch  8:12:51 left  loss 0.1235");
}

TEST(ProgressText, KnowsOneOfManyUnits) {
  EXPECT_EQ(progress_text(progress("walk", "passes", 1, 0), {1, 2.1}, false), "walk  1 passes  2.1 s/pass");
  EXPECT_EQ(progress_text(progress("train", "trees", 1, 0), {1, 2.1}, false), "train  1 trees  2.1 s/tree");
}

TEST(ProgressText, MovesWithinAUnit) {
  Progress epochs = progress("train", "epochs", 7, 10);
  epochs.part = 0.999;
  EXPECT_EQ(progress_text(epochs, {4, 8}, true),
            "train [###################.....] 79 %  7.9/10 epochs  2.0 s/epoch  "
            "0:04 left");
  epochs.done = 0;
  epochs.part = 0.01;
  EXPECT_EQ(progress_text(epochs, {0, 0}, false), "train 0 %  0.0/10 epochs") << "no pace yet";
}

TEST(ProgressText, KnowsNoEndWhereValidationRowsDecide) {
  Progress epochs = progress("train", "epochs", 7, 0);
  epochs.metric = 62.104;
  EXPECT_EQ(progress_text(epochs, {7, 84}, true), "train  7 epochs  12 s/epoch  validation 62.10");
  epochs.left_without_gain = 4;
  epochs.part = 0.5;
  EXPECT_EQ(progress_text(epochs, {7.5, 90}, true),
            "train  7.5 epochs  12 s/epoch  0:42 left unless it gains  validation 62.10");
}

}  // namespace
}  // namespace xylem::cli
