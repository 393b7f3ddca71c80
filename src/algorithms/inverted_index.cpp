// SPDX-License-Identifier: Apache-2.0
#include "algorithms/inverted_index.h"

#include <algorithm>
#include <limits>

#include "algorithms/row_scaling.h"

namespace xylem {
namespace {

// Offers every row with a positive cosine. Most runs hold nothing above the threshold; counting those that are above it
// is a loop that the compiler turns into vector comparisons.
void offer_positive(const std::vector<float>& cosines, TopK& best) {
  constexpr std::size_t kRun = 64;
  for (std::size_t begin = 0; begin < cosines.size(); begin += kRun) {
    const std::size_t end = std::min(cosines.size(), begin + kRun);
    const float threshold = std::max(0.0f, best.threshold());
    int above = 0;
    for (std::size_t row = begin; row < end; ++row) above += cosines[row] > threshold;
    if (above == 0) continue;
    for (std::size_t row = begin; row < end; ++row) {
      if (cosines[row] > threshold) best.offer(cosines[row], static_cast<std::uint32_t>(row));
    }
  }
}

}  // namespace

InvertedIndex::InvertedIndex(SparseRows rows, std::size_t n_features, const InvertedIndex* earlier)
    : n_rows_(rows.size()) {
  std::vector<std::uint64_t> offsets(n_features + 1, 0);
  std::size_t first_row = 0, first_nonzeros = 0;
  if (earlier != nullptr) {
    first_row = earlier->n_rows_;
    first_nonzeros = earlier->rows_.size();
    n_rows_ += first_row;
    for (std::size_t feature = 0; feature < n_features; ++feature) {
      offsets[feature + 1] = earlier->offsets_[feature + 1] - earlier->offsets_[feature];
    }
  }
  for (std::size_t row = 0; row < rows.size(); ++row) {
    for (const Feature feature : rows[row].ids) ++offsets[feature + 1];
  }
  for (std::size_t feature = 0; feature < n_features; ++feature) offsets[feature + 1] += offsets[feature];

  std::vector<std::uint32_t> posting_rows(first_nonzeros + rows.nonzeros());
  std::vector<float> posting_values(first_nonzeros + rows.nonzeros());
  std::vector<std::uint64_t> next(offsets.begin(), offsets.end() - 1);
  for (std::size_t feature = 0; earlier != nullptr && feature < n_features; ++feature) {
    for (std::uint64_t p = earlier->offsets_[feature]; p < earlier->offsets_[feature + 1]; ++p) {
      posting_rows[next[feature]] = earlier->rows_[p];
      posting_values[next[feature]++] = earlier->values_[p];
    }
  }
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const SparseRow source = rows[row];
    const double scale = unit_scale(source);
    for (std::size_t i = 0; i < source.size(); ++i) {
      const std::uint64_t place = next[source.ids[i]]++;
      posting_rows[place] = static_cast<std::uint32_t>(first_row + row);
      posting_values[place] = static_cast<float>(source.values[i] * scale);
    }
  }
  offsets_ = std::move(offsets);
  rows_ = std::move(posting_rows);
  values_ = std::move(posting_values);
}

InvertedIndex::InvertedIndex(const ModelReader& in, const std::string& prefix, std::size_t n_features)
    : n_rows_(in.number(prefix + ".n_rows", std::numeric_limits<std::uint32_t>::max())) {
  const std::uint64_t nonzeros = in.array<std::uint32_t>(prefix + ".rows").size();
  offsets_ = in.offsets(prefix + ".offsets", n_features, nonzeros);
  rows_ = in.ids(prefix + ".rows", nonzeros, n_rows_);
  values_ = in.finite(prefix + ".values", nonzeros);
}

void InvertedIndex::save(ModelWriter& out, const std::string& prefix) const {
  out.text(prefix + ".n_rows", std::to_string(n_rows_));
  out.array(prefix + ".offsets", offsets_);
  out.array(prefix + ".rows", rows_);
  out.array(prefix + ".values", values_);
}

std::uint64_t InvertedIndex::bytes(std::size_t nonzeros, std::size_t n_features) {
  return nonzeros * (sizeof(std::uint32_t) + sizeof(float)) + (n_features + 1) * sizeof(std::uint64_t);
}

void InvertedIndex::search(SparseRow query, std::size_t k, std::vector<float>& cosines, TopK& best) const {
  cosines.assign(n_rows_, 0.0f);
  const double scale = unit_scale(query);
  for (std::size_t i = 0; i < query.size(); ++i) {
    const Feature feature = query.ids[i];
    if (feature + std::size_t{1} >= offsets_.size()) continue;  // never seen in training
    const auto weight = static_cast<float>(query.values[i] * scale);
    for (std::uint64_t p = offsets_[feature]; p < offsets_[feature + 1]; ++p) cosines[rows_[p]] += weight * values_[p];
  }
  best.reset(k);
  offer_positive(cosines, best);
}

float InvertedIndex::value(std::size_t row, Feature feature) const {
  if (feature + std::size_t{1} >= offsets_.size()) return 0;
  const auto rows = rows_.span().subspan(offsets_[feature], offsets_[feature + 1] - offsets_[feature]);
  const auto found = std::ranges::lower_bound(rows, row);
  if (found == rows.end() || *found != row) return 0;
  return values_[offsets_[feature] + static_cast<std::size_t>(found - rows.begin())];
}

}  // namespace xylem
