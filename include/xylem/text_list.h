// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace xylem {

// Many texts in one piece of memory. UTF-8 without NUL bytes.
struct TextList {
  std::string bytes;
  std::vector<std::uint64_t> offsets{0};

  std::size_t size() const { return offsets.size() - 1; }
  std::string_view operator[](std::size_t i) const {
    return std::string_view(bytes).substr(offsets[i], offsets[i + 1] - offsets[i]);
  }
  void push_back(std::string_view text) {
    bytes.append(text);
    offsets.push_back(bytes.size());
  }
  void clear() {
    bytes.clear();
    offsets.assign(1, 0);
  }
  bool operator==(const TextList&) const = default;
};

}  // namespace xylem
