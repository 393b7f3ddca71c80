// SPDX-License-Identifier: Apache-2.0
#include "algorithms/packed_vectors.h"

#include <gtest/gtest.h>

#include <limits>

#include "gradients.h"

namespace xylem {
namespace {

TEST(PackedVectors, TurnIntoAnotherPrecision) {
  const Matrix rows = random_matrix(9, 5, 1);
  const PackedVectors floats(rows, Precision::kFloat);
  for (const Precision precision : {Precision::kFloat, Precision::kBf16, Precision::kInt8}) {
    const PackedVectors direct(rows, precision), turned = floats.as(precision);
    EXPECT_EQ(turned.precision(), precision);
    std::string expected, found;
    direct.save(expected);
    turned.save(found);
    EXPECT_EQ(found, expected);
  }
}

TEST(PackedVectors, ComeBackFromBytes) {
  const Matrix rows = random_matrix(9, 5, 1);
  std::string bytes;
  PackedVectors(rows, Precision::kFloat).save(bytes);
  std::string_view rest = bytes;
  const PackedVectors loaded(rest, 9, 5);
  EXPECT_TRUE(rest.empty());
  std::vector<float> buffer;
  EXPECT_EQ(MatrixView(loaded.decode(0, 9, buffer), 9, 5), rows);
}

TEST(PackedVectors, SeeWhatIsNotFinite) {
  Matrix rows = random_matrix(9, 5, 1);
  EXPECT_TRUE(PackedVectors(rows, Precision::kFloat).is_finite());
  rows(8, 4) = std::numeric_limits<float>::infinity();
  EXPECT_FALSE(PackedVectors(rows, Precision::kFloat).is_finite());
}

}  // namespace
}  // namespace xylem
