// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace xylem {

// Bytes that are no UTF-8: where they begin, and how many go together. As Unicode recommends, a character that breaks
// off is one piece, and any other wrong byte is one by itself.
struct BadUtf8 {
  std::size_t begin = 0;
  std::size_t size = 0;  // 0: there are none
};

// The first of `text` from `begin` on. Strict: no overlong forms, no surrogates, nothing above U+10FFFF.
BadUtf8 find_bad_utf8(std::string_view text, std::size_t begin = 0);

// Puts `text` with U+FFFD for each bad piece into `out`, and returns how many there were.
std::size_t replace_bad_utf8(std::string_view text, std::string& out);

// Appends a character; `code` is below 0x110000 and no surrogate.
void append_utf8(std::uint32_t code, std::string& out);

// Whether all bytes are printable ASCII, which makes most texts quick to check.
bool is_plain_ascii(std::string_view text);

}  // namespace xylem
