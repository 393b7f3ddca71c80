// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "core/top_k.h"
#include "xylem/sparse.h"

namespace xylem::neighbours {

// A neighbour that votes alone: its cosine to some power.
inline float vote_of(const Scored& neighbour, double power) {
  return neighbour.score > 0 ? static_cast<float>(std::pow(static_cast<double>(neighbour.score), power)) : 0;
}

// The votes of a row's neighbours, each for all its labels. A label's score is its share of them all, or, where
// neighbours know of each other (kernel_votes.h), what they come to.
class Votes {
 public:
  explicit Votes(std::size_t n_labels = 0) { resize(n_labels); }

  void resize(std::size_t n_labels) {
    sums_.resize(n_labels, 0.0f);
    has_votes_.resize(n_labels, false);
  }
  void add(float vote, std::span<const Label> labels) {
    if (vote == 0) return;
    all_ += vote;
    for (const Label label : labels) {
      if (!has_votes_[label]) voted_.push_back(label);
      has_votes_[label] = true;
      sums_[label] += vote;
    }
  }
  float all() const { return all_; }
  // Appends the k labels with most votes, of so many in all, and begins anew. Those that come to nothing are left out.
  void finish(std::size_t k, float all, TopLabels& out) {
    best_.reset(k);
    for (const Label label : voted_) {
      if (sums_[label] > 0) best_.offer(sums_[label] / all, label);
    }
    append_best(out);
  }
  // The same, where a label's cosine has this share in its score.
  void finish(std::size_t k, float all, std::span<const float> cosines, double share, TopLabels& out) {
    const auto of_cosine = static_cast<float>(share);
    const float of_vote = all > 0 ? (1 - of_cosine) / all : 0;
    best_.reset(k);
    for (std::size_t label = 0; label < sums_.size(); ++label) {
      const float score = of_vote * sums_[label] + of_cosine * std::max(cosines[label], 0.0f);
      if (score > 0) best_.offer(score, static_cast<Label>(label));
    }
    append_best(out);
  }

 private:
  void append_best(TopLabels& out) {
    for (const Label label : voted_) {
      sums_[label] = 0;
      has_votes_[label] = false;
    }
    voted_.clear();
    all_ = 0;
    for (const Scored& entry : best_.sorted()) out.push_back(entry.id, entry.score);
    out.end_row();
  }

  std::vector<float> sums_;      // of each label, all 0 in the beginning
  std::vector<bool> has_votes_;  // whether it is among voted_: votes may be negative, and sums of them 0
  std::vector<Label> voted_;
  float all_ = 0;
  TopK best_;
};

}  // namespace xylem::neighbours
