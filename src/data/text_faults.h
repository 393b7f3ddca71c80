// SPDX-License-Identifier: Apache-2.0
// What texts show of an earlier mistake with their encoding.
#pragma once

#include <cstddef>
#include <string_view>

namespace xylem {

// How often U+FFFD is there: it stands for something that an earlier program could not read.
std::size_t count_replacement_characters(std::string_view text);

// Whether `text` has the marks of UTF-8 that was taken for Latin-1 or Windows-1252 and written as UTF-8 again: "Ã¤" for
// "ä", "â€™" for an apostrophe. Right text hardly ever has them.
bool has_mojibake(std::string_view text);

}  // namespace xylem
