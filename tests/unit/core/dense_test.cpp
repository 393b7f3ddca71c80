// SPDX-License-Identifier: Apache-2.0
#include "core/dense.h"

#include <gtest/gtest.h>

#include "core/random.h"

namespace xylem {
namespace {

Matrix random_matrix(Eigen::Index rows, Eigen::Index columns, std::uint64_t seed) {
  Random random(seed, {});
  Matrix matrix(rows, columns);
  for (Eigen::Index i = 0; i < rows; ++i) {
    for (Eigen::Index j = 0; j < columns; ++j) matrix(i, j) = static_cast<float>(random.normal());
  }
  return matrix;
}

TEST(Matrix, KeepsItsRowsContiguous) {
  const Matrix matrix = random_matrix(3, 5, 1);
  EXPECT_EQ(&matrix(1, 0), matrix.data() + 5);
  EXPECT_EQ(&matrix(1, 4), matrix.data() + 9);
}

TEST(Matrix, MultipliesLikeThreeLoops) {
  fix_dense_blocking();
  const Matrix a = random_matrix(37, 301, 2);
  const Matrix b = random_matrix(301, 53, 3);
  const Matrix product = a * b;
  for (Eigen::Index i = 0; i < a.rows(); ++i) {
    for (Eigen::Index j = 0; j < b.cols(); ++j) {
      double expected = 0;
      for (Eigen::Index k = 0; k < a.cols(); ++k) expected += static_cast<double>(a(i, k)) * b(k, j);
      EXPECT_NEAR(product(i, j), expected, 1e-4);
    }
  }
}

TEST(MatrixView, SeesTheMatrixItWasMadeOf) {
  const Matrix matrix = random_matrix(4, 6, 4);
  const MatrixView view(matrix.data(), 4, 6);
  EXPECT_EQ(view, matrix);
}

}  // namespace
}  // namespace xylem
