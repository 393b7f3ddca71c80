// SPDX-License-Identifier: Apache-2.0
// Sparse rows: the one form in which features and labels travel through the library.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace xylem {

using Label = std::uint32_t;
using Feature = std::uint32_t;

// One row: values[i] belongs to ids[i]. A view, owns nothing. The ids of a Dataset and of what a model is asked about
// rise strictly within a row (check_rows() of checked_rows.h); those of rows in general are in any order.
struct SparseRow {
  std::span<const Feature> ids;
  std::span<const float> values;

  std::size_t size() const { return ids.size(); }
};

// Consecutive rows of a CSR matrix. A view: cheap to copy, valid as long as the matrix behind it.
class SparseRows {
 public:
  SparseRows() = default;
  // offsets[i] .. offsets[i + 1] are row i's places in ids and values; there is one more offset than rows.
  SparseRows(std::span<const std::uint64_t> offsets, const Feature* ids, const float* values)
      : offsets_(offsets), ids_(ids), values_(values) {}

  std::size_t size() const { return offsets_.empty() ? 0 : offsets_.size() - 1; }
  std::size_t nonzeros() const { return offsets_.empty() ? 0 : offsets_.back() - offsets_.front(); }
  SparseRow operator[](std::size_t i) const {
    const std::size_t length = offsets_[i + 1] - offsets_[i];
    return {{ids_ + offsets_[i], length}, {values_ + offsets_[i], length}};
  }
  SparseRows slice(std::size_t first, std::size_t count) const {
    return {offsets_.subspan(first, count + 1), ids_, values_};
  }

 private:
  std::span<const std::uint64_t> offsets_;
  const Feature* ids_ = nullptr;
  const float* values_ = nullptr;
};

// A CSR matrix that owns its rows.
struct SparseMatrix {
  std::vector<std::uint64_t> offsets{0};
  std::vector<Feature> ids;
  std::vector<float> values;
  std::size_t n_columns = 0;

  std::size_t size() const { return offsets.size() - 1; }
  SparseRow operator[](std::size_t i) const { return rows()[i]; }
  SparseRows rows() const { return {offsets, ids.data(), values.data()}; }
  // Forgets the rows and keeps their memory.
  void clear() {
    offsets.assign(1, 0);
    ids.clear();
    values.clear();
  }
  void push_back(SparseRow row) {
    ids.insert(ids.end(), row.ids.begin(), row.ids.end());
    values.insert(values.end(), row.values.begin(), row.values.end());
    offsets.push_back(ids.size());
  }
};

// A list of label ids for each row; ids rise strictly within a row.
struct LabelLists {
  std::vector<std::uint64_t> offsets{0};
  std::vector<Label> ids;

  std::size_t size() const { return offsets.size() - 1; }
  std::span<const Label> operator[](std::size_t i) const {
    return {ids.data() + offsets[i], offsets[i + 1] - offsets[i]};
  }
  void push_back(std::span<const Label> row) {
    ids.insert(ids.end(), row.begin(), row.end());
    offsets.push_back(ids.size());
  }
  void append(const LabelLists& more) {
    const std::uint64_t base = ids.size();
    ids.insert(ids.end(), more.ids.begin(), more.ids.end());
    for (std::size_t i = 0; i < more.size(); ++i) offsets.push_back(base + more.offsets[i + 1]);
  }
  void clear() {
    offsets.assign(1, 0);
    ids.clear();
  }
};

// The best labels of each row, best first, with their scores; equal scores in rising order of the label.
struct TopLabels {
  std::vector<std::uint64_t> offsets{0};
  std::vector<Label> labels;
  std::vector<float> scores;

  std::size_t size() const { return offsets.size() - 1; }
  std::span<const Label> row_labels(std::size_t i) const {
    return {labels.data() + offsets[i], offsets[i + 1] - offsets[i]};
  }
  std::span<const float> row_scores(std::size_t i) const {
    return {scores.data() + offsets[i], offsets[i + 1] - offsets[i]};
  }
  void push_back(Label label, float score) {
    labels.push_back(label);
    scores.push_back(score);
  }
  void end_row() { offsets.push_back(labels.size()); }
  void append(const TopLabels& rows) {
    for (std::size_t i = 0; i < rows.size(); ++i) offsets.push_back(labels.size() + rows.offsets[i + 1]);
    labels.insert(labels.end(), rows.labels.begin(), rows.labels.end());
    scores.insert(scores.end(), rows.scores.begin(), rows.scores.end());
  }
};

}  // namespace xylem
