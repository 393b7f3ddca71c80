// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>

namespace xylem {

// An id far beyond all smaller ones is probably mistyped, and every array of a model that has a place per id pays for
// it.
struct FarId {
  std::uint32_t id = 0;
  std::optional<std::uint32_t> next_smaller;
  std::size_t line = 0;  // where it came first
};

// Finds such an id among those that come one after the other.
class IdSpread {
 public:
  void add(std::uint32_t id, std::size_t line);
  // What comes behind `n_lines` lines, and counts its own from 0.
  void add(const IdSpread& later, std::size_t n_lines);
  // The smallest id of at least 100,000 that is ten times any smaller one; nothing if there is none.
  std::optional<FarId> far_id() const;

 private:
  struct Decade {
    std::uint32_t lowest = std::numeric_limits<std::uint32_t>::max();
    std::uint32_t highest = 0;
    std::size_t line = 0;  // of the lowest
  };
  std::array<Decade, 10> decades_;
};

// The line is the place among the ids.
std::optional<FarId> find_far_id(std::span<const std::uint32_t> ids);

}  // namespace xylem
