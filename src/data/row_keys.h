// SPDX-License-Identifier: Apache-2.0
// Rows by hashes of what they hold, so that equal ones are found in 16 bytes a row. Two different rows have the same
// key once in 2^64 pairs: among a hundred million rows, one time in four thousand.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "xylem/corpus.h"
#include "xylem/dataset.h"

namespace xylem {

struct RowKey {
  std::uint64_t content = 0;  // of the features or the text
  std::uint64_t labels = 0;

  auto operator<=>(const RowKey&) const = default;
};

// A text of blanks alone is as good as none.
bool is_empty_text(std::string_view text);

// The keys of all rows that hold something, sorted. Works on all threads of the calling arena.
std::vector<RowKey> sorted_row_keys(const SparseMatrix& rows, const LabelLists& labels);
std::vector<RowKey> sorted_row_keys(const TextList& texts, const LabelLists& labels);

struct Repeats {
  std::size_t rows = 0;               // that hold what an earlier row holds
  std::size_t with_other_labels = 0;  // of these: with labels that no earlier row with that content has
  std::uint64_t example = 0;          // the content of some of them
};
Repeats find_repeats(const std::vector<RowKey>& sorted);

// The first two rows with the content of this key.
std::optional<std::pair<std::size_t, std::size_t>> first_two_rows(const SparseMatrix& rows, std::uint64_t content);
std::optional<std::pair<std::size_t, std::size_t>> first_two_rows(const TextList& texts, std::uint64_t content);

// How many of `rows` hold what a row of `others` holds. Both are sorted.
std::size_t count_shared(const std::vector<RowKey>& rows, const std::vector<RowKey>& others);

}  // namespace xylem
