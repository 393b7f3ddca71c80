// SPDX-License-Identifier: Apache-2.0
#include "core/dense.h"

#include <gtest/gtest.h>

#include <new>
#include <utility>

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

TEST(Matrix, IsMultipliedInTheSameBlocksOnAllMachines) {
  EXPECT_EQ(Eigen::l1CacheSize(), 32 * 1024);
  EXPECT_EQ(Eigen::l2CacheSize(), 512 * 1024);
  EXPECT_EQ(Eigen::l3CacheSize(), 8 * 1024 * 1024);
}

TEST(Matrix, MultipliesLikeThreeLoops) {
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

// More numbers than there are addresses, in any shape that the program has.
template <class Dense>
void expect_empty_after_failed_resize(Dense values, Eigen::Index rows, Eigen::Index columns) {
  values.setZero();
  EXPECT_THROW(values.resize(rows, columns), std::bad_alloc);
  EXPECT_EQ(values.size(), 0);
  values.setZero(rows == 1 ? 1 : 3, columns == 1 ? 1 : 3);  // and is of use again
  EXPECT_EQ(values.sum(), 0);
}

TEST(Matrix, IsEmptyAfterAResizeThatFailed) {
  const Eigen::Index much = Eigen::Index{1} << 31, very_much = much * much;
  expect_empty_after_failed_resize(Matrix(2, 2), much, much);
  expect_empty_after_failed_resize(Eigen::MatrixXd(2, 2), much, much);
  expect_empty_after_failed_resize(Eigen::VectorXf(2), very_much, 1);
  expect_empty_after_failed_resize(Eigen::ArrayXf(2), very_much, 1);
  expect_empty_after_failed_resize(Eigen::RowVectorXd(2), 1, very_much);
}

TEST(Matrix, KeepsItsMemoryIfAResizeChangesTheShapeAlone) {
  Matrix matrix = random_matrix(6, 4, 5);
  const float* numbers = matrix.data();
  matrix.resize(3, 8);
  EXPECT_EQ(matrix.data(), numbers);
  EXPECT_EQ(matrix.rows(), 3);
  EXPECT_EQ(matrix.cols(), 8);
}

TEST(Matrix, MovesAndCopiesItsNumbers) {
  const Matrix original = random_matrix(3, 5, 6);
  Matrix copy = original;
  EXPECT_NE(copy.data(), original.data());
  EXPECT_EQ(copy, original);
  const float* numbers = copy.data();
  Matrix moved = std::move(copy);
  EXPECT_EQ(moved.data(), numbers);
  moved.conservativeResize(4, 5);
  EXPECT_EQ(moved.topRows(3), original);
  moved = original.topRows(2);
  EXPECT_EQ(moved, original.topRows(2));
}

TEST(MatrixView, SeesTheMatrixItWasMadeOf) {
  const Matrix matrix = random_matrix(4, 6, 4);
  const MatrixView view(matrix.data(), 4, 6);
  EXPECT_EQ(view, matrix);
}

}  // namespace
}  // namespace xylem
