// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/numbering.h"
#include "xylem/sparse.h"

namespace xylem {

// The labels that a step looks at: all, or where these are too many, those of its rows and random others.
class LabelSampler {
 public:
  LabelSampler() = default;
  // With n_random = 0, or no less than half of the other labels, the sample has all of them.
  LabelSampler(std::size_t n_labels, std::size_t n_random);

  // For these rows of `labels`; depends on `seed` and them alone.
  void sample(const LabelLists& labels, std::span<const std::uint32_t> rows, std::uint64_t seed);

  // Rising.
  const std::vector<Label>& labels() const { return labels_; }
  // How many labels each of them stands for, as one that a row does not have: sums over the sample with these weights
  // have the mean of those over all labels. 1 for the labels of the rows, which are always in the sample.
  const std::vector<float>& weights() const { return weights_; }
  // The places among labels() of each row's own.
  const LabelLists& positives() const { return positives_; }

 private:
  bool has_all() const { return n_random_ == 0 || n_random_ >= n_labels_; }

  std::size_t n_labels_ = 0, n_random_ = 0;
  std::vector<Label> labels_;
  std::vector<float> weights_;
  LabelLists positives_;
  Numbering own_, sampled_;
};

}  // namespace xylem
