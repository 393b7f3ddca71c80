// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "model_surgery.h"
#include "toy_data.h"
#include "xylem/error.h"
#include "xylem/method.h"

namespace xylem {
namespace {

TEST(Methods, HaveNamesOfTheirOwn) {
  std::set<std::string_view> names;
  for (const Method* method : methods()) EXPECT_TRUE(names.insert(method->name).second) << method->name;
}

TEST(Methods, AreFoundByName) {
  for (const Method* method : methods()) EXPECT_EQ(&find_method(method->name), method);
}

TEST(Methods, RefuseTheOptionsOfAnother) {
  const CheckedOptions options = find_method("popular").parse({});
  EXPECT_EQ(test::kind_of_error([&] { find_method("knn").chooses(options); }), ErrorKind::kUsage);
}

TEST(Methods, LearnMoreOrSayThatTheyCannot) {
  const Method& popular_method = find_method("popular");
  const Dataset data = test::toy_data(1);
  const Trained trained = popular_method.train({data}, popular_method.parse({}), {});
  EXPECT_EQ(test::kind_of_error([&] { trained.model->learn(data, {}, {}); }), ErrorKind::kUsage);
}

TEST(Methods, AnswerAnUnknownNameWithTheNearest) {
  try {
    find_method("populer");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kUsage);
    EXPECT_NE(std::string(error.what()).find("did you mean 'popular'?"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace xylem
