// SPDX-License-Identifier: Apache-2.0
#include "core/options.h"

#include <gtest/gtest.h>

#include <array>

#include "xylem/error.h"

namespace xylem {
namespace {

enum class Colour { kRed, kBlue };
constexpr std::array<std::string_view, 2> choice_names(Colour) {
  return {"red", "blue"};
}

struct PartOptions {
  double cost = 1.5;
  void fields(auto&& field) { field("cost", cost, "price of an error", Range{0.1, 100}); }
};

struct SampleOptions {
  int trees = 3;
  bool balanced = true;
  std::string file;
  Colour colour = Colour::kRed;
  PartOptions linear;

  void fields(auto&& field) {
    field("trees", trees, "how many", Range{1, 50});
    field("balanced", balanced, "equal halves");
    field("file", file, "a path");
    field("colour", colour, "of the model");
    field("linear", linear, "");
  }
};

std::string message_of(const Settings& settings) {
  try {
    parse_options<SampleOptions>(settings);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kUsage);
    return error.what();
  }
  return "";
}

TEST(Options, KeepDefaultsWhereNothingIsSet) {
  const auto options = parse_options<SampleOptions>({});
  EXPECT_EQ(options.trees, 3);
  EXPECT_EQ(options.linear.cost, 1.5);
}

TEST(Options, TakeEveryKindOfValue) {
  const auto options = parse_options<SampleOptions>(
      {{"trees", "7"}, {"balanced", "no"}, {"file", "a b"}, {"colour", "blue"}, {"linear.cost", "0.25"}});
  EXPECT_EQ(options.trees, 7);
  EXPECT_FALSE(options.balanced);
  EXPECT_EQ(options.file, "a b");
  EXPECT_EQ(options.colour, Colour::kBlue);
  EXPECT_EQ(options.linear.cost, 0.25);
}

TEST(Options, AnswerAnUnknownNameWithTheNearest) {
  EXPECT_EQ(message_of({{"tree", "7"}}), "unknown option 'tree' (did you mean 'trees'?)");
}

TEST(Options, SayNameValueAndWhatIsAllowed) {
  EXPECT_EQ(message_of({{"trees", "0"}}), "option trees is '0', expected integer in 1 .. 50");
  EXPECT_EQ(message_of({{"trees", "99999999999"}}), "option trees is '99999999999', expected integer in 1 .. 50");
  EXPECT_EQ(message_of({{"trees", "1.5"}}), "option trees is '1.5', expected integer in 1 .. 50");
  EXPECT_EQ(message_of({{"linear.cost", "nan"}}), "option linear.cost is 'nan', expected number in 0.1 .. 100");
  EXPECT_EQ(message_of({{"colour", "green"}}), "option colour is 'green', expected red|blue");
  EXPECT_EQ(message_of({{"balanced", "maybe"}}), "option balanced is 'maybe', expected yes|no");
}

TEST(Options, DescribeThemselvesInTheirOrder) {
  const auto described = describe_options<SampleOptions>();
  ASSERT_EQ(described.size(), 5u);
  EXPECT_EQ(described[0].name, "trees");
  EXPECT_EQ(described[0].type, "integer");
  EXPECT_EQ(described[0].default_value, "3");
  EXPECT_EQ(described[0].range, "1 .. 50");
  EXPECT_EQ(described[3].type, "red|blue");
  EXPECT_EQ(described[4].name, "linear.cost");
  EXPECT_EQ(described[4].help, "price of an error");
}

TEST(Options, ComeBackFromTheirOwnDescription) {
  Settings settings;
  for (const OptionInfo& option : describe_options<SampleOptions>()) settings[option.name] = option.default_value;
  const auto options = parse_options<SampleOptions>(settings);
  EXPECT_EQ(options.trees, 3);
  EXPECT_EQ(options.linear.cost, 1.5);
}

}  // namespace
}  // namespace xylem
