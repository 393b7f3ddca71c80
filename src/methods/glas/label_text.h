// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "data/name_table.h"
#include "data/tokenizer.h"
#include "xylem/sparse.h"
#include "xylem/text_list.h"

namespace xylem::glas {

// The words of labels' names, and each name as a row of them: the share of each word in it.
class LabelWords {
 public:
  // Those of the names of `labels`, of which rows() has one each.
  LabelWords(const TextList& names, std::span<const Label> labels);

  std::size_t n_words() const { return rows_.n_columns; }
  const TextList& words() const { return words_; }
  const SparseMatrix& rows() const { return rows_; }

  // For plans, where nothing is known of the names.
  static std::uint64_t most_words(std::size_t n_labels) { return 2 * n_labels + 100; }

 private:
  TextList words_;
  SparseMatrix rows_;
};

// Looks words up that were counted before.
class NameReader {
 public:
  explicit NameReader(const TextList& words);

  // The row of a name, without the words that are not known; empty where all are not.
  SparseRow row(std::string_view name);

 private:
  NameTable table_;
  std::size_t n_words_;
  Tokenizer tokenizer_;
  std::vector<Feature> ids_;
  std::vector<float> values_;
};

}  // namespace xylem::glas
