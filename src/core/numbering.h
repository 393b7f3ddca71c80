// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace xylem {

// Numbers some of the ids 0 .. n-1 from 0, in their order, in a bit for each and a look-up that touches little memory.
class Numbering {
 public:
  // None of n ids is marked.
  void reset(std::size_t n) { present_.assign(n / 64 + 1, 0); }
  void mark(std::size_t id) { present_[id / 64] |= std::uint64_t{1} << id % 64; }
  bool is_marked(std::size_t id) const { return (present_[id / 64] >> id % 64 & 1) != 0; }

  // As mark, for threads that mark at the same time.
  void mark_shared(std::size_t id) {
    const std::uint64_t bit = std::uint64_t{1} << id % 64;
    const std::atomic_ref word(present_[id / 64]);
    if ((word.load(std::memory_order_relaxed) & bit) == 0) word.fetch_or(bit, std::memory_order_relaxed);
  }

  // After the last mark, before number_of. Returns how many are marked.
  std::size_t finish() {
    before_.resize(present_.size());
    std::uint32_t n = 0;
    for (std::size_t word = 0; word < present_.size(); ++word) {
      before_[word] = n;
      n += static_cast<std::uint32_t>(std::popcount(present_[word]));
    }
    return n;
  }
  // Of an id that is marked.
  std::uint32_t number_of(std::size_t id) const {
    const std::uint64_t below = present_[id / 64] & ((std::uint64_t{1} << id % 64) - 1);
    return before_[id / 64] + static_cast<std::uint32_t>(std::popcount(below));
  }

  // Calls use(id) for those marked, in order.
  void for_each(auto&& use) const {
    for (std::size_t word = 0; word < present_.size(); ++word) {
      for (std::uint64_t bits = present_[word]; bits != 0; bits &= bits - 1) {
        use(64 * word + static_cast<std::size_t>(std::countr_zero(bits)));
      }
    }
  }

 private:
  std::vector<std::uint64_t> present_;  // a bit for each id
  std::vector<std::uint32_t> before_;   // how many are present in earlier words
};

}  // namespace xylem
