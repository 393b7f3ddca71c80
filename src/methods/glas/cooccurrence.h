// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/dense.h"
#include "xylem/sparse.h"

namespace xylem::glas {

// How much two labels belong together, from 0 to 1. With n_a and n_b the rows of each of them, n_ab those of both and n
// all: the mean of n_ab / n_a and n_ab / n_b, or the root of their product; n_ab / (n_a + n_b - n_ab); and
// log(n n_ab / (n_a n_b)) / log(n / n_ab), where that is below 0 it is 0.
enum class Cooccurrence { kArithmetic, kGeometric, kJaccard, kPmi };
inline auto choice_names(Cooccurrence) {
  return std::array<std::string_view, 4>{"arithmetic", "geometric", "jaccard", "pmi"};
}

// For some labels at a time: there is no matrix of all.
class CooccurrenceTable {
 public:
  CooccurrenceTable() = default;
  CooccurrenceTable(const LabelLists& labels, std::size_t n_labels, Cooccurrence kind);

  bool is_made() const { return labels_ != nullptr; }
  // `labels` rise. A row and a column for each of them; 1 for each with itself.
  void look_up(std::span<const Label> labels, Matrix& out) const;

  static std::uint64_t bytes(std::size_t label_pairs, std::size_t n_labels);

 private:
  double measure(double n_a, double n_b, double n_ab) const;

  Cooccurrence kind_ = Cooccurrence::kArithmetic;
  const LabelLists* labels_ = nullptr;
  std::vector<std::uint64_t> offsets_;  // of each label in rows_
  std::vector<std::uint32_t> rows_;     // those that have it
};

}  // namespace xylem::glas
