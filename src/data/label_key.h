// SPDX-License-Identifier: Apache-2.0
// A label as a reader hands it on: its name, or its name, a NUL byte and its identifier. Names have no NUL bytes.
#pragma once

#include <string>
#include <string_view>

namespace xylem {

struct LabelKey {
  std::string_view name;
  std::string_view id;  // empty for a label without one
};

inline LabelKey split_label_key(std::string_view key) {
  const std::size_t end = key.find('\0');
  if (end == std::string_view::npos) return {key, {}};
  return {key.substr(0, end), key.substr(end + 1)};
}

// Makes the name in `key` one with an identifier.
inline void add_label_id(std::string_view id, std::string& key) {
  if (!id.empty()) key.append(1, '\0').append(id);
}

}  // namespace xylem
