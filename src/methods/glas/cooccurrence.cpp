// SPDX-License-Identifier: Apache-2.0
#include "methods/glas/cooccurrence.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/numbering.h"
#include "core/parallel.h"

namespace xylem::glas {
namespace {

using Eigen::Index;

constexpr std::size_t kGrain = 8;  // labels; the frequent ones take long

}  // namespace

CooccurrenceTable::CooccurrenceTable(const LabelLists& labels, std::size_t n_labels, Cooccurrence kind)
    : kind_(kind), labels_(&labels), offsets_(n_labels + 1, 0), rows_(labels.ids.size()) {
  for (const Label label : labels.ids) ++offsets_[label + 1];
  std::partial_sum(offsets_.begin(), offsets_.end(), offsets_.begin());
  std::vector<std::uint64_t> next(offsets_.begin(), offsets_.end() - 1);
  for (std::uint32_t row = 0; row < labels.size(); ++row) {
    for (const Label label : labels[row]) rows_[next[label]++] = row;
  }
}

double CooccurrenceTable::measure(double n_a, double n_b, double n_ab) const {
  if (n_ab == 0) return 0;
  switch (kind_) {
    case Cooccurrence::kArithmetic:
      return 0.5 * (n_ab / n_a + n_ab / n_b);
    case Cooccurrence::kGeometric:
      return n_ab / std::sqrt(n_a * n_b);
    case Cooccurrence::kJaccard:
      return n_ab / (n_a + n_b - n_ab);
    case Cooccurrence::kPmi:
      break;
  }
  const auto n = static_cast<double>(labels_->size());
  const double most = std::log(n / n_ab);
  return most > 0 ? std::clamp(std::log(n * n_ab / (n_a * n_b)) / most, 0.0, 1.0) : 1.0;
}

void CooccurrenceTable::look_up(std::span<const Label> labels, Matrix& out) const {
  const auto n = static_cast<Index>(labels.size());
  out.setZero(n, n);
  Numbering places;
  places.reset(offsets_.size() - 1);
  for (const Label label : labels) places.mark(label);
  places.finish();
  const auto count = [&](Label label) { return static_cast<double>(offsets_[label + 1] - offsets_[label]); };
  parallel_for(labels.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t a = begin; a < end; ++a) {
      auto row = out.row(static_cast<Index>(a));
      for (std::uint64_t i = offsets_[labels[a]]; i < offsets_[labels[a] + 1]; ++i) {
        for (const Label other : (*labels_)[rows_[i]]) {
          if (places.is_marked(other)) row[places.number_of(other)] += 1;
        }
      }
      for (Index b = 0; b < n; ++b) {
        const double n_ab = static_cast<double>(row[b]);
        row[b] = static_cast<float>(measure(count(labels[a]), count(labels[static_cast<std::size_t>(b)]), n_ab));
      }
      row[static_cast<Index>(a)] = 1;
    }
  });
}

std::uint64_t CooccurrenceTable::bytes(std::size_t label_pairs, std::size_t n_labels) {
  return sizeof(std::uint32_t) * label_pairs + 2 * sizeof(std::uint64_t) * (n_labels + 1);
}

}  // namespace xylem::glas
