// SPDX-License-Identifier: Apache-2.0
// Rows and texts from the memory of other programs: NumPy, SciPy, a program in C.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "xylem/corpus.h"
#include "xylem/dataset.h"
#include "xylem/sparse.h"

namespace xylem {

// Whole numbers of 32 or 64 bits. A view, owns nothing. Numbers from 2^63 on come out below 0.
class Integers {
 public:
  Integers(std::span<const std::int32_t> numbers) : narrow_(numbers.data()), size_(numbers.size()) {}
  Integers(std::span<const std::int64_t> numbers) : wide_(numbers.data()), size_(numbers.size()) {}

  std::size_t size() const { return size_; }
  std::int64_t operator[](std::size_t i) const { return wide_ != nullptr ? wide_[i] : narrow_[i]; }

 private:
  const std::int32_t* narrow_ = nullptr;
  const std::int64_t* wide_ = nullptr;
  std::size_t size_;
};

// Numbers of 32 or 64 bits. A view, owns nothing.
class Reals {
 public:
  Reals(std::span<const float> numbers) : narrow_(numbers.data()), size_(numbers.size()) {}
  Reals(std::span<const double> numbers) : wide_(numbers.data()), size_(numbers.size()) {}

  std::size_t size() const { return size_; }
  double operator[](std::size_t i) const { return wide_ != nullptr ? wide_[i] : static_cast<double>(narrow_[i]); }

 private:
  const float* narrow_ = nullptr;
  const double* wide_ = nullptr;
  std::size_t size_;
};

// Copies CSR arrays and checks everything: row i has the entries offsets[i] .. offsets[i + 1] - 1 of `ids` and
// `values`. Ids may come in any order, and those that occur several times in a row are summed; `summed`, if given,
// counts them. Throws kData, with the row, if offsets do not fit, an id is below 0 or not below n_columns, or a value
// is no finite number.
SparseMatrix checked_rows(const Integers& offsets, const Integers& ids, const Reals& values, std::size_t n_columns,
                          std::size_t* summed = nullptr);

// The same for lists of labels. Labels that occur several times in a row are taken once; `repeated`, if given, counts
// them.
LabelLists checked_labels(const Integers& offsets, const Integers& ids, std::size_t n_labels,
                          std::size_t* repeated = nullptr);

// Throws kData unless ids rise strictly within each row and values are finite.
void check_rows(SparseRows rows);

// Throws kData unless offsets fit, and labels rise strictly within each row and are below n_labels.
void check_labels(const LabelLists& labels, std::size_t n_labels);

// Throws kData unless the parts of `data` go together: as many rows of labels as of features, rows as check_rows()
// wants them, ids within their ranges, names and identifiers for all labels or none.
void check_dataset(const Dataset& data);

// Throws kData unless texts are UTF-8 without NUL bytes, and the bytes of titles lie within them.
// `what` they are is for the message.
void check_texts(const TextList& texts, std::string_view what = "text");

// The same for the parts of a corpus together: as many lists of labels as texts, labels that rise and have names,
// identifiers for all labels or none.
void check_corpus(const Corpus& corpus);

}  // namespace xylem
