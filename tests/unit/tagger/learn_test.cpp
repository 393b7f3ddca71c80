// SPDX-License-Identifier: Apache-2.0
// A model that is there learns more rows and labels.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/file.h"
#include "folder.h"
#include "model_surgery.h"
#include "toy_data.h"
#include "xylem/tagger.h"

namespace xylem {
namespace {

using test::kind_of_error;
using test::toy_data;

Tagger train_knn(Dataset data) {
  TrainOptions options;
  options.method = "knn";
  options.settings = {{"k", "5"}};
  return Tagger::train(std::move(data), options, {});
}

Dataset rows_between(const Dataset& data, std::size_t begin, std::size_t end) {
  std::vector<std::size_t> rows;
  for (std::size_t row = begin; row < end; ++row) rows.push_back(row);
  return select_rows(data, rows);
}

void add_row(Dataset& data, const std::vector<Feature>& ids, const std::vector<Label>& labels) {
  data.features.push_back({ids, std::vector<float>(ids.size(), 1)});
  data.labels.push_back(labels);
}

// Three rows for a model of toy_data: one with label 12, one with 14, both new, and one with a known label.
Dataset new_rows() {
  Dataset data;
  data.features.n_columns = 82;
  data.n_labels = 15;
  add_row(data, {66, 67}, {12});
  add_row(data, {68, 69}, {3, 14});
  add_row(data, {0, 1}, {0});
  return data;
}

nlohmann::json card_of(const Tagger& tagger) {
  return nlohmann::json::parse(tagger.card());
}

std::string message_of(const auto& work) {
  try {
    work();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

void expect_same_answers(const Tagger& tagger, const Tagger& expected) {
  const Dataset test = toy_data(2);
  const TopLabels top = tagger.tag(test.features.rows(), 7, {});
  const TopLabels other = expected.tag(test.features.rows(), 7, {});
  EXPECT_EQ(top.offsets, other.offsets);
  EXPECT_EQ(top.labels, other.labels);
  EXPECT_EQ(top.scores, other.scores);
  EXPECT_EQ(tagger.training_counts().rows, expected.training_counts().rows);
  EXPECT_EQ(tagger.training_counts().labels, expected.training_counts().labels);
}

TEST(Learning, GivesWhatTrainingOnAllRowsGives) {
  Dataset data = toy_data(1);
  add_row(data, {5}, {});
  const Tagger all = train_knn(data);
  const Tagger first = train_knn(rows_between(data, 0, 100));
  const Tagger once = first.learn(rows_between(data, 100, data.size()), {}, {});
  const Tagger half = first.learn(rows_between(data, 100, 150), {}, {});
  expect_same_answers(once, all);
  expect_same_answers(half.learn(rows_between(data, 150, data.size()), {}, {}), all);
  expect_same_answers(first, train_knn(rows_between(data, 0, 100)));
}

TEST(Learning, GivesNewLabelsToRowsLikeTheNewOnes) {
  const Tagger tagger = train_knn(toy_data(1)).learn(new_rows(), {}, {});
  EXPECT_EQ(tagger.n_labels(), 15u);
  const TopLabels top = tagger.tag(new_rows().features.rows(), 1, {});
  EXPECT_EQ(top.labels[0], 12u);
  EXPECT_EQ(tagger.training_counts().rows, 303u);
  EXPECT_EQ(tagger.training_counts().labels[13], 0u) << "a gap is a label without rows";
  EXPECT_EQ(tagger.training_counts().labels[14], 1u);
  EXPECT_EQ(tagger.label_name(14), "14");
  EXPECT_TRUE(tagger.explain(new_rows().features[0], 12).rank);
}

TEST(Learning, IsRecordedInTheCard) {
  const Tagger trained = train_knn(toy_data(1));
  const Tagger once = trained.learn(new_rows(), {}, {});
  const Tagger twice = once.learn(new_rows(), {}, {});
  EXPECT_FALSE(card_of(trained).contains("learned"));
  const nlohmann::json first = card_of(once).at("learned"), second = card_of(twice).at("learned");
  EXPECT_EQ(first.at("times"), 1);
  EXPECT_EQ(first.at("rows"), 3);
  EXPECT_EQ(first.at("labels"), 3);
  EXPECT_EQ(first.at("nonzeros"), 6);
  EXPECT_EQ(second.at("times"), 2);
  EXPECT_EQ(second.at("rows"), 6);
  EXPECT_EQ(second.at("labels"), 3) << "no label was new the second time";
  EXPECT_EQ(second.at("nonzeros"), 12);
  EXPECT_NE(second.at("hash"), first.at("hash"));
  for (const char* key : {"data", "settings", "seed"}) EXPECT_EQ(card_of(twice).at(key), card_of(trained).at(key));
}

TEST(Learning, SurvivesAnyCard) {
  const test::Folder folder;
  train_knn(toy_data(1, {.rows = 12})).save(folder / "m.xylem", false);
  const std::string whole = read_whole_file(folder / "m.xylem");
  const std::string settings = R"(\"settings\":{\"k\":\"5\"})";
  const std::size_t place = whole.find(settings);
  ASSERT_NE(place, std::string::npos);
  for (const std::string forged :
       {R"(\"learned\":[],\"x\":1234)", R"(\"learned\":7,\"x\":12345)", R"(\"settings\":[\"k\",4])",
        R"(\"settings\":{\"j\":\"5\"})", R"(\"settings\":\"k=5\")"}) {
    std::string file = whole;
    file.replace(place, settings.size(), forged + std::string(settings.size() - forged.size(), ' '));
    test::fix_checksum(file);
    test::write_plain(folder / "forged.xylem", file);
    const Tagger tagger = Tagger::load(folder / "forged.xylem");
    const auto kind = kind_of_error(
        [&] { EXPECT_EQ(card_of(tagger.learn(new_rows(), {}, {})).at("learned").at("rows"), 3) << forged; });
    EXPECT_EQ(kind.value_or(ErrorKind::kModel), ErrorKind::kModel) << forged;
  }
}

TEST(Learning, IgnoresFeaturesBeyondTheModelAndRowsWithoutLabels) {
  Dataset rows = new_rows();
  rows.features.n_columns = 1000;
  add_row(rows, {1, 999}, {1});
  add_row(rows, {82, 83}, {1});
  add_row(rows, {1}, {});
  std::vector<std::string> remarks;
  xylem::Run run;
  run.on_remark = [&](const std::string& remark) { remarks.push_back(remark); };
  const Tagger tagger = train_knn(toy_data(1)).learn(rows, {}, run);
  EXPECT_EQ(remarks, (std::vector<std::string>{"values of features that the model does not have, ignored: 3",
                                               "rows without labels, not learned: 1",
                                               "rows without any feature that the model knows: 1"}));
  EXPECT_EQ(tagger.n_features(), 82u);
  EXPECT_EQ(tagger.training_counts().rows, 306u);
}

TEST(Learning, NeedsALabelledRow) {
  Dataset rows = rows_between(new_rows(), 0, 0);
  add_row(rows, {1}, {});
  const Tagger tagger = train_knn(toy_data(1));
  EXPECT_EQ(kind_of_error([&] { tagger.learn(rows, {}, {}); }), ErrorKind::kData);
  EXPECT_EQ(kind_of_error([&] { tagger.learn(rows_between(rows, 0, 0), {}, {}); }), ErrorKind::kData);
}

TEST(Learning, KeepsAtMostAsManyLabelsAsMemoryHolds) {
  Dataset rows = new_rows();
  rows.n_labels = std::size_t{1} << 31;
  LearnOptions options;
  options.max_memory = 1'000'000'000;
  EXPECT_EQ(kind_of_error([&] { train_knn(toy_data(1)).learn(rows, options, {}); }), ErrorKind::kMemory);
  options.max_memory = 1000;
  EXPECT_EQ(kind_of_error([&] { train_knn(toy_data(1)).learn(new_rows(), options, {}); }), ErrorKind::kMemory);
}

TEST(Learning, StopsWhenAsked) {
  const std::atomic<bool> cancel{true};
  xylem::Run run;
  run.cancel = &cancel;
  const Tagger tagger = train_knn(toy_data(1));
  EXPECT_EQ(kind_of_error([&] { tagger.learn(new_rows(), {}, run); }), ErrorKind::kInterrupted);
}

TEST(Learning, TakesTheSettingsOfTheMethod) {
  const Tagger tagger = train_knn(toy_data(1));
  const LearnOptions options{{{"epochs", "3"}}};
  EXPECT_EQ(kind_of_error([&] { tagger.learn(new_rows(), options, {}); }), ErrorKind::kUsage);
  EXPECT_EQ(message_of([&] { tagger.learn(new_rows(), options, {}); }),
            "unknown option 'epochs'; learning has none for models of knn");
}

TEST(Learning, IsRefusedWhereTheMethodMustTrainAnew) {
  for (const char* method : {"parabel", "popular"}) {
    TrainOptions options;
    options.method = method;
    const Tagger tagger = Tagger::train(toy_data(1), options, {});
    EXPECT_EQ(kind_of_error([&] { tagger.learn(new_rows(), {}, {}); }), ErrorKind::kUsage);
    EXPECT_TRUE(message_of([&] { tagger.learn(new_rows(), {}, {}); })
                    .starts_with("models of " + std::string(method) +
                                 " cannot learn more rows and must be retrained; those of "));
  }
}

// Labels that are numbers with names.
class LearningWithNames : public ::testing::Test {
 protected:
  LearningWithNames() : data_(toy_data(1)) { data_.label_names = names(12); }
  static TextList names(std::size_t n) {
    TextList names;
    for (std::size_t i = 0; i < n; ++i) names.push_back("label " + std::to_string(i / 2));  // shared by two
    return names;
  }
  Dataset data_;
};

TEST_F(LearningWithNames, WantsANameForEveryLabel) {
  const Tagger tagger = train_knn(data_);
  EXPECT_EQ(kind_of_error([&] { tagger.learn(new_rows(), {}, {}); }), ErrorKind::kData);
  Dataset rows = new_rows();
  rows.label_names = names(13);
  EXPECT_EQ(message_of([&] { tagger.learn(rows, {}, {}); }),
            "found label 14, which the model does not have, expected a name for it, too");
  rows.label_names = names(15);
  const Tagger more = tagger.learn(rows, {}, {});
  EXPECT_EQ(more.label_names(), names(15));
  EXPECT_EQ(more.training_counts().labels[14], 1u);
}

TEST_F(LearningWithNames, NeedsNoNamesForLabelsThatItHas) {
  Dataset rows = rows_between(new_rows(), 2, 3);
  EXPECT_EQ(train_knn(data_).learn(rows, {}, {}).label_names(), names(12)) << "whatever the header promises";
  rows.n_labels = 3;
  rows.label_names = names(3);
  EXPECT_EQ(train_knn(data_).learn(rows, {}, {}).label_names(), names(12));
}

TEST_F(LearningWithNames, RefusesOtherNames) {
  Dataset rows = new_rows();
  rows.label_names.push_back("another");
  for (std::size_t i = 1; i < 15; ++i) rows.label_names.push_back(names(15)[i]);
  EXPECT_EQ(message_of([&] { train_knn(data_).learn(rows, {}, {}); }),
            "found 'another' as the name of label 0, expected 'label 0', as in the model");
  EXPECT_EQ(kind_of_error([&] { train_knn(toy_data(1)).learn(rows, {}, {}); }), ErrorKind::kUsage)
      << "the model has no names at all";
}

Corpus corpus_of(const std::vector<std::pair<const char*, std::vector<Label>>>& rows,
                 const std::vector<const char*>& names) {
  Corpus corpus;
  for (const char* name : names) corpus.label_names.push_back(name);
  for (const auto& [text, labels] : rows) {
    corpus.texts.push_back(text);
    corpus.labels.push_back(labels);
  }
  return corpus;
}

Corpus shop() {
  return corpus_of({{"I forgot my password", {0}},
                    {"the password is wrong", {0}},
                    {"where is the parcel", {1}},
                    {"the parcel has not arrived", {1}}},
                   {"account", "delivery"});
}

Tagger train_texts(const Corpus& corpus) {
  TrainOptions options;
  options.method = "knn";
  options.settings = {{"k", "2"}};
  return Tagger::train(corpus, options, {});
}

std::string best_name(const Tagger& tagger, const char* text) {
  TextList texts;
  texts.push_back(text);
  return tagger.label_name(tagger.tag(texts, 1, {}).labels.at(0));
}

TEST(LearningTexts, FindsKnownLabelsByTheirNamesAndAddsNewOnes) {
  const Corpus more =
      corpus_of({{"not wrong, not forgot", {0}}, {"arrived", {1}}, {"unheard words", {0}}}, {"praise", "delivery"});
  std::vector<std::string> remarks;
  xylem::Run run;
  run.on_remark = [&](const std::string& remark) { remarks.push_back(remark); };
  const Tagger before = train_texts(shop());
  const Tagger tagger = before.learn(more, {}, run);
  EXPECT_EQ(remarks, (std::vector<std::string>{"rows without any word that the model knows: 1"}));
  EXPECT_EQ(tagger.n_features(), before.n_features());
  EXPECT_EQ(tagger.training_counts().labels, (std::vector<std::uint32_t>{2, 3, 2}));
  EXPECT_EQ(best_name(tagger, "wrong forgot"), "praise");
  EXPECT_EQ(best_name(tagger, "parcel"), "delivery");
  const test::Folder folder;
  tagger.save(folder / "m.xylem", false);
  EXPECT_EQ(best_name(Tagger::load(folder / "m.xylem"), "wrong forgot"), "praise");
  EXPECT_EQ(tagger.learn(more, {}, {}).n_labels(), 3u) << "by now they are known";
}

TEST(LearningTexts, WithNumbersForLabelsWantsTheListOfNames) {
  Corpus numbered = shop();
  numbered.first_label = 1;
  const Tagger tagger = train_texts(numbered);
  const Corpus known = corpus_of({{"forgot", {0}}, {"parcel", {1}}}, {"1", "delivery"});
  EXPECT_EQ(tagger.learn(known, {}, {}).training_counts().labels, (std::vector<std::uint32_t>{3, 3}));
  for (const char* name : {"3", "praise"}) {
    const Corpus unknown = corpus_of({{"forgot", {0}}}, {name});
    EXPECT_EQ(kind_of_error([&] { tagger.learn(unknown, {}, {}); }), ErrorKind::kData);
  }
  Corpus listed = corpus_of({{"not wrong", {2}}}, {"account", "delivery", "account"});
  listed.first_label = 1;
  EXPECT_EQ(tagger.learn(listed, {}, {}).training_counts().labels, (std::vector<std::uint32_t>{2, 2, 1}))
      << "a shared name is no shared label";
  Corpus others = corpus_of({{"not wrong", {2}}}, {"delivery", "account", "praise"});
  others.first_label = 1;
  EXPECT_EQ(kind_of_error([&] { tagger.learn(others, {}, {}); }), ErrorKind::kData);
}

}  // namespace
}  // namespace xylem
