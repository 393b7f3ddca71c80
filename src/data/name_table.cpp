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
  const std::size_t mask = slots_.size() - 1;
  std::size_t place = hash & mask;
  for (; slots_[place].number_plus_one != 0; place = (place + 1) & mask) {
    const Slot& slot = slots_[place];
    if (slot.hash == hash && names_[slot.number_plus_one - 1] == name) return slot.number_plus_one - 1;
  }
  names_.push_back(name);
  slots_[place] = {hash, static_cast<std::uint32_t>(names_.size())};
  return slots_[place].number_plus_one - 1;
}

void NameTable::grow() {
  std::vector<Slot> old = std::exchange(slots_, std::vector<Slot>(std::max<std::size_t>(64, 4 * slots_.size())));
  const std::size_t mask = slots_.size() - 1;
  for (const Slot& slot : old) {
    if (slot.number_plus_one == 0) continue;
    std::size_t place = slot.hash & mask;
    while (slots_[place].number_plus_one != 0) place = (place + 1) & mask;
    slots_[place] = slot;
  }
}

TextList NameTable::take_names() {
  TextList names = std::move(names_);
  clear();
  return names;
}

void NameTable::clear() {
  names_.clear();
  std::fill(slots_.begin(), slots_.end(), Slot{});
}

std::size_t NameTable::held() const {
  return held_bytes(names_.bytes) + held_bytes(names_.offsets) + held_bytes(slots_);
}

}  // namespace xylem
