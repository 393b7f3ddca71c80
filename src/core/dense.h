// SPDX-License-Identifier: Apache-2.0
// Dense matrices. Include this before any header of Eigen: it makes Eigen's matrices safe when memory runs out, and its
// products the same on all machines.
#pragma once

#ifdef EIGEN_CORE_H
#error "include core/dense.h before any header of Eigen"
#endif

// Eigen cuts its products by the cache sizes that it finds, and the cut decides the last bits of the result. It does
// not look for them with EIGEN_NO_CPUID, and takes these.
#define EIGEN_NO_CPUID
#define EIGEN_DEFAULT_L1_CACHE_SIZE (32 * 1024)
#define EIGEN_DEFAULT_L2_CACHE_SIZE (512 * 1024)
#define EIGEN_DEFAULT_L3_CACHE_SIZE (8 * 1024 * 1024)

#include <Eigen/Core>
#include <algorithm>
#include <cstddef>
#include <type_traits>
#include <utility>

namespace xylem {

// The memory of a matrix with a size known at run time. Eigen's own frees the old numbers in resize(), then allocates;
// if that throws, the destructor frees them a second time. This one is empty by then. A resize to as many numbers
// keeps the memory, as Eigen's does, and the peak is the same.
template <class T, int kRows, int kCols, bool kAligned>
class MatrixMemory {
 public:
  using Index = Eigen::Index;

  MatrixMemory() = default;
  explicit MatrixMemory(Eigen::internal::constructor_without_unaligned_array_assert) {}
  MatrixMemory(Index size, Index rows, Index cols) { resize(size, rows, cols); }
  MatrixMemory(const MatrixMemory& other) : MatrixMemory(other.size(), other.rows_, other.cols_) {
    Eigen::internal::smart_copy(other.data_, other.data_ + other.size(), data_);
  }
  MatrixMemory(MatrixMemory&& other) noexcept { swap(other); }
  MatrixMemory& operator=(MatrixMemory other) noexcept {
    swap(other);
    return *this;
  }
  ~MatrixMemory() { clear(); }

  void swap(MatrixMemory& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(rows_, other.rows_);
    std::swap(cols_, other.cols_);
  }
  void resize(Index size, Index rows, Index cols) {
    if (size != this->size()) {
      clear();
      data_ = Eigen::internal::conditional_aligned_new_auto<T, kAligned>(static_cast<std::size_t>(size));
    }
    rows_ = rows;
    cols_ = cols;
  }
  void conservativeResize(Index size, Index rows, Index cols) {
    data_ = Eigen::internal::conditional_aligned_realloc_new_auto<T, kAligned>(data_, static_cast<std::size_t>(size),
                                                                               static_cast<std::size_t>(this->size()));
    rows_ = rows;
    cols_ = cols;
  }

  Index rows() const noexcept { return kRows == Eigen::Dynamic ? rows_ : kRows; }
  Index cols() const noexcept { return kCols == Eigen::Dynamic ? cols_ : kCols; }
  const T* data() const { return data_; }
  T* data() { return data_; }

 private:
  Index size() const { return rows() * cols(); }
  void clear() {
    Eigen::internal::conditional_aligned_delete_auto<T, kAligned>(data_, static_cast<std::size_t>(size()));
    data_ = nullptr;
    rows_ = std::max(kRows, 0);
    cols_ = std::max(kCols, 0);
  }

  T* data_ = nullptr;
  Index rows_ = std::max(kRows, 0);
  Index cols_ = std::max(kCols, 0);
};

template <class T>
concept Number = std::is_arithmetic_v<T>;

}  // namespace xylem

// Every matrix, vector and array of numbers gets it, those that Eigen makes inside included. A constrained
// specialisation comes before Eigen's own for the same shape.
namespace Eigen {

template <xylem::Number T, int kOptions>
class DenseStorage<T, Dynamic, Dynamic, Dynamic, kOptions>
    : public xylem::MatrixMemory<T, Dynamic, Dynamic, (kOptions & DontAlign) == 0> {
 public:
  using DenseStorage::MatrixMemory::MatrixMemory;
};

template <xylem::Number T, int kRows, int kOptions>
class DenseStorage<T, Dynamic, kRows, Dynamic, kOptions>
    : public xylem::MatrixMemory<T, kRows, Dynamic, (kOptions & DontAlign) == 0> {
 public:
  using DenseStorage::MatrixMemory::MatrixMemory;
};

template <xylem::Number T, int kCols, int kOptions>
class DenseStorage<T, Dynamic, Dynamic, kCols, kOptions>
    : public xylem::MatrixMemory<T, Dynamic, kCols, (kOptions & DontAlign) == 0> {
 public:
  using DenseStorage::MatrixMemory::MatrixMemory;
};

}  // namespace Eigen

namespace xylem {

// Dense matrices are row-major, so that a row (of an example, a label, a feature) is contiguous.
using Matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using MatrixView = Eigen::Map<const Matrix>;

}  // namespace xylem
