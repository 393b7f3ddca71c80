// SPDX-License-Identifier: Apache-2.0
// Lines and cells without what stands at their ends.
#pragma once

#include <string_view>

#include "data/number_token.h"

namespace xylem {

inline std::string_view without_blanks_before(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  return text;
}

inline std::string_view without_blanks(std::string_view text) {
  text = without_blanks_before(text);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

// The line end may lack its '\n', as in a line that was cut off there.
inline std::string_view without_line_end(std::string_view line) {
  if (line.ends_with('\n')) line.remove_suffix(1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

}  // namespace xylem
