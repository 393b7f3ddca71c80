// SPDX-License-Identifier: Apache-2.0
#include "data/name_table.h"

#include <algorithm>
#include <utility>

#include "core/hash.h"
#include "data/chunks.h"

namespace xylem {

std::uint32_t NameTable::number(std::string_view name) {
  if (2 * names_.size() >= slots_.size()) grow();
  const auto hash = static_cast<std::uint32_t>(hash_bytes(name));
  Slot& slot = slots_[place_of(name, hash)];
  if (slot.number_plus_one == 0) {
    names_.push_back(name);
    slot = {hash, static_cast<std::uint32_t>(names_.size())};
  }
  return slot.number_plus_one - 1;
}

std::optional<std::uint32_t> NameTable::find(std::string_view name) const {
  if (slots_.empty()) return std::nullopt;
  const Slot& slot = slots_[place_of(name, static_cast<std::uint32_t>(hash_bytes(name)))];
  return slot.number_plus_one == 0 ? std::nullopt : std::optional(slot.number_plus_one - 1);
}

// The slot of `name`, or the free one where it would be put. Some slots must be free.
std::size_t NameTable::place_of(std::string_view name, std::uint32_t hash) const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t place = hash & mask;
  for (; slots_[place].number_plus_one != 0; place = (place + 1) & mask) {
    const Slot& slot = slots_[place];
    if (slot.hash == hash && names_[slot.number_plus_one - 1] == name) break;
  }
  return place;
}

void NameTable::grow() {
  std::vector<Slot> old = std::exchange(slots_, std::vector<Slot>(std::max<std::size_t>(64, 2 * slots_.size())));
  const std::size_t mask = slots_.size() - 1;
  for (const Slot& slot : old) {
    if (slot.number_plus_one == 0) continue;
    std::size_t place = slot.hash & mask;
    while (slots_[place].number_plus_one != 0) place = (place + 1) & mask;
    slots_[place] = slot;
  }
}

TextList NameTable::take_names() {
  return std::move(std::exchange(*this, {}).names_);
}

void NameTable::clear() {
  names_.clear();
  std::fill(slots_.begin(), slots_.end(), Slot{});
}

std::size_t NameTable::held() const {
  return held_bytes(names_.bytes) + held_bytes(names_.offsets) + held_bytes(slots_);
}

}  // namespace xylem
