// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/array.h"
#include "core/top_k.h"
#include "model_file/reader.h"
#include "model_file/writer.h"
#include "xylem/sparse.h"

namespace xylem {

// Sparse rows turned around: for every feature the rows that have it. Finds the exact nearest rows by cosine.
class InvertedIndex {
 public:
  // Scales every row to length 1; rows without features are never found. Where there is an `earlier` index of as many
  // features, its rows come first.
  explicit InvertedIndex(SparseRows rows, std::size_t n_features, const InvertedIndex* earlier = nullptr);
  InvertedIndex(const ModelReader& in, const std::string& prefix, std::size_t n_features);
  void save(ModelWriter& out, const std::string& prefix) const;

  std::size_t n_rows() const { return n_rows_; }

  // Bytes that an index of this size takes.
  static std::uint64_t bytes(std::size_t nonzeros, std::size_t n_features);

  // Puts the k rows with the largest positive cosines to `query` into `best`; ids are row numbers. `cosines` is a
  // buffer to reuse.
  void search(SparseRow query, std::size_t k, std::vector<float>& cosines, TopK& best) const;

  // Of a feature in a row that was scaled to length 1; 0 where it does not occur.
  float value(std::size_t row, Feature feature) const;

 private:
  std::size_t n_rows_ = 0;
  Array<std::uint64_t> offsets_;  // of each feature into the next two, n_features + 1
  Array<std::uint32_t> rows_;     // rising within a feature
  Array<float> values_;
};

}  // namespace xylem
