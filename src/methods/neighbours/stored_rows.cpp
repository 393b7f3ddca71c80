// SPDX-License-Identifier: Apache-2.0
#include "methods/neighbours/stored_rows.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace xylem::neighbours {

namespace {

struct RowLists {
  std::vector<std::uint32_t> numbers;
  LabelLists labels;
  SparseMatrix features;

  void add(std::uint32_t number, std::span<const Label> of_row, SparseRow row) {
    numbers.push_back(number);
    labels.push_back(of_row);
    features.push_back(row);
  }
};

}  // namespace

StoredRows::StoredRows(std::vector<std::uint32_t> numbers, LabelLists labels, SparseMatrix features,
                       std::optional<OwnMetric> metric)
    : numbers_(std::move(numbers)),
      label_offsets_(std::move(labels.offsets)),
      labels_(std::move(labels.ids)),
      feature_offsets_(std::move(features.offsets)),
      features_(std::move(features.ids)),
      values_(std::move(features.values)),
      metric_(std::move(metric)) {
  measure();
}

void StoredRows::measure() {
  if (!has_features()) return;
  inverse_lengths_.resize(size());
  for (std::size_t row = 0; row < size(); ++row) inverse_lengths_[row] = metric_->inverse_length(features(row));
}

StoredRows StoredRows::of(const Dataset& data, std::span<const std::uint32_t> which, std::optional<OwnMetric> metric) {
  const bool with_features = metric.has_value();
  RowLists rows;
  std::size_t n_labels = 0, n_features = 0;
  for (const std::uint32_t row : which) {
    n_labels += data.labels[row].size();
    n_features += with_features ? data.features[row].size() : 0;
  }
  rows.labels.ids.reserve(n_labels);
  rows.features.ids.reserve(n_features);
  rows.features.values.reserve(n_features);
  for (const std::uint32_t row : which) {
    rows.add(row, data.labels[row], with_features ? data.features[row] : SparseRow());
  }
  return {std::move(rows.numbers), std::move(rows.labels), std::move(rows.features), std::move(metric)};
}

StoredRows StoredRows::with(const Dataset& more) const {
  RowLists rows;
  for (std::size_t row = 0; row < size(); ++row) rows.add(number(row), labels(row), features(row));
  const std::uint32_t next = size() == 0 ? 0 : number(size() - 1) + 1;
  for (std::uint32_t row = 0; row < more.size(); ++row) {
    rows.add(next + row, more.labels[row], has_features() ? more.features[row] : SparseRow());
  }
  return {std::move(rows.numbers), std::move(rows.labels), std::move(rows.features), metric_};
}

Dataset StoredRows::dataset(const ModelShape& shape) const {
  Dataset data;
  data.n_labels = shape.labels;
  for (std::size_t row = 0; row < size(); ++row) {
    data.features.push_back(features(row));
    data.labels.push_back(labels(row));
  }
  data.features.n_columns = shape.features;
  return data;
}

StoredRows::StoredRows(const ModelReader& in, const std::string& prefix, const ModelShape& shape, bool with_features)
    : numbers_(in.array<std::uint32_t>(prefix + "rows")) {
  const std::uint64_t n_labels = in.array<Label>(prefix + "labels").size();
  const std::uint64_t n_features = in.array<Feature>(prefix + "features").size();
  label_offsets_ = in.offsets(prefix + "label_offsets", size(), n_labels);
  labels_ = in.ids(prefix + "labels", n_labels, shape.labels);
  feature_offsets_ = in.offsets(prefix + "feature_offsets", size(), n_features);
  features_ = in.ids(prefix + "features", n_features, shape.features);
  values_ = in.finite(prefix + "values", n_features);
  if (!with_features) return;
  metric_.emplace(in, prefix + "feature_weights", shape.features);
  measure();
}

void StoredRows::save(ModelWriter& out, const std::string& prefix) const {
  out.array(prefix + "rows", numbers_);
  out.array(prefix + "label_offsets", label_offsets_);
  out.array(prefix + "labels", labels_);
  out.array(prefix + "feature_offsets", feature_offsets_);
  out.array(prefix + "features", features_);
  out.array(prefix + "values", values_);
  if (!has_features()) return;
  metric_->save(out, prefix + "feature_weights");
}

bool StoredRows::has_label(Label label) const {
  return std::ranges::find(labels_, label) != labels_.end();
}

std::uint64_t StoredRows::bytes(const DataShape& shape, bool with_features) {
  const std::uint64_t features =
      with_features ? shape.nonzeros * (sizeof(Feature) + sizeof(float)) + (shape.rows + shape.features) * sizeof(float)
                    : 0;
  return shape.rows * (sizeof(std::uint32_t) + 2 * sizeof(std::uint64_t)) + shape.label_pairs * sizeof(Label) +
         features + 2 * sizeof(std::uint64_t);
}

}  // namespace xylem::neighbours
