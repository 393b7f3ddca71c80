// SPDX-License-Identifier: Apache-2.0
#include "xylem/checked_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "core/fail.h"
#include "core/text.h"
#include "data/utf8.h"

namespace xylem {
namespace {

constexpr std::size_t kMostColumns = std::numeric_limits<Feature>::max();

// Row numbers in messages count from 0, as the arrays do.
template <class Offsets>
void check_offsets(const Offsets& offsets, std::size_t n_entries) {
  if (offsets.size() == 0) fail(ErrorKind::kData, "found no offsets, expected one more than rows");
  if (offsets[0] != 0) fail(ErrorKind::kData, "found {} as the first offset, expected 0", offsets[0]);
  for (std::size_t i = 1; i < offsets.size(); ++i) {
    if (offsets[i] >= offsets[i - 1]) continue;
    fail(ErrorKind::kData, "row {}: it begins at {} and ends at {}, expected offsets that do not fall", i - 1,
         offsets[i - 1], offsets[i]);
  }
  const std::int64_t last = offsets[offsets.size() - 1];
  if (!std::cmp_equal(last, n_entries)) {
    fail(ErrorKind::kData, "found {} as the last offset, expected {}, the number of ids", last, n_entries);
  }
}

void check_as_many(std::size_t n_ids, std::size_t n_values) {
  if (n_ids == n_values) return;
  fail(ErrorKind::kData, "found {} ids and {} values, expected as many of both", n_ids, n_values);
}

struct Entry {
  Feature id;
  double value;
};

void check_label_texts(const TextList& texts, std::size_t n_labels, std::string_view what) {
  check_texts(texts, fmt::format("{} of label", what));
  if (texts.size() == 0 || texts.size() == n_labels) return;
  fail(ErrorKind::kData, "found {} {}s of labels, expected {}, one for each label, or none", texts.size(), what,
       n_labels);
}

void check_names_and_ids(const TextList& names, const TextList& ids, std::size_t n_labels) {
  check_label_texts(names, n_labels, "name");
  check_label_texts(ids, n_labels, "identifier");
}

}  // namespace

SparseMatrix checked_rows(const Integers& offsets, const Integers& ids, const Reals& values, std::size_t n_columns,
                          std::size_t* summed) {
  check_as_many(ids.size(), values.size());
  if (n_columns > kMostColumns) {
    fail(ErrorKind::kData, "found {} columns, expected at most {}", n_columns, kMostColumns);
  }
  check_offsets(offsets, ids.size());
  SparseMatrix rows;
  rows.n_columns = n_columns;
  rows.offsets.reserve(offsets.size());
  rows.ids.reserve(ids.size());
  rows.values.reserve(ids.size());
  std::vector<Entry> row;
  for (std::size_t i = 0; i + 1 < offsets.size(); ++i) {
    row.clear();
    const auto end = static_cast<std::size_t>(offsets[i + 1]);
    for (auto place = static_cast<std::size_t>(offsets[i]); place < end; ++place) {
      if (ids[place] < 0 || std::cmp_greater_equal(ids[place], n_columns)) {
        fail(ErrorKind::kData, "row {}: found feature {}, expected 0 or more and less than {}, the number of columns",
             i, ids[place], n_columns);
      }
      row.push_back({static_cast<Feature>(ids[place]), values[place]});
    }
    std::ranges::stable_sort(row, {}, &Entry::id);
    for (auto entry = row.begin(); entry != row.end();) {
      const Feature id = entry->id;
      double sum = 0;
      for (; entry != row.end() && entry->id == id; ++entry) sum += entry->value;
      if (!std::isfinite(static_cast<float>(sum))) {
        fail(ErrorKind::kData, "row {}: found {} for feature {}, expected a finite number", i, sum, id);
      }
      rows.ids.push_back(id);
      rows.values.push_back(static_cast<float>(sum));
    }
    rows.offsets.push_back(rows.ids.size());
  }
  if (summed != nullptr) *summed = ids.size() - rows.ids.size();
  return rows;
}

LabelLists checked_labels(const Integers& offsets, const Integers& ids, std::size_t n_labels, std::size_t* repeated) {
  check_offsets(offsets, ids.size());
  LabelLists labels;
  std::vector<Label> row;
  for (std::size_t i = 0; i + 1 < offsets.size(); ++i) {
    row.clear();
    const auto end = static_cast<std::size_t>(offsets[i + 1]);
    for (auto place = static_cast<std::size_t>(offsets[i]); place < end; ++place) {
      if (ids[place] < 0 || std::cmp_greater_equal(ids[place], n_labels)) {
        fail(ErrorKind::kData, "row {}: found label {}, expected 0 or more and less than {}, the number of labels", i,
             ids[place], n_labels);
      }
      row.push_back(static_cast<Label>(ids[place]));
    }
    std::ranges::sort(row);
    row.erase(std::unique(row.begin(), row.end()), row.end());
    labels.push_back(row);
  }
  if (repeated != nullptr) *repeated = ids.size() - labels.ids.size();
  return labels;
}

void check_rows(SparseRows rows) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const SparseRow row = rows[i];
    for (std::size_t j = 1; j < row.size(); ++j) {
      if (row.ids[j - 1] < row.ids[j]) continue;
      fail(ErrorKind::kData, "row {}: found feature {} after {}, expected rising ones; checked_rows() sorts them", i,
           row.ids[j], row.ids[j - 1]);
    }
    for (std::size_t j = 0; j < row.size(); ++j) {
      if (std::isfinite(row.values[j])) continue;
      fail(ErrorKind::kData, "row {}: found {} for feature {}, expected a finite number", i, row.values[j], row.ids[j]);
    }
  }
}

