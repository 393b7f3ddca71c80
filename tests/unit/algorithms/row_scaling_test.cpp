// SPDX-License-Identifier: Apache-2.0
#include "algorithms/row_scaling.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace xylem {
namespace {

SparseMatrix one_row(const std::vector<float>& values) {
  SparseMatrix rows;
  std::vector<Feature> ids;
  for (std::size_t i = 0; i < values.size(); ++i) ids.push_back(static_cast<Feature>(i));
  rows.push_back({ids, values});
  return rows;
}

TEST(RowScaling, GivesEveryRowLengthOne) {
  for (const std::vector<float>& values :
       {std::vector<float>{3, 4}, {1e30f, 1e30f, -1e30f}, {3.4e38f, 3.4e38f}, {1.4e-45f, 1.4e-45f}, {-2}}) {
    SparseMatrix rows = one_row(values);
    scale_to_unit(rows);
    double squares = 0;
    for (const float value : rows.values) squares += static_cast<double>(value) * value;
    EXPECT_NEAR(squares, 1, 1e-6) << values[0];
  }
}

TEST(RowScaling, LeavesRowsOfZerosAndEmptyRows) {
  SparseMatrix rows = one_row({0, 0});
  rows.push_back({});
  scale_to_unit(rows);
  EXPECT_EQ(rows.values, (std::vector<float>{0, 0}));
}

TEST(RowScaling, CopiesWhatItScalesInPlace) {
  SparseMatrix rows = one_row({3, 4, 5});
  rows.push_back(one_row({7, 1})[0]);
  SparseMatrix copy = one_row({9});
  copy_as_unit(rows.rows().slice(1, 1), copy);
  scale_to_unit(rows);
  ASSERT_EQ(copy.size(), 1u);
  EXPECT_EQ(copy.values, std::vector<float>(rows.values.begin() + 3, rows.values.end()));
}

}  // namespace
}  // namespace xylem
