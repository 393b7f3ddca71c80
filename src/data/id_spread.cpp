// SPDX-License-Identifier: Apache-2.0
#include "data/id_spread.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace xylem {
namespace {

constexpr std::uint64_t kHarmless = 100'000;  // so many places cost no more than some megabytes
constexpr std::uint64_t kFar = 10;
constexpr std::array<std::uint64_t, 10> kPowersOfTen = {1,       10,        100,        1'000,       10'000,
                                                        100'000, 1'000'000, 10'000'000, 100'000'000, 1'000'000'000};

}  // namespace

void IdSpread::add(std::uint32_t id, std::size_t line) {
  std::size_t i = 0;
  while (i + 1 < decades_.size() && id >= kPowersOfTen[i + 1]) ++i;
  Decade& decade = decades_[i];
  if (id < decade.lowest) decade.line = line;
  decade.lowest = std::min(decade.lowest, id);
  decade.highest = std::max(decade.highest, id);
}

void IdSpread::add(const IdSpread& later, std::size_t n_lines) {
  for (std::size_t i = 0; i < decades_.size(); ++i) {
    Decade& decade = decades_[i];
    const Decade& more = later.decades_[i];
    if (more.lowest < decade.lowest) decade.line = n_lines + more.line;
    decade.lowest = std::min(decade.lowest, more.lowest);
    decade.highest = std::max(decade.highest, more.highest);
  }
}

// A gap of that size never lies within a decade, so its borders are the largest id of one and the smallest of a later.
std::optional<FarId> IdSpread::far_id() const {
  std::optional<std::uint32_t> below;
  for (const Decade& decade : decades_) {
    if (decade.lowest > decade.highest) continue;
    const std::uint64_t far = below ? kFar * (std::uint64_t{*below} + 1) : 0;
    if (decade.lowest >= std::max(far, kHarmless)) return FarId{decade.lowest, below, decade.line};
    below = decade.highest;
  }
  return std::nullopt;
}

std::string far_id_problem(const FarId& far, std::string_view what, std::uint32_t first) {
  std::string beyond;
  if (far.next_smaller) {
    beyond = fmt::format(" far beyond the next smaller one, {}", std::uint64_t{*far.next_smaller} + first);
  }
  return fmt::format("found {} {}{}, so there are that many {}s: is the number mistyped?", what,
                     std::uint64_t{far.id} + first, beyond, what);
}

std::optional<FarId> find_far_id(std::span<const std::uint32_t> ids) {
  IdSpread spread;
  for (std::size_t i = 0; i < ids.size(); ++i) spread.add(ids[i], i);
  return spread.far_id();
}

}  // namespace xylem
