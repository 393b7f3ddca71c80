// SPDX-License-Identifier: Apache-2.0
#include "tagger/training.h"

#include <gtest/gtest.h>

#include <limits>
#include <map>
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

TEST(Training, OfASingleRowChoosesOnTheRowItself) {
  xylem::Run run;
  std::vector<std::string> remarks;
  run.on_remark = [&](const std::string& sentence) { remarks.push_back(sentence); };
  Tagger::train(toy_data(1, {.rows = 1}), knn_options(), run);
  ASSERT_FALSE(remarks.empty());
  EXPECT_TRUE(remarks.front().starts_with("of a single row none can be held out")) << remarks.front();
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

// Gives back a choice that some other program has made.
class ForgedChoice : public Checkpoints {
 public:
  void write(std::string_view name, std::string_view bytes) override {
    written_[std::string(name)] = bytes;
    if (name == "choice") head_ = bytes.substr(0, bytes.find('\n') + 1);
  }
  std::optional<std::string> read(std::string_view name) const override {
    if (name == "choice" && !head_.empty()) return head_ + content;
    const auto found = written_.find(std::string(name));
    return found == written_.end() ? std::nullopt : std::optional(found->second);
  }
  std::string content;

 private:
  std::map<std::string, std::string> written_;
  std::string head_;
};

TEST(Training, RefusesAChoiceThatItCannotHaveWritten) {
  ForgedChoice checkpoints;
  xylem::Run run;
  run.checkpoints = &checkpoints;
  card_of(knn_options(), run);
  for (const char* content :
       {"", "{", "[]", "3", R"({"chosen":{}})", R"({"chosen":[],"rows":1,"figures":{}})",
        R"({"chosen":{"k":5},"rows":1,"figures":{}})", R"({"chosen":{"k":"5"},"rows":"x","figures":[]})",
        R"({"chosen":{"k":"5"},"rows":1,"figures":[["P@1"]]})", R"({"chosen":{"k":"-5"},"rows":1,"figures":{}})"}) {
    checkpoints.content = content;
    EXPECT_EQ(test::kind_of_error([&] { card_of(knn_options(), run); }), ErrorKind::kUsage) << content;
  }
}

TEST(CheckMemory, NeverWrapsAround) {
  constexpr std::uint64_t kAll = std::numeric_limits<std::uint64_t>::max();
  const Method& method = find_method("knn");
  const auto fits = [&](std::uint64_t needed, std::uint64_t data, std::uint64_t allowed) {
    return !test::kind_of_error([&] { check_memory("training", method, needed, data, allowed); });
  };
  EXPECT_TRUE(fits(90'000, 90'000, 0));
  EXPECT_TRUE(fits(90'000, 90'000, kAll));
  EXPECT_TRUE(fits(0, 0, kProgramBytes));
  EXPECT_FALSE(fits(1, 0, kProgramBytes));
  EXPECT_FALSE(fits(0, 0, 1));
  EXPECT_FALSE(fits(kAll, 90'000, 1'000'000'000));
  EXPECT_FALSE(fits(kAll - 10, 0, 0));
}

}  // namespace
}  // namespace xylem
