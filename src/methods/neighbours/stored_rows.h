// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/array.h"
#include "methods/neighbours/own_cosines.h"
#include "model_file/reader.h"
#include "model_file/writer.h"
#include "xylem/dataset.h"
#include "xylem/method.h"

namespace xylem::neighbours {

// What a model keeps of the training rows that its index finds.
class StoredRows {
 public:
  // Those named by `which`; their features only if there is a metric for them.
  static StoredRows of(const Dataset& data, std::span<const std::uint32_t> which, std::optional<OwnMetric> metric);
  // All rows of `more` behind.
  StoredRows with(const Dataset& more) const;
  StoredRows(const ModelReader& in, const std::string& prefix, const ModelShape& shape, bool with_features);
  void save(ModelWriter& out, const std::string& prefix) const;

  std::size_t size() const { return numbers_.size(); }
  std::uint32_t number(std::size_t row) const { return numbers_[row]; }
  std::span<const Label> labels(std::size_t row) const {
    return labels_.span().subspan(label_offsets_[row], label_offsets_[row + 1] - label_offsets_[row]);
  }
  bool has_features() const { return metric_.has_value(); }
  const OwnMetric& metric() const { return *metric_; }
  // With a row that was spread out by the metric.
  float own_cosine(const SpreadRow& query, std::size_t row) const {
    return query.cosine(features(row), inverse_lengths_[row]);
  }
  float inverse_length(std::size_t row) const { return inverse_lengths_[row]; }  // by the metric
  bool has_label(Label label) const;
  SparseRow features(std::size_t row) const {
    const std::uint64_t begin = feature_offsets_[row], size = feature_offsets_[row + 1] - begin;
    return {features_.span().subspan(begin, size), values_.span().subspan(begin, size)};
  }

  // The rows with their features, where these are kept.
  Dataset dataset(const ModelShape& shape) const;

  static std::uint64_t bytes(const DataShape& shape, bool with_features);

 private:
  StoredRows(std::vector<std::uint32_t> numbers, LabelLists labels, SparseMatrix features,
             std::optional<OwnMetric> metric);
  void measure();

  Array<std::uint32_t> numbers_;  // in the training data
  Array<std::uint64_t> label_offsets_;
  Array<Label> labels_;
  Array<std::uint64_t> feature_offsets_;  // all 0 where there are no features
  Array<Feature> features_;
  Array<float> values_;
  std::optional<OwnMetric> metric_;     // where there are features
  std::vector<float> inverse_lengths_;  // of the rows by it
};

}  // namespace xylem::neighbours
