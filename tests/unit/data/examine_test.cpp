// SPDX-License-Identifier: Apache-2.0
#include "data/examine.h"

#include "corpus_text.h"

namespace xylem {
namespace {

class Examine : public CorpusFiles {
 protected:
  Dataset rows_in(const std::string& text) const { return read_dataset(write(text)).data; }
};

TEST_F(Examine, CountsWhatSparseRowsHold) {
  const Examination found = examine(rows_in("6 5 4\n0,1 0:1 1:2\n0 2:1\n0,1 0:1 1:2\n 3:1\n0 \n0,2 0:1 1:2\n"));
  EXPECT_FALSE(found.texts);
  EXPECT_EQ(found.rows, 6U);
  EXPECT_EQ(found.features, 5U);
  EXPECT_EQ(found.contents.total, 8U);
  EXPECT_EQ(found.contents.most, 2U);
  EXPECT_EQ(found.labels.total, 8U);
  EXPECT_EQ(found.labels.most, 2U);
  EXPECT_EQ(found.rows_without_labels, 1U);
  EXPECT_EQ(found.rows_without_content, 1U);
  EXPECT_EQ(found.repeats.rows, 2U);
  EXPECT_EQ(found.repeats.with_other_labels, 1U);
  EXPECT_EQ(found.repeat_example, std::pair(std::size_t{0}, std::size_t{2}));
  EXPECT_EQ(found.spread.labels, 4U);
  EXPECT_EQ(found.spread.unused, 1U);
  EXPECT_EQ(found.spread.on_one_row, 1U);
  EXPECT_EQ(found.spread.on_most_rows, std::vector<Label>{0});
}

TEST_F(Examine, CountsWhatTextsHold) {
  const Examination found =
      examine(read("a,B\tone two  three\nb\t\na\t \n\tfour\nb\tfour\nb;c\tKÃ¤se \uFFFD\uFFFD\n").corpus);
  EXPECT_TRUE(found.texts);
  EXPECT_EQ(found.rows, 6U);
  EXPECT_EQ(found.contents.total, 7U);
  EXPECT_EQ(found.contents.most, 3U);
  EXPECT_EQ(found.bytes, 37U);
  EXPECT_EQ(found.rows_without_labels, 1U);
  EXPECT_EQ(found.rows_without_content, 2U);
  EXPECT_EQ(found.repeats.rows, 1U);
  EXPECT_EQ(found.repeats.with_other_labels, 1U);
  EXPECT_EQ(found.replacement_characters, 2U);
  EXPECT_EQ(found.mojibake_rows, 1U);
  EXPECT_EQ(found.names.alike.count, 1U);
  ASSERT_EQ(found.names.separators.size(), 1U);
  EXPECT_EQ(found.names.separators[0].separator, ';');
}

TEST_F(Examine, GroupsLabelsAsEvaluationDoes) {
  Dataset data;
  data.n_labels = 5;
  for (std::size_t row = 0; row < 150; ++row) {
    std::vector<Label> labels;
    if (row < 101) labels.push_back(0);
    if (row < 100) labels.push_back(1);
    if (row < 6) labels.push_back(2);
    if (row < 5) labels.push_back(3);
    if (row < 1) labels.push_back(4);
    data.features.push_back({});
    data.labels.push_back(labels);
  }
  const LabelSpread spread = examine(data).spread;
  ASSERT_EQ(spread.groups.size(), 3U);
  EXPECT_EQ(spread.groups[0].labels, 1U);
  EXPECT_EQ(spread.groups[1].labels, 2U);
  EXPECT_EQ(spread.groups[2].labels, 2U);
  EXPECT_EQ(spread.on_one_row, 1U);
  EXPECT_EQ(spread.on_most_rows, (std::vector<Label>{0, 1}));
}

TEST_F(Examine, ComparesTestRowsWithTrainingRows) {
  const Dataset train = rows_in("0 0:1\n2 1:1\n4 2:1\n"), test = rows_in("0,1 0:1\n1,9 1:2\n4 \n 2:1\n");
  const TestComparison found = compare_with_training(examine(train), examine(test), test);
  EXPECT_EQ(found.rows_in_training, 2U);
  EXPECT_EQ(found.unseen_labels, 2U);
  EXPECT_EQ(found.unseen_pairs, 3U);
  EXPECT_EQ(found.rows_with_unseen_only, 1U);
  EXPECT_EQ(found.unseen_examples, (std::vector<std::string>{"1", "9"}));
}

TEST_F(Examine, ComparesTestTextsByTheNamesOfTheirLabels) {
  const Corpus train = read("a,b\tone\nc\ttwo\n").corpus, test = read("d\tone\nc,d\tthree\nb\tfour\n").corpus;
  const TestComparison found = compare_with_training(examine(train), train.label_names, examine(test), test);
  EXPECT_EQ(found.rows_in_training, 1U);
  EXPECT_EQ(found.unseen_labels, 1U);
  EXPECT_EQ(found.unseen_pairs, 2U);
  EXPECT_EQ(found.rows_with_unseen_only, 1U);
  EXPECT_EQ(found.unseen_examples, std::vector<std::string>{"d"});
}

}  // namespace
}  // namespace xylem
