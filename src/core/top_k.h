// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace xylem {

struct Scored {
  float score;
  std::uint32_t id;
};

// Best first: the higher score, and of equal scores the lower id.
inline bool better(const Scored& a, const Scored& b) {
  return a.score != b.score ? a.score > b.score : a.id < b.id;
}

// Keeps the k best of a stream of scores. A heap with the worst kept one on top: most offers end at one comparison.
class TopK {
 public:
  void reset(std::size_t k) {
    k_ = k;
    kept_.clear();
  }
  // Scores strictly below this cannot enter any more.
  float threshold() const {
    return k_ == 0             ? std::numeric_limits<float>::infinity()
           : kept_.size() < k_ ? -std::numeric_limits<float>::infinity()
                               : kept_.front().score;
  }
  // A score that is not a number is never kept: it would break the order.
  void offer(float score, std::uint32_t id) {
    if (std::isnan(score)) return;
    const Scored entry{score, id};
    if (kept_.size() < k_) {
      kept_.push_back(entry);
      std::push_heap(kept_.begin(), kept_.end(), kBetter);
    } else if (k_ > 0 && better(entry, kept_.front())) {
      replace_worst(entry);
    }
  }
  // The kept ones, best first; valid until the next reset.
  std::span<const Scored> sorted() {
    std::sort(kept_.begin(), kept_.end(), kBetter);
    return kept_;
  }

 private:
  static constexpr auto kBetter = [](const Scored& a, const Scored& b) { return better(a, b); };

  // One way down the heap, where std::pop_heap and std::push_heap go down and up: with 200 kept, search for neighbours
  // among 4,880 rows spent a fifth of its instructions there.
  void replace_worst(const Scored& entry) {
    std::size_t hole = 0;
    for (std::size_t child = 1; child < kept_.size(); child = 2 * hole + 1) {
      if (child + 1 < kept_.size() && better(kept_[child], kept_[child + 1])) ++child;
      if (!better(entry, kept_[child])) break;
      kept_[hole] = kept_[child];
      hole = child;
    }
    kept_[hole] = entry;
  }

  std::size_t k_ = 0;
  std::vector<Scored> kept_;
};

}  // namespace xylem
