// SPDX-License-Identifier: Apache-2.0
#include "methods/glas/cooccurrence.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/parallel.h"
#include "toy_data.h"

namespace xylem::glas {
namespace {

// Label 0 is in 4 of 5 rows, 1 in 2 of them, both in 2; 2 in one row with 0; 3 alone.
LabelLists some_lists() {
  LabelLists lists;
  for (const std::vector<Label>& row : {std::vector<Label>{0, 1}, {0, 1}, {0, 2}, {0}, {3}}) lists.push_back(row);
  return lists;
}

Matrix look_up(Cooccurrence kind, std::vector<Label> labels) {
  const LabelLists lists = some_lists();
  Matrix out;
  CooccurrenceTable(lists, 4, kind).look_up(labels, out);
  return out;
}

TEST(Cooccurrence, IsWhatItIsDefinedAs) {
  EXPECT_FLOAT_EQ(look_up(Cooccurrence::kArithmetic, {0, 1})(0, 1), 0.5f * (2.0f / 4 + 2.0f / 2));
  EXPECT_FLOAT_EQ(look_up(Cooccurrence::kGeometric, {0, 1})(0, 1), std::sqrt(0.5f));
  EXPECT_FLOAT_EQ(look_up(Cooccurrence::kJaccard, {0, 1})(0, 1), 0.5f);
  EXPECT_FLOAT_EQ(look_up(Cooccurrence::kPmi, {0, 1})(0, 1), std::log(5.0f * 2 / 8) / std::log(5.0f / 2));
}

TEST(Cooccurrence, IsSymmetricWithOnesAndZeros) {
  for (const auto kind :
       {Cooccurrence::kArithmetic, Cooccurrence::kGeometric, Cooccurrence::kJaccard, Cooccurrence::kPmi}) {
    const Matrix u = look_up(kind, {0, 1, 2, 3});
    EXPECT_EQ(u, u.transpose());
    EXPECT_EQ(u.diagonal(), Eigen::VectorXf::Ones(4));
    EXPECT_EQ(u(1, 2), 0);  // never together
    EXPECT_EQ(u(0, 3), 0);
    EXPECT_GE(u.minCoeff(), 0);
    EXPECT_LE(u.maxCoeff(), 1);
  }
}

TEST(Cooccurrence, OfSomeLabelsIsPartOfThatOfAll) {
  const Dataset data = test::toy_data(1);
  const CooccurrenceTable table(data.labels, data.n_labels, Cooccurrence::kArithmetic);
  Matrix all, some;
  std::vector<Label> labels(data.n_labels);
  for (Label label = 0; label < data.n_labels; ++label) labels[label] = label;
  with_threads(3, [&] { table.look_up(labels, all); });
  const std::vector<Label> few{2, 5, 6};
  table.look_up(few, some);
  for (Eigen::Index a = 0; a < 3; ++a) {
    for (Eigen::Index b = 0; b < 3; ++b) {
      EXPECT_EQ(some(a, b), all(few[static_cast<std::size_t>(a)], few[static_cast<std::size_t>(b)]));
    }
  }
  EXPECT_GT(all.sum(), 13);  // some do occur together
}

}  // namespace
}  // namespace xylem::glas
