// SPDX-License-Identifier: Apache-2.0
#include "tagger/training.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/checkpoints.h"
#include "folder.h"
#include "model_surgery.h"
#include "toy_data.h"
#include "xylem/error.h"

namespace xylem {
namespace {

using test::toy_data;

TrainOptions knn_options() {  // k is to be chosen
  TrainOptions options;
  options.method = "knn";
  return options;
}

nlohmann::json card_of(const TrainOptions& options, const Run& run = {}) {
  return nlohmann::json::parse(Tagger::train(toy_data(1), options, run).card());
}

TEST(Training, HoldsNothingOutWhereNothingIsToBeChosen) {
  TrainOptions options;
  options.method = "popular";
  EXPECT_FALSE(card_of(options).contains("validation"));
}

TEST(Training, HoldsATenthOutWhereSomethingIsToBeChosen) {
  EXPECT_EQ(card_of(knn_options()).at("validation").at("rows"), 30);
}

TEST(Training, HoldsOutTheShareThatWasAskedFor) {
  TrainOptions options;
  options.valid_fraction = 0.5;
  options.method = "popular";
  EXPECT_EQ(card_of(options).at("validation").at("rows"), 150);
}

TEST(Training, UsesGivenValidationRows) {
  const Dataset valid = toy_data(3, {.rows = 40});
  TrainOptions options;
  options.valid = &valid;
  const auto card = card_of(options);
  EXPECT_EQ(card.at("validation").at("rows"), 40);
  EXPECT_GT(card.at("validation").at("P@1"), 80);
}

TEST(Training, TrainsAgainOnAllRowsUnlessTold) {
  // A model of popular labels knows how many rows it saw: its best score is a share of them.
  TrainOptions options;
  options.method = "popular";
  options.valid_fraction = 0.5;
  const auto best_score = [&] {
    return Tagger::train(toy_data(1), options, {}).tag(toy_data(2, {.rows = 1}).features.rows(), 1, {}).scores.at(0);
  };
  const float refitted = best_score();
  options.valid_fraction.reset();
  EXPECT_EQ(refitted, best_score());
  options.valid_fraction = 0.5;
  options.refit = false;
  EXPECT_NE(refitted, best_score());
  EXPECT_EQ(card_of(options).at("held_out"), 150);
}

TEST(Training, SaysWhenTooFewRowsAreLeft) {
  Dataset data = toy_data(1, {.rows = 1});
  try {
    Tagger::train(std::move(data), knn_options(), {});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kData);
  }
}

TEST(Training, DependsOnTheSeedOnly) {
  xylem::Run run;
  run.seed = 5;
  EXPECT_EQ(card_of(knn_options(), run), card_of(knn_options(), run));
  xylem::Run other;
  other.seed = 6;
  EXPECT_NE(card_of(knn_options(), run), card_of(knn_options(), other));
}

TEST(Training, ResumesFromTheChoiceThatWasMade) {
  const test::Folder folder;
  FolderCheckpoints checkpoints(folder / "checkpoint");
  xylem::Run run;
  std::size_t choosing = 0;
  run.on_progress = [&](const Progress& state) { choosing += state.stage == "choose k"; };
  const auto undisturbed = card_of(knn_options(), run);
  EXPECT_GT(std::exchange(choosing, 0), 0u);
  run.checkpoints = &checkpoints;
  EXPECT_EQ(card_of(knn_options(), run), undisturbed);
  EXPECT_GT(std::exchange(choosing, 0), 0u);
  EXPECT_EQ(card_of(knn_options(), run), undisturbed);
  EXPECT_EQ(choosing, 0u) << "the choice was made before";
  TrainOptions same_share = knn_options();  // as many as by default here, but asked for: no limit of kMaxHeldOut
  same_share.valid_fraction = kHeldOutFraction;
  EXPECT_EQ(test::kind_of_error([&] { card_of(same_share, run); }), ErrorKind::kUsage)
      << "the checkpoint is not its own";
  run.seed = 9;
  EXPECT_EQ(test::kind_of_error([&] { card_of(knn_options(), run); }), ErrorKind::kUsage);
}

}  // namespace
}  // namespace xylem
