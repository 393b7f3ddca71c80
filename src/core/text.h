// SPDX-License-Identifier: Apache-2.0
// Small things about words that several error messages need.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace xylem {

// " (did you mean 'x'?)" for the candidate that takes the fewest edits, or nothing where none is near.
std::string nearest_name_hint(std::string_view name, std::span<const std::string> candidates);

// Input as it may stand in a message: cut at 40 bytes, control characters and bytes above 126 as \xNN.
std::string quote(std::string_view text);

// The same for names in UTF-8, for people: letters of any script stay, all control characters become \xNN.
std::string quote_name(std::string_view name);

// "1.5 GB"; and back from "1500M", "2G", "1.5GB", plain bytes; nothing where it is no size.
std::string format_bytes(std::uint64_t bytes);
std::optional<std::uint64_t> parse_bytes(std::string_view text);

// For the ends of a table's lines.
std::string without_trailing_blanks(std::string text);

// For a column of a table: control characters become blanks, so that a TAB or a line break does not end the field.
std::string as_field(std::string_view text);

// The parts between separators; "a,,b" has an empty one in the middle, "" has none.
std::vector<std::string_view> split(std::string_view text, char separator);

}  // namespace xylem
