// SPDX-License-Identifier: Apache-2.0
#include "data/utf8.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace xylem {
namespace {

using Byte = unsigned char;

// How a character that begins with a byte goes on: its length and what its second byte may be (table 3-7 of the Unicode
// standard); all later bytes are 80..BF. Length 0: no character begins so.
struct Lead {
  std::size_t length;
  Byte lowest, highest;
};

Lead lead_of(Byte byte) {
  if (byte < 0x80) return {1, 0, 0};
  if (byte < 0xc2) return {0, 0, 0};
  if (byte < 0xe0) return {2, 0x80, 0xbf};
  if (byte == 0xe0) return {3, 0xa0, 0xbf};
  if (byte == 0xed) return {3, 0x80, 0x9f};
  if (byte < 0xf0) return {3, 0x80, 0xbf};
  if (byte == 0xf0) return {4, 0x90, 0xbf};
  if (byte < 0xf4) return {4, 0x80, 0xbf};
  if (byte == 0xf4) return {4, 0x80, 0x8f};
  return {0, 0, 0};
}

// Past all ASCII characters from `p` on.
const char* skip_ascii(const char* p, const char* end) {
  constexpr std::uint64_t kHighBits = 0x8080808080808080;
  for (; end - p >= 8; p += 8) {
    std::uint64_t bytes;
    std::memcpy(&bytes, p, 8);
    if ((bytes & kHighBits) != 0) break;
  }
  while (p != end && static_cast<Byte>(*p) < 0x80) ++p;
  return p;
}

}  // namespace

BadUtf8 find_bad_utf8(std::string_view text, std::size_t begin) {
  const char* const end = text.data() + text.size();
  const char* p = text.data() + begin;
  while ((p = skip_ascii(p, end)) != end) {
    const Lead lead = lead_of(static_cast<Byte>(*p));
    std::size_t n = 1;
    Byte lowest = lead.lowest, highest = lead.highest;
    for (; n < lead.length && p + n != end; ++n) {
      const Byte byte = static_cast<Byte>(p[n]);
      if (byte < lowest || byte > highest) break;
      lowest = 0x80;
      highest = 0xbf;
    }
    if (n != lead.length) return {static_cast<std::size_t>(p - text.data()), n};
    p += n;
  }
  return {};
}

std::size_t replace_bad_utf8(std::string_view text, std::string& out) {
  std::size_t n = 0, begin = 0;
  out.clear();
  for (BadUtf8 bad = find_bad_utf8(text); bad.size > 0; bad = find_bad_utf8(text, begin)) {
    out.append(text, begin, bad.begin - begin);
    append_utf8(0xfffd, out);
    begin = bad.begin + bad.size;
    ++n;
  }
  out.append(text, begin);
  return n;
}

void append_utf8(std::uint32_t code, std::string& out) {
  const auto tail = [&](unsigned shift) { out += static_cast<char>(0x80 | (code >> shift & 0x3f)); };
  if (code < 0x80) {
    out += static_cast<char>(code);
  } else if (code < 0x800) {
    out += static_cast<char>(0xc0 | code >> 6);
    tail(0);
  } else if (code < 0x10000) {
    out += static_cast<char>(0xe0 | code >> 12);
    tail(6);
    tail(0);
  } else {
    out += static_cast<char>(0xf0 | code >> 18);
    tail(12);
    tail(6);
    tail(0);
  }
}

bool is_plain_ascii(std::string_view text) {
  const char* p = text.data();
  const char* const end = p + text.size();
  const auto unusual = [](char c) { return static_cast<signed char>(c) < 0x20; };
  for (; end - p >= 64; p += 64) {  // without a way out, so that it becomes a few vector instructions
    unsigned char any = 0;
    for (int i = 0; i < 64; ++i) any |= static_cast<unsigned char>(unusual(p[i]));
    if (any != 0) return false;
  }
  return std::none_of(p, end, unusual);
}

}  // namespace xylem
