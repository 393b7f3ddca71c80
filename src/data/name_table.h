// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "xylem/corpus.h"

namespace xylem {

// Numbers names in the order in which they first come.
class NameTable {
 public:
  // The number of `name`, which is the next one if it has none yet.
  std::uint32_t number(std::string_view name);

  // Its number, if it has one.
  std::optional<std::uint32_t> find(std::string_view name) const;

  const TextList& names() const { return names_; }
  TextList take_names();
  void clear();
  std::size_t held() const;

 private:
  struct Slot {
    std::uint32_t hash = 0;
    std::uint32_t number_plus_one = 0;  // 0: free
  };
  std::size_t place_of(std::string_view name, std::uint32_t hash) const;
  void grow();

  TextList names_;
  // A power of two, less than half in use; a taken slot's name may stand in the next free one.
  std::vector<Slot> slots_;
};

}  // namespace xylem
