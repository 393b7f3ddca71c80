// SPDX-License-Identifier: Apache-2.0
#include "model_file/saved_options.h"

#include <gtest/gtest.h>

#include "folder.h"
#include "model_surgery.h"

namespace xylem {
namespace {

// The options of three versions of a program.
struct First {
  int k = 10;
  void fields(auto&& field) { field("k", k, "neighbours", Range{1, 100}); }
};
struct Second {
  int k = 20;
  double power = 4;
  void fields(auto&& field) {
    field("k", k, "neighbours", Range{1, 100});
    field("power", power, "of a vote", Range{0, 8}, Before{"1"});
  }
};
struct Careless {
  int k = 20;
  double power = 4;
  void fields(auto&& field) {
    field("k", k, "neighbours", Range{1, 100});
    field("power", power, "of a vote", Range{0, 8});
  }
};

class SavedOptions : public ::testing::Test {
 protected:
  template <class Options>
  ModelReader saved(const Options& options) {
    ModelWriter out;
    save_options(out, "m.", options);
    out.text("m", "not one of them");
    out.text("n", "nor this");
    out.write(folder_ / "model", IfExists::kReplace);
    return ModelReader(folder_ / "model");
  }

 private:
  test::Folder folder_;
};

TEST_F(SavedOptions, ComeBack) {
  Second options;
  options.power = 2.5;
  EXPECT_EQ(load_options<Second>(saved(options), "m.").power, 2.5);
}

TEST_F(SavedOptions, OfAnOlderVersionMeanWhatTheyMeantThen) {
  const auto loaded = load_options<Second>(saved(First{}), "m.");
  EXPECT_EQ(loaded.k, 10);     // as saved, not today's default
  EXPECT_EQ(loaded.power, 1);  // as before there was this option
}

TEST_F(SavedOptions, OfANewerVersionAreIgnored) {
  EXPECT_EQ(load_options<First>(saved(Second{}), "m.").k, 20);
}

TEST_F(SavedOptions, MustBeThereUnlessSomebodySaysWhatTheyWereBefore) {
  const ModelReader in = saved(First{});
  EXPECT_EQ(test::kind_of_error([&] { load_options<Careless>(in, "m."); }), ErrorKind::kModel);
}

TEST_F(SavedOptions, AreCheckedLikeOthers) {
  First options;
  options.k = 1000;
  const ModelReader in = saved(options);
  EXPECT_EQ(test::kind_of_error([&] { load_options<First>(in, "m."); }), ErrorKind::kModel);
}

}  // namespace
}  // namespace xylem
