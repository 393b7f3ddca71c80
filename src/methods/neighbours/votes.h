// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "core/top_k.h"
#include "xylem/sparse.h"

namespace xylem::neighbours {

// The votes of a row's neighbours, each its cosine to some power, for all its labels. A label's score is its share.
class Votes {
 public:
  explicit Votes(std::size_t n_labels = 0) : sums_(n_labels, 0.0f) {}

  void resize(std::size_t n_labels) { sums_.resize(n_labels, 0.0f); }
  void add(const Scored& neighbour, double power, std::span<const Label> labels) {
    if (neighbour.score <= 0) return;
    const auto vote = static_cast<float>(std::pow(static_cast<double>(neighbour.score), power));
    if (vote <= 0) return;
    all_ += vote;
    for (const Label label : labels) {
      if (sums_[label] == 0) voted_.push_back(label);
      sums_[label] += vote;
    }
  }
  // Appends the k labels with most votes, and begins anew.
  void finish(std::size_t k, TopLabels& out) {
    best_.reset(k);
    for (const Label label : voted_) best_.offer(sums_[label] / all_, label);
    append_best(out);
  }
  // The same, where a label's cosine has this share in its score; those that come to nothing are left out.
  void finish(std::size_t k, std::span<const float> cosines, double share, TopLabels& out) {
    const auto of_cosine = static_cast<float>(share);
    const float of_vote = all_ > 0 ? (1 - of_cosine) / all_ : 0;
    best_.reset(k);
    for (std::size_t label = 0; label < sums_.size(); ++label) {
      const float score = of_vote * sums_[label] + of_cosine * std::max(cosines[label], 0.0f);
      if (score > 0) best_.offer(score, static_cast<Label>(label));
    }
    append_best(out);
  }

 private:
  void append_best(TopLabels& out) {
    for (const Label label : voted_) sums_[label] = 0;
    voted_.clear();
    all_ = 0;
    for (const Scored& entry : best_.sorted()) out.push_back(entry.id, entry.score);
    out.end_row();
  }

  std::vector<float> sums_;  // of each label, all 0 in the beginning
  std::vector<Label> voted_;
  float all_ = 0;
  TopK best_;
};

}  // namespace xylem::neighbours
