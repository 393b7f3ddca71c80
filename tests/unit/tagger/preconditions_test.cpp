// SPDX-License-Identifier: Apache-2.0
// What a program may get wrong in a call is an Error, never a fault.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "toy_data.h"
#include "xylem/error.h"
#include "xylem/tagger.h"

namespace xylem {
namespace {

class Preconditions : public ::testing::Test {
 protected:
  static void expect(ErrorKind kind, const auto& work) {
    try {
      work();
      FAIL() << "nothing thrown";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), kind) << error.what();
    }
  }

  static Tagger trained_on_rows(const std::string& method) {
    TrainOptions options;
    options.method = method;
    return Tagger::train(test::toy_data(1), options, {});
  }

  const Tagger tagger_ = trained_on_rows("knn");
};

TEST_F(Preconditions, TextsNeedAModelOfTexts) {
  TextList texts;
  texts.push_back("some words");
  Corpus corpus;
  corpus.texts = texts;
  corpus.labels.push_back({});
  expect(ErrorKind::kUsage, [&] { tagger_.tag(texts, 3, {}); });
  expect(ErrorKind::kUsage, [&] { tagger_.explain("some words", 0); });
  expect(ErrorKind::kUsage, [&] { tagger_.features_of(texts, {}); });
  expect(ErrorKind::kUsage, [&] { tagger_.rows_of(corpus, {}); });
  expect(ErrorKind::kUsage, [&] { tagger_.learn(corpus, {}, {}); });
  corpus.first_label = 0;
  expect(ErrorKind::kUsage, [&] { tagger_.learn(corpus, {}, {}); });
}

TEST_F(Preconditions, TextsAreUtf8AndHaveTheirLabels) {
  Corpus corpus;
  for (const char* text : {"red apples", "green pears", "blue plums"}) corpus.texts.push_back(text);
  corpus.label_names.push_back("fruit");
  for (std::size_t i = 0; i < corpus.texts.size(); ++i) corpus.labels.push_back(std::vector<Label>{0});
  TrainOptions options;
  options.method = "knn";
  options.settings = {{"k", "2"}};
  const Tagger tagger = Tagger::train(corpus, options, {});
  TextList bad;
  bad.push_back("a\xff");
  expect(ErrorKind::kData, [&] { tagger.tag(bad, 3, {}); });
  expect(ErrorKind::kData, [&] { tagger.explain("a\xff", 0); });
  corpus.labels.ids[0] = 7;
  expect(ErrorKind::kData, [&] { tagger.rows_of(corpus, {}); });
  expect(ErrorKind::kData, [&] { tagger.learn(corpus, {}, {}); });
  expect(ErrorKind::kData, [&] { Tagger::train(corpus, options, {}); });
  Corpus unlabelled;
  unlabelled.texts = bad;
  expect(ErrorKind::kData, [&] { tagger.rows_of(unlabelled, {}); });
}

TEST_F(Preconditions, LearnedRowsFitTogether) {
  const auto refuses = [&](auto spoil) {
    Dataset rows = test::toy_data(2);
    spoil(rows);
    expect(ErrorKind::kData, [&] { tagger_.learn(rows, {}, {}); });
  };
  refuses([](Dataset& rows) { rows.labels.ids[0] = 1000; });
  refuses([](Dataset& rows) { rows.features.ids.back() = 1'000'000; });
  refuses([](Dataset& rows) { rows.features.values.pop_back(); });
  refuses([](Dataset& rows) { rows.features.offsets.back() += 5; });
  refuses([](Dataset& rows) { rows.labels.offsets.pop_back(); });
  LearnOptions options;
  options.date = "yesterday";
  expect(ErrorKind::kUsage, [&] { tagger_.learn(test::toy_data(2), options, {}); });
}

TEST_F(Preconditions, OptionsMakeSense) {
  for (const double fraction : {0.0, 1.0, -0.5, std::nan("")}) {
    TrainOptions options;
    options.valid_fraction = fraction;
    expect(ErrorKind::kUsage, [&] { Tagger::train(test::toy_data(1), options, {}); });
  }
  const Dataset rows = test::toy_data(2);
  expect(ErrorKind::kUsage, [&] { tagger_.explain(rows.features.rows().slice(0, 2), 0); });
  const std::vector<TextView> texts(3);
  expect(ErrorKind::kUsage, [&] { tagger_.tag({rows.features.rows().slice(0, 2), texts}, 3, {}); });
}

TEST_F(Preconditions, LabelsAreThoseOfTheModel) {
  const auto beyond = static_cast<Label>(tagger_.n_labels());
  const Dataset rows = test::toy_data(2);
  expect(ErrorKind::kUsage, [&] { tagger_.explain(rows.features[0], beyond); });
  expect(ErrorKind::kUsage, [&] { tagger_.near_labels(beyond, 3); });
  expect(ErrorKind::kUsage, [&] { tagger_.label_name(beyond); });
  expect(ErrorKind::kUsage, [&] { tagger_.label_id(beyond); });
  const LabelFilter filter(tagger_.n_labels() + 1, true);
  expect(ErrorKind::kUsage, [&] { tagger_.tag(rows.features.rows(), 3, {}, &filter); });
}

TEST_F(Preconditions, RowsAreInOrder) {
  SparseMatrix rows;
  rows.push_back({std::vector<Feature>{5, 3}, std::vector<float>{1, 1}});
  expect(ErrorKind::kData, [&] { tagger_.tag(rows.rows(), 3, {}); });
  expect(ErrorKind::kData, [&] { tagger_.explain(rows[0], 0); });
  Dataset data = test::toy_data(1);
  std::swap(data.features.ids[0], data.features.ids[1]);
  expect(ErrorKind::kData, [&] { tagger_.learn(data, {}, {}); });
  expect(ErrorKind::kData, [&] { Tagger::train(data, {}, {}); });
  const Dataset good = test::toy_data(1);
  TrainOptions options;
  options.valid = &data;
  expect(ErrorKind::kData, [&] { Tagger::train(good, options, {}); });
}

}  // namespace
}  // namespace xylem
