// SPDX-License-Identifier: Apache-2.0
#include "data/row_keys.h"

#include <algorithm>
#include <array>
#include <span>

#include "core/hash.h"
#include "core/parallel.h"
#include "data/number_token.h"

namespace xylem {
namespace {

constexpr std::size_t kGrain = 256;  // rows that one thread hashes at a time

template <class T>
std::uint64_t hash_values(std::span<const T> values) {
  return hash_bytes({reinterpret_cast<const char*>(values.data()), values.size_bytes()});
}

std::uint64_t content_key(SparseRow row) {
  const std::array<std::uint64_t, 2> parts = {hash_values(row.ids), hash_values(row.values)};
  return hash_values(std::span<const std::uint64_t>(parts));
}
std::uint64_t content_key(std::string_view text) {
  return hash_bytes(text);
}

bool is_empty(SparseRow row) {
  return row.size() == 0;
}
bool is_empty(std::string_view text) {
  return is_empty_text(text);
}

template <class Rows>
std::vector<RowKey> sorted_keys(const Rows& rows, const LabelLists& labels) {
  std::vector<RowKey> keys(rows.size());
  std::vector<char> empty(rows.size());
  parallel_for(rows.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t row = begin; row < end; ++row) {
      keys[row] = {content_key(rows[row]), hash_values(labels[row])};
      empty[row] = is_empty(rows[row]);
    }
  });
  std::size_t n = 0;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    if (!empty[row]) keys[n++] = keys[row];
  }
  keys.resize(n);
  std::sort(keys.begin(), keys.end());
  return keys;
}

template <class Rows>
std::optional<std::pair<std::size_t, std::size_t>> first_two(const Rows& rows, std::uint64_t content) {
  std::optional<std::size_t> first;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    if (content_key(rows[row]) != content) continue;
    if (first) return std::pair(*first, row);
    first = row;
  }
  return std::nullopt;
}

}  // namespace

bool is_empty_text(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return is_blank(c) || c == '\n' || c == '\r'; });
}

std::vector<RowKey> sorted_row_keys(const SparseMatrix& rows, const LabelLists& labels) {
  return sorted_keys(rows, labels);
}
std::vector<RowKey> sorted_row_keys(const TextList& texts, const LabelLists& labels) {
  return sorted_keys(texts, labels);
}

Repeats find_repeats(const std::vector<RowKey>& sorted) {
  Repeats repeats;
  for (std::size_t i = 1; i < sorted.size(); ++i) {
    if (sorted[i].content != sorted[i - 1].content) continue;
    if (repeats.rows == 0) repeats.example = sorted[i].content;
    ++repeats.rows;
    if (sorted[i].labels == sorted[i - 1].labels) continue;
    // One that contradicts is the better example.
    if (repeats.with_other_labels == 0) repeats.example = sorted[i].content;
    ++repeats.with_other_labels;
  }
  return repeats;
}

std::optional<std::pair<std::size_t, std::size_t>> first_two_rows(const SparseMatrix& rows, std::uint64_t content) {
  return first_two(rows, content);
}
std::optional<std::pair<std::size_t, std::size_t>> first_two_rows(const TextList& texts, std::uint64_t content) {
  return first_two(texts, content);
}

std::size_t count_shared(const std::vector<RowKey>& rows, const std::vector<RowKey>& others) {
  std::size_t n = 0;
  auto other = others.begin();
  for (const RowKey& row : rows) {
    while (other != others.end() && other->content < row.content) ++other;
    if (other == others.end()) break;
    n += other->content == row.content;
  }
  return n;
}

}  // namespace xylem
