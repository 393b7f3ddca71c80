// SPDX-License-Identifier: Apache-2.0
#include "algorithms/explain.h"

#include <algorithm>
#include <cmath>

namespace xylem {

// Few labels are asked for first: most that people want explained are among the best.
Explanation place_label(const Model& model, const RowBlock& row, Label label, Scratch& scratch) {
  constexpr std::size_t kFirstAsk = 64;
  constexpr std::size_t kGrowth = 8;
  Explanation result;
  result.label = label;
  for (std::size_t ask = kFirstAsk;; ask *= kGrowth) {
    TopLabels top;
    model.predict(row, ask, scratch, top);
    const auto found = std::ranges::find(top.labels, label);
    if (found != top.labels.end()) {
      const auto place = static_cast<std::size_t>(found - top.labels.begin());
      result.rank = place + 1;
      result.score = static_cast<double>(top.scores[place]);
      return result;
    }
    if (top.labels.size() < ask) return result;
  }
}

void order_evidence(std::vector<Contribution>& evidence) {
  // Nor what is not a number: it would break the order.
  std::erase_if(evidence, [](const Contribution& part) { return !(std::abs(part.value) > 0); });
  std::ranges::sort(evidence, [](const Contribution& a, const Contribution& b) {
    const double size_a = std::abs(a.value), size_b = std::abs(b.value);
    return size_a != size_b ? size_a > size_b : a.feature < b.feature;
  });
}

Explanation Model::explain(const RowBlock& block, Label label, Scratch& scratch) const {
  Explanation result = place_label(*this, block, label, scratch);
  const SparseRow row = block.rows[0];
  result.basis = "how much lower the score is without the feature";
  for (std::size_t left_out = 0; left_out < row.size(); ++left_out) {
    std::vector<Feature> ids(row.ids.begin(), row.ids.end());
    std::vector<float> values(row.values.begin(), row.values.end());
    ids.erase(ids.begin() + static_cast<std::ptrdiff_t>(left_out));
    values.erase(values.begin() + static_cast<std::ptrdiff_t>(left_out));
    const std::uint64_t offsets[] = {0, ids.size()};
    const RowBlock rest({offsets, ids.data(), values.data()}, block.texts);
    const double without = place_label(*this, rest, label, scratch).score;
    result.evidence.push_back({row.ids[left_out], result.score - without});
  }
  order_evidence(result.evidence);
  return result;
}

}  // namespace xylem
