// SPDX-License-Identifier: Apache-2.0
#include "algorithms/label_sampler.h"

#include <algorithm>
#include <numeric>

#include "core/random.h"

namespace xylem {

LabelSampler::LabelSampler(std::size_t n_labels, std::size_t n_random) : n_labels_(n_labels), n_random_(n_random) {
  if (!has_all()) return;
  labels_.resize(n_labels);
  std::iota(labels_.begin(), labels_.end(), Label{0});
  weights_.assign(n_labels, 1.0f);
}

void LabelSampler::sample(const LabelLists& labels, std::span<const std::uint32_t> rows, std::uint64_t seed) {
  positives_.offsets.assign(1, 0);
  positives_.ids.clear();
  if (has_all()) {
    for (const std::uint32_t row : rows) positives_.push_back(labels[row]);
    return;
  }
  own_.reset(n_labels_);
  for (const std::uint32_t row : rows) {
    for (const Label label : labels[row]) own_.mark(label);
  }
  const std::size_t n_own = own_.finish(), n_others = n_labels_ - n_own;
  sampled_ = own_;
  // Distinct ones of the others: drawn until there are enough, or the whole of them where that might take long.
  std::size_t n = 0;
  if (2 * n_random_ < n_others) {
    Random random(seed, {});
    while (n < n_random_) {
      const auto label = static_cast<std::size_t>(random.below(n_labels_));
      if (sampled_.is_marked(label)) continue;
      sampled_.mark(label);
      ++n;
    }
  } else {
    for (std::size_t label = 0; label < n_labels_; ++label) sampled_.mark(label);
    n = n_others;
  }
  sampled_.finish();
  labels_.clear();
  weights_.clear();
  const float weight = n == 0 ? 1.0f : static_cast<float>(n_others) / static_cast<float>(n);
  sampled_.for_each([&](std::size_t label) {
    labels_.push_back(static_cast<Label>(label));
    weights_.push_back(own_.is_marked(label) ? 1.0f : weight);
  });
  for (const std::uint32_t row : rows) {
    for (const Label label : labels[row]) positives_.ids.push_back(sampled_.number_of(label));
    positives_.offsets.push_back(positives_.ids.size());
  }
}

}  // namespace xylem
