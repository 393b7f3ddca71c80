// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace xylem {

// An id far beyond all smaller ones is probably mistyped, and every array of a model that has a place per id pays for
// it.
struct FarId {
  std::uint32_t id = 0;
  std::optional<std::uint32_t> next_smaller;
  std::size_t line = 0;  // where it came first
};

// "found label 9000000 far beyond ...": a problem of the line. `what` is what has ids, and `first` what is added to
// them.
std::string far_id_problem(const FarId& far, std::string_view what, std::uint32_t first);

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
