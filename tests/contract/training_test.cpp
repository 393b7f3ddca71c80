// SPDX-License-Identifier: Apache-2.0
// What training takes, and that it learns.
#include "contract.h"
#include "kind_of_error.h"
#include "toy_data.h"
#include "xylem/error.h"
#include "xylem/metrics.h"

namespace xylem {
namespace {

using test::toy_data;

double precision_at_1(const Tagger& tagger, const Dataset& test) {
  const TopLabels top = tagger.tag(test.features.rows(), 1, {});
  EvalOptions options;
  options.ks = {1};
  options.bootstrap = 0;
  return evaluate(test.labels, top, tagger.training_counts(), options).figure("P@1").value;
}

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

}  // namespace
}  // namespace xylem
