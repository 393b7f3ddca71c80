// SPDX-License-Identifier: Apache-2.0
#include "xylem/checked_rows.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "xylem/error.h"

namespace xylem {
namespace {

using Narrow = std::vector<std::int32_t>;
using Wide = std::vector<std::int64_t>;

template <class Numbers, class Values>
SparseMatrix rows_of(const Numbers& offsets, const Numbers& ids, const Values& values, std::size_t* summed = nullptr) {
  return checked_rows(std::span(offsets), std::span(ids), std::span(values), 10, summed);
}

std::string refusal_of(const auto& work) {
  try {
    work();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kData);
    return error.what();
  }
  return "";
}

TEST(CheckedRows, SortsIdsAndSumsThoseThatOccurTwice) {
  std::size_t summed = 0;
  const SparseMatrix rows =
      rows_of(Narrow{0, 4, 4, 5}, Narrow{7, 2, 7, 0, 9}, std::vector<float>{1, 2, 0.5, 3, 4}, &summed);
  EXPECT_EQ(rows.offsets, (std::vector<std::uint64_t>{0, 3, 3, 4}));
  EXPECT_EQ(rows.ids, (std::vector<Feature>{0, 2, 7, 9}));
  EXPECT_EQ(rows.values, (std::vector<float>{3, 2, 1.5, 4}));
  EXPECT_EQ(rows.n_columns, 10U);
  EXPECT_EQ(summed, 1U);
  check_rows(rows.rows());
}

TEST(CheckedRows, TakesNumbersOf32AndOf64Bits) {
  const SparseMatrix narrow = rows_of(Narrow{0, 1, 2}, Narrow{3, 4}, std::vector<float>{1, 2});
  const SparseMatrix wide = rows_of(Wide{0, 1, 2}, Wide{3, 4}, std::vector<double>{1, 2});
  EXPECT_EQ(narrow.offsets, wide.offsets);
  EXPECT_EQ(narrow.ids, wide.ids);
  EXPECT_EQ(narrow.values, wide.values);
  EXPECT_EQ(rows_of(Narrow{0}, Narrow{}, std::vector<float>{}).size(), 0U);
}

TEST(CheckedRows, RefusesOffsetsThatDoNotFit) {
  const std::vector<float> values = {1, 2};
  const auto refusal = [&](const Wide& offsets) { return refusal_of([&] { rows_of(offsets, Wide{3, 4}, values); }); };
  EXPECT_EQ(refusal({}), "found no offsets, expected one more than rows");
  EXPECT_EQ(refusal({1, 2}), "found 1 as the first offset, expected 0");
  EXPECT_EQ(refusal({0, 2, 1, 2}), "row 1: it begins at 2 and ends at 1, expected offsets that do not fall");
  EXPECT_EQ(refusal({0, 3}), "found 3 as the last offset, expected 2, the number of ids");
  EXPECT_EQ(refusal({0, 1}), "found 1 as the last offset, expected 2, the number of ids");
  EXPECT_NE(refusal({0, std::numeric_limits<std::int64_t>::max(), 2}), "");
  EXPECT_NE(refusal({0, std::numeric_limits<std::int64_t>::min(), 2}), "");
}

TEST(CheckedRows, RefusesIdsAndValuesThatAreNone) {
  const auto refusal = [](const Wide& ids, const std::vector<double>& values) {
    return refusal_of([&] { rows_of(Wide{0, 0, static_cast<std::int64_t>(ids.size())}, ids, values); });
  };
  EXPECT_EQ(refusal({3}, {1, 2}), "found 1 ids and 2 values, expected as many of both");
  EXPECT_EQ(refusal({10}, {1}), "row 1: found feature 10, expected 0 or more and less than 10, the number of columns");
  EXPECT_EQ(refusal({-1}, {1}), "row 1: found feature -1, expected 0 or more and less than 10, the number of columns");
  EXPECT_EQ(refusal({3}, {std::nan("")}), "row 1: found nan for feature 3, expected a finite number");
  EXPECT_EQ(refusal({3}, {1e300}), "row 1: found 1e+300 for feature 3, expected a finite number");
  EXPECT_EQ(refusal({3, 3}, {3e38, 3e38}), "row 1: found 6e+38 for feature 3, expected a finite number");
  EXPECT_NE(refusal({std::int64_t{1} << 32}, {1}), "");
}

TEST(CheckedLabels, SortsLabelsAndTakesThoseThatOccurTwiceOnce) {
  std::size_t repeated = 0;
  const Narrow offsets = {0, 3, 3, 4}, ids = {4, 1, 4, 0};
  const LabelLists labels = checked_labels(std::span(offsets), std::span(ids), 5, &repeated);
  EXPECT_EQ(labels.offsets, (std::vector<std::uint64_t>{0, 2, 2, 3}));
  EXPECT_EQ(labels.ids, (std::vector<Label>{1, 4, 0}));
  EXPECT_EQ(repeated, 1U);
  check_labels(labels, 5);
  const auto refusal = [](const Wide& bad) {
    const Wide one_row = {0, 1};
    return refusal_of([&] { checked_labels(std::span(one_row), std::span(bad), 5); });
  };
  EXPECT_EQ(refusal({5}), "row 0: found label 5, expected 0 or more and less than 5, the number of labels");
  EXPECT_EQ(refusal({-1}), "row 0: found label -1, expected 0 or more and less than 5, the number of labels");
  EXPECT_EQ(refusal({}), "found 1 as the last offset, expected 0, the number of ids");
}

TEST(CheckRows, RefusesIdsThatDoNotRise) {
  SparseMatrix rows;
  rows.push_back({std::vector<Feature>{1, 2}, std::vector<float>{1, 1}});
  check_rows(rows.rows());
  rows.push_back({std::vector<Feature>{2, 2}, std::vector<float>{1, 1}});
  EXPECT_EQ(refusal_of([&] { check_rows(rows.rows()); }),
            "row 1: found feature 2 after 2, expected rising ones; checked_rows() sorts them");
}

TEST(CheckDataset, RefusesPartsThatDoNotGoTogether) {
  Dataset good;
  good.features.n_columns = 3;
  good.n_labels = 2;
  good.features.push_back({std::vector<Feature>{1, 2}, std::vector<float>{1, 1}});
  good.labels.push_back(std::vector<Label>{0, 1});
  check_dataset(good);
  const auto refusal = [&](auto spoil) {
    Dataset data = good;
    spoil(data);
    return refusal_of([&] { check_dataset(data); });
  };
  EXPECT_EQ(refusal([](Dataset& data) { data.labels.push_back({}); }),
            "found 1 rows of features and 2 of labels, expected as many of both");
  EXPECT_EQ(refusal([](Dataset& data) { data.features.n_columns = 2; }),
            "row 0: found feature 2, expected less than 2, the number of columns");
  EXPECT_EQ(refusal([](Dataset& data) { data.n_labels = 1; }),
            "row 0: found label 1, expected rising ones below 1, the number of labels");
  EXPECT_EQ(refusal([](Dataset& data) {
              data.labels.ids = {1, 0};
            }),
            "row 0: found label 0, expected rising ones below 2, the number of labels");
  EXPECT_EQ(refusal([](Dataset& data) { data.label_names.push_back("a"); }),
            "found 1 names of labels, expected 2, one for each label, or none");
  EXPECT_EQ(refusal([](Dataset& data) { data.features.values.pop_back(); }),
            "found 2 ids and 1 values, expected as many of both");
  EXPECT_EQ(refusal([](Dataset& data) { data.features.offsets.back() = 5; }),
            "found 5 as the last offset, expected 2, the number of ids");
  EXPECT_EQ(refusal([](Dataset& data) { data.labels.offsets.clear(); }),
            "found no offsets, expected one more than rows");
  EXPECT_EQ(refusal([](Dataset& data) {
              data.label_names.push_back("a");
              data.label_names.push_back("\xff");
            }),
            "name of label 1: found invalid UTF-8 '\\xff' at byte 1, expected UTF-8");
}

TEST(CheckTexts, RefusesWhatIsNoText) {
  TextList texts;
  texts.push_back("title and body", 5);
  texts.push_back("日本");
  check_texts(texts);
  const auto refusal = [&](std::string_view text, std::size_t title_bytes = 0) {
    TextList bad = texts;
    bad.push_back(text, title_bytes);
    return refusal_of([&] { check_texts(bad); });
  };
  EXPECT_EQ(refusal("a\xff"), "text 2: found invalid UTF-8 '\\xff' at byte 2, expected UTF-8");
  EXPECT_EQ(refusal({"a\0b", 3}), "text 2: found a NUL byte at byte 2, expected text");
  EXPECT_EQ(refusal("abc", 4), "text 2: found a title of 4 bytes, expected at most the 3 of the text");
}

TEST(CheckCorpus, RefusesPartsThatDoNotGoTogether) {
  Corpus good;
  good.texts.push_back("some words");
  good.labels.push_back(std::vector<Label>{0, 1});
  for (const char* name : {"a", "b"}) good.label_names.push_back(name);
  check_corpus(good);
  const auto refusal = [&](auto spoil) {
    Corpus corpus = good;
    spoil(corpus);
    return refusal_of([&] { check_corpus(corpus); });
  };
  EXPECT_EQ(refusal([](Corpus& corpus) { corpus.texts.push_back("more"); }),
            "found 2 texts and 1 lists of labels, expected as many of both");
  EXPECT_EQ(refusal([](Corpus& corpus) { corpus.labels.ids[1] = 2; }),
            "row 0: found label 2, expected rising ones below 2, the number of labels");
  EXPECT_EQ(refusal([](Corpus& corpus) { corpus.label_ids.push_back("x"); }),
            "found 1 identifiers of labels, expected 2, one for each label, or none");
}

}  // namespace
}  // namespace xylem