void check_labels(const LabelLists& labels, std::size_t n_labels) {
  check_offsets(labels.offsets, labels.ids.size());
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const auto row = labels[i];
    for (std::size_t j = 0; j < row.size(); ++j) {
      if (row[j] < n_labels && (j == 0 || row[j - 1] < row[j])) continue;
      fail(ErrorKind::kData, "row {}: found label {}, expected rising ones below {}, the number of labels", i, row[j],
           n_labels);
    }
  }
}

void check_dataset(const Dataset& data) {
  check_offsets(data.features.offsets, data.features.ids.size());
  check_as_many(data.features.ids.size(), data.features.values.size());
  check_labels(data.labels, data.n_labels);
  if (data.labels.size() != data.features.size()) {
    fail(ErrorKind::kData, "found {} rows of features and {} of labels, expected as many of both", data.features.size(),
         data.labels.size());
  }
  check_rows(data.features.rows());
  for (std::size_t i = 0; i < data.size(); ++i) {
    const SparseRow row = data.features[i];
    if (row.size() > 0 && row.ids.back() >= data.features.n_columns) {
      fail(ErrorKind::kData, "row {}: found feature {}, expected less than {}, the number of columns", i,
           row.ids.back(), data.features.n_columns);
    }
  }
  check_names_and_ids(data.label_names, data.label_ids, data.n_labels);
}

void check_texts(const TextList& texts, std::string_view what) {
  check_offsets(texts.offsets, texts.bytes.size());
  if (!texts.title_bytes.empty() && texts.title_bytes.size() != texts.size()) {
    fail(ErrorKind::kData, "found {} titles of {} texts, expected one of each, or none", texts.title_bytes.size(),
         texts.size());
  }
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const auto [text, title_bytes] = texts.view(i);
    if (title_bytes > text.size()) {
      fail(ErrorKind::kData, "{} {}: found a title of {} bytes, expected at most the {} of the text", what, i,
           title_bytes, text.size());
    }
    if (is_plain_ascii(text)) continue;
    if (const BadUtf8 bad = find_bad_utf8(text); bad.size > 0) {
      fail(ErrorKind::kData, "{} {}: found invalid UTF-8 {} at byte {}, expected UTF-8", what, i,
           quote(text.substr(bad.begin, bad.size)), bad.begin + 1);
    }
    if (const std::size_t nul = text.find('\0'); nul != std::string_view::npos) {
      fail(ErrorKind::kData, "{} {}: found a NUL byte at byte {}, expected text", what, i, nul + 1);
    }
  }
}

void check_corpus(const Corpus& corpus) {
  check_texts(corpus.texts);
  check_labels(corpus.labels, corpus.label_names.size());
  if (corpus.labels.size() != corpus.texts.size()) {
    fail(ErrorKind::kData, "found {} texts and {} lists of labels, expected as many of both", corpus.texts.size(),
         corpus.labels.size());
  }
  check_names_and_ids(corpus.label_names, corpus.label_ids, corpus.label_names.size());
}

}  // namespace xylem
