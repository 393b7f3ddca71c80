// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "test_files.h"
#include "xylem/corpus.h"

namespace xylem {
namespace {

LabelNames names_of(const std::vector<std::string>& names, bool numbered = false) {
  LabelNames result{"names.txt", {}, numbered};
  for (const std::string& name : names) result.names.push_back(name);
  return result;
}

Dataset rows_of(const std::vector<Label>& labels, std::size_t n_labels, Label first = 0) {
  Dataset data;
  for (const Label label : labels) {
    data.features.push_back({});
    data.labels.push_back({&label, 1});
  }
  data.n_labels = n_labels;
  data.first_ids.label = first;
  return data;
}

// Each text has one label.
Corpus texts_of(const std::vector<std::string>& labels) {
  Corpus corpus;
  for (Label i = 0; i < labels.size(); ++i) {
    corpus.texts.push_back("text");
    corpus.label_names.push_back(labels[i]);
    corpus.labels.push_back({&i, 1});
  }
  return corpus;
}

std::string joined(const TextList& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) text.append(names[i]) += '|';
  return text;
}

TEST(NameLabels, OfRowsAreOneForEachLabel) {
  Dataset data = rows_of({0, 2}, 3);
  const NamingReport report = name_labels(data, names_of({"a", "", "", "d"}));
  EXPECT_EQ(joined(data.label_names), "a|1|2|d|");
  EXPECT_EQ(data.n_labels, 4u);
  EXPECT_EQ(report.unnamed, 1u);  // label 1 does not occur
  data = rows_of({0}, 3);
  name_labels(data, names_of({"a"}));
  EXPECT_EQ(joined(data.label_names), "a|1|2|") << "the header promised more than occur";
}

TEST(NameLabels, FollowTheNumbersOfTheFile) {
  Dataset data = rows_of({0, 1}, 2, 1);
  name_labels(data, names_of({"", "a", "b", "c"}, true));
  EXPECT_EQ(joined(data.label_names), "a|b|c|");
  data = rows_of({0, 1}, 2, 1);
  EXPECT_EQ(error_of(ErrorKind::kUsage,
                     [&] {
                       name_labels(data, names_of({"z", "a", "b"}, true));
                     }),
            "names.txt names a label 0, and the data seem to count from 1; --first-id says how they count");
}

TEST(NameLabels, AreNeverShiftedByAGuess) {
  for (const Label first : {0u, 1u}) {
    Dataset data = rows_of({1, 2}, 3, first);
    EXPECT_NE(error_of(ErrorKind::kUsage, [&] { name_labels(data, names_of({"a", "b", "c", "d"})); }), "");
    name_labels(data, names_of({"a", "b", "c", "d"}), first);
    EXPECT_EQ(joined(data.label_names), "a|b|c|d|");
  }
  Corpus corpus = texts_of({"1", "2"});
  EXPECT_NE(error_of(ErrorKind::kUsage, [&] { name_labels(corpus, names_of({"a", "b", "c"})); }), "");
}

TEST(NameLabels, OfTextsAreNumberedAsTheNamesAre) {
  Corpus corpus = texts_of({"2", "c", "0", "a"});
  name_labels(corpus, names_of({"a", "b", "c"}));
  EXPECT_EQ(joined(corpus.label_names), "a|b|c|");
  EXPECT_EQ(corpus.labels.ids, (std::vector<Label>{2, 2, 0, 0}));
  EXPECT_EQ(corpus.first_label, Label{0});
  corpus = texts_of({"3", "1"});
  name_labels(corpus, names_of({"a", "b", "c"}));
  EXPECT_EQ(corpus.labels.ids, (std::vector<Label>{2, 0}));
  EXPECT_EQ(corpus.first_label, Label{1});
  corpus = texts_of({"b", "c"});
  name_labels(corpus, names_of({"a", "b", "c"}));
  EXPECT_EQ(corpus.labels.ids, (std::vector<Label>{1, 2}));
}

TEST(NameLabels, CountNamesThatSeveralLabelsShare) {
  Dataset data = rows_of({0}, 6);
  EXPECT_EQ(name_labels(data, names_of({"a", "b", "a", "c", "b", "a"})).shared, 2u);
  EXPECT_EQ(name_labels(data, names_of({"a", "b", "c", "d", "e", "f"})).shared, 0u);
}

}  // namespace
}  // namespace xylem
