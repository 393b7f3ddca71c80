// SPDX-License-Identifier: Apache-2.0
// Whoever stops training gets the best model so far, where there is one.
#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <nlohmann/json.hpp>

#include "core/checkpoints.h"
#include "folder.h"
#include "model_surgery.h"
#include "tagger/training.h"
#include "toy_data.h"

namespace xylem {
namespace {

using test::toy_data;

TrainOptions dxml_options(const Settings& settings = {}) {
  TrainOptions options;
  options.method = "dxml";
  options.settings = {{"hidden", "32"}, {"dim", "16"},       {"batch", "32"}, {"rate", "0.01"},
                      {"blend", "0"},   {"vote_power", "8"}, {"ridge", "0"}};
  for (const auto& [name, value] : settings) options.settings[name] = value;
  return options;
}

// Stops when `when` says so of a report.
struct StoppingRun {
  explicit StoppingRun(std::function<bool(const Progress&)> moment) : when(std::move(moment)) {
    run.cancel = &cancel;
    run.on_progress = [this](const Progress& state) {  // copied with the run, so it must not change
      if (when(state)) cancel = true;
    };
  }
  std::function<bool(const Progress&)> when;
  std::atomic<bool> cancel = false;
  xylem::Run run;
};

Tagger stop(const TrainOptions& options, const std::function<bool(const Progress&)>& when,
            Checkpoints* checkpoints = nullptr) {
  StoppingRun stopping(when);
  stopping.run.checkpoints = checkpoints;
  return Tagger::train(toy_data(1), options, stopping.run);
}

auto after(std::size_t epochs, double part = 0) {
  return [=](const Progress& state) { return state.unit == "epochs" && state.done == epochs && state.part >= part; };
}

// In training on all rows: the second time that there is a first epoch.
auto in_refit(std::size_t epochs) {
  return [=, first = true, seen = std::size_t{0}](const Progress& state) mutable {
    if (state.unit != "epochs") return false;
    if (state.done < seen) first = false;
    seen = state.done;
    return !first && state.done == epochs;
  };
}

nlohmann::json parsed_card(const Tagger& tagger) {
  return nlohmann::json::parse(tagger.card());
}

void expect_same_predictions(const Tagger& one, const Tagger& other) {
  const Dataset rows = toy_data(2);
  const TopLabels answers = one.tag(rows.features.rows(), 5, {}), others = other.tag(rows.features.rows(), 5, {});
  EXPECT_EQ(answers.labels, others.labels);
  EXPECT_EQ(answers.scores, others.scores);
}

// With what the card says, trained undisturbed on the same rows.
Tagger trained_as(const Tagger& tagger, TrainOptions options) {
  const nlohmann::json chosen = parsed_card(tagger).at("chosen");
  for (const auto& [name, value] : chosen.items()) options.settings[name] = value.get<std::string>();
  options.refit = false;
  return Tagger::train(toy_data(1), options, {});
}

TEST(Interruption, BeforeTheFirstEpochLeavesNothing) {
  for (const double part : {0.1, 0.9}) {
    EXPECT_EQ(test::kind_of_error([&] { stop(dxml_options(), after(0, part)); }), ErrorKind::kInterrupted);
  }
}

TEST(Interruption, KeepsTheBestEpochOnTheValidationRows) {
  TrainOptions options = dxml_options();
  options.valid_fraction = 0.1;
  for (const double part : {0.0, 0.5}) {
    const Tagger tagger = stop(options, after(4, part));
    const nlohmann::json card = parsed_card(tagger);
    const std::string epochs = card.at("chosen").at("epochs");
    EXPECT_EQ(tagger.interrupted(), "epoch " + epochs);
    EXPECT_EQ(card.at("interrupted"), tagger.interrupted());
    EXPECT_EQ(card.at("settings").at("epochs"), epochs);
    EXPECT_LE(std::stoi(epochs), 4);
    EXPECT_EQ(card.at("held_out"), 30);
    EXPECT_FALSE(card.contains("validation"));  // whoever asks to stop is not kept waiting
    const Tagger same = trained_as(tagger, options);
    EXPECT_EQ(same.interrupted(), "");
    expect_same_predictions(tagger, same);
  }
}

TEST(Interruption, KeepsTheLastWholeEpochWhereNoneIsToBeChosen) {
  const TrainOptions options = dxml_options({{"epochs", "20"}, {"k", "5"}});
  for (const double part : {0.0, 0.5}) {
    const Tagger tagger = stop(options, after(3, part));
    EXPECT_EQ(tagger.interrupted(), "epoch 3");
    EXPECT_EQ(parsed_card(tagger).at("settings").at("epochs"), "3");
    EXPECT_FALSE(parsed_card(tagger).contains("validation"));
    expect_same_predictions(tagger, trained_as(tagger, options));
  }
}

TEST(Interruption, LeavesWhatIsNotChosenAtUsualValues) {
  TrainOptions options = dxml_options({{"epochs", "20"}});
  options.valid_fraction = 0.1;
  const Tagger tagger = stop(options, after(3));
  EXPECT_EQ(tagger.interrupted(), "epoch 3");
  EXPECT_EQ(parsed_card(tagger).at("chosen"), parsed_card(trained_as(tagger, options)).at("chosen"));
  EXPECT_EQ(parsed_card(tagger).at("chosen").at("k"), "30");
  EXPECT_EQ(parsed_card(tagger).at("chosen").at("vote_power"), "8");  // which is given
}

TEST(Interruption, UsesGivenValidationRows) {
  const Dataset valid = toy_data(3, {.rows = 40});
  TrainOptions options = dxml_options();
  options.valid = &valid;
  const Tagger tagger = stop(options, after(4));
  EXPECT_TRUE(tagger.interrupted().starts_with("epoch "));
  EXPECT_EQ(parsed_card(tagger).at("held_out"), 0);
  EXPECT_FALSE(parsed_card(tagger).contains("validation"));
}

TEST(Interruption, OfTrainingOnAllRowsKeepsTheFirstModel) {
  TrainOptions options = dxml_options();
  options.valid_fraction = 0.1;
  for (const std::size_t epochs : {0u, 2u}) {
    const Tagger tagger = stop(options, in_refit(epochs));
    EXPECT_EQ(tagger.interrupted(), "not trained again on all rows");
    EXPECT_EQ(parsed_card(tagger).at("held_out"), 30);
    EXPECT_EQ(parsed_card(tagger).at("validation").at("rows"), 30);
    options.refit = false;
    expect_same_predictions(tagger, Tagger::train(toy_data(1), options, {}));
    options.refit = true;
  }
}

TEST(Interruption, OfAResumedTrainingOnAllRowsKeepsItsLastWholeEpoch) {
  const test::Folder folder;
  FolderCheckpoints checkpoints(folder / "checkpoint");
  stop(dxml_options(), in_refit(2), &checkpoints);
  const Tagger tagger = stop(dxml_options(), after(3), &checkpoints);
  EXPECT_EQ(tagger.interrupted(), "epoch 3");
  EXPECT_EQ(parsed_card(tagger).at("held_out"), 0);
  EXPECT_FALSE(parsed_card(tagger).contains("validation")) << "the figures are of another model";
}

TEST(Interruption, LeavesACheckpointThatGivesTheSameBytes) {
  const test::Folder folder;
  const auto bytes = [&](const Tagger& tagger) {
    tagger.save(folder / "m.xylem", true);
    return read_whole_file(folder / "m.xylem");
  };
  const std::string undisturbed = bytes(Tagger::train(toy_data(1), dxml_options(), {}));
  const std::vector<std::function<bool(const Progress&)>> moments = {after(2), after(3, 0.5), in_refit(0), in_refit(2)};
  for (const auto& moment : moments) {
    FolderCheckpoints checkpoints(folder / "checkpoint");
    EXPECT_NE(bytes(stop(dxml_options(), moment, &checkpoints)), undisturbed);
    EXPECT_NE(Tagger::load(folder / "m.xylem").interrupted(), "");
    xylem::Run run;
    run.checkpoints = &checkpoints;
    EXPECT_EQ(bytes(Tagger::train(toy_data(1), dxml_options(), run)), undisturbed);
    EXPECT_EQ(Tagger::load(folder / "m.xylem").interrupted(), "");
    checkpoints.clear();
  }
}

TEST(Interruption, KeepsTheLearnersThatAreFinished) {
  const test::Folder folder;
  const TrainOptions options = dxml_options({{"epochs", "5"}, {"k", "5"}, {"learners", "3"}});
  const auto of_second = [](const Progress& state) { return state.stage == "train 2" && state.done == 2; };
  const auto of_first = [](const Progress& state) { return state.stage == "train 1" && state.done == 2; };
  const Tagger one = stop(options, of_second), part_of_one = stop(options, of_first);
  EXPECT_EQ(one.interrupted(), "1 of 3 learners");
  EXPECT_EQ(part_of_one.interrupted(), "epoch 2, 1 of 3 learners");
  expect_same_predictions(one, trained_as(one, options));
  expect_same_predictions(part_of_one, trained_as(part_of_one, options));
  one.save(folder / "m.xylem", false);
  expect_same_predictions(one, Tagger::load(folder / "m.xylem"));
}

TEST(Interruption, OfValidationKeepsTheModelWithoutFigures) {
  const Dataset valid = toy_data(3, {.rows = 2000});
  TrainOptions options;
  options.method = "popular";
  options.valid = &valid;
  const Tagger tagger = stop(options, [](const Progress& state) { return state.stage == "predict"; });
  EXPECT_EQ(tagger.interrupted(), "not validated");
  EXPECT_FALSE(parsed_card(tagger).contains("validation"));
}

TEST(Interruption, LeavesNothingWhereOnlyFinishedWorkIsWanted) {
  for (const auto& moment : std::vector<std::function<bool(const Progress&)>>{after(4), in_refit(2)}) {
    StoppingRun stopping(moment);
    stopping.run.keep_unfinished = false;
    EXPECT_EQ(test::kind_of_error([&] { Tagger::train(toy_data(1), dxml_options(), stopping.run); }),
              ErrorKind::kInterrupted);
  }
}

TEST(Interruption, MemoryIsPlannedForTheModelThatIsKept) {
  const DataShape shape{.rows = 10, .features = 10, .labels = 10, .nonzeros = 100, .label_pairs = 10};
  const MemoryPlan large{.training = 2'000'000, .model = 1'000'000}, small{.training = 20, .model = 1};
  const auto bytes = [&](const MemoryPlan& plan, bool holds_out, bool refits) {
    return training_bytes(plan, shape, {.holds_out = holds_out, .refits = refits}) - plan.training;
  };
  EXPECT_EQ(bytes(large, true, true) - bytes(large, false, true), large.model);
  EXPECT_EQ(bytes(large, true, false) - bytes(large, false, false), data_bytes(shape));
  EXPECT_EQ(bytes(small, true, true), bytes(small, true, false)) << "the copies of the rows are gone by then";
}

}  // namespace
}  // namespace xylem
