// SPDX-License-Identifier: Apache-2.0
// The two kinds of numbers in sparse files, read where they stand. The text must end, before `end`, in a character that
// belongs to no number, a '\n' say: the loops have no other bound.
#pragma once

#include <fast_float/fast_float.h>

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>

namespace xylem {

inline bool is_digit(char c) {
  return static_cast<unsigned char>(c - '0') < 10;
}
inline bool is_blank(char c) {
  return c == ' ' || c == '\t';
}
// The end of a line, with or without the carriage return that some systems put before it.
inline bool is_line_end(const char* p) {
  return *p == '\n' || (*p == '\r' && p[1] == '\n');
}

constexpr std::uint64_t kNoId = std::numeric_limits<std::uint64_t>::max();
constexpr std::uint64_t kHugeId = kNoId - 1;

// Moves `p` past the digits in [p, end) and appends them to `number`; more than 19 in all do not fit. Lengths vary from
// number to number and a loop over digits is often predicted wrong, so eight bytes are looked at together.
inline void append_digits(const char*& p, const char* end, std::uint64_t& number) {
  static constexpr std::uint64_t kPowersOfTen[] = {1, 10, 100, 1'000, 10'000, 100'000, 1'000'000, 10'000'000};
  if constexpr (std::endian::native == std::endian::little) {
    if (end - p >= 8) {
      std::uint64_t bytes;
      std::memcpy(&bytes, p, 8);
      bytes ^= 0x3030303030303030;  // digits become 0 to 9, everything else more
      // The high bit of the first byte above 9 is set; what a carry does to later bytes does not matter.
      const std::uint64_t others = ((bytes + 0x7676767676767676) | bytes) & 0x8080808080808080;
      const int n = std::countr_zero(others) / 8;
      if (n == 0) return;
      if (n < 8) {
        bytes <<= 64 - 8 * n;  // zeros in front, the last digit in the highest byte
        bytes = (bytes * (1 + (10ULL << 8)) >> 8) & 0x00ff00ff00ff00ff;
        bytes = (bytes * (1 + (100ULL << 16)) >> 16) & 0x0000ffff0000ffff;
        bytes = bytes * (1 + (10000ULL << 32)) >> 32;
        number = number * kPowersOfTen[n] + bytes;
        p += n;
        return;
      }
    }
  }
  while (is_digit(*p)) number = number * 10 + static_cast<unsigned char>(*p++ - '0');
}

// The whole number at `p`, which is moved past it; kNoId where there is no digit, kHugeId where there are too many.
inline std::uint64_t read_id(const char*& p, const char* end) {
  constexpr int kMaxDigits = 19;  // so many always fit
  const char* start = p;
  std::uint64_t id = 0;
  append_digits(p, end, id);
  if (p == start) return kNoId;
  return p - start <= kMaxDigits ? id : kHugeId;
}

// The finite number in [p, end) that begins at `p`, rounded to the nearest float; `p` is moved past it. False where
// there is none.
inline bool read_value(const char*& p, const char* end, float& value) {
  static constexpr double kPowersOfTen[] = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                            1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
  constexpr int kMaxDigits = 15;  // below 2^53, so that both sides of the division are exact

  const char* s = p;
  std::uint64_t digits = 0;
  while (is_digit(*s)) digits = digits * 10 + static_cast<unsigned char>(*s++ - '0');  // mostly one
  auto n_digits = s - p;
  std::ptrdiff_t n_decimals = 0;
  if (*s == '.') {
    const char* decimals = ++s;
    append_digits(s, end, digits);
    n_decimals = s - decimals;
    n_digits += n_decimals;
  }
  if (n_digits >= 1 && n_digits <= kMaxDigits && *s != 'e' && *s != 'E') {
    const double quotient = static_cast<double>(digits) / kPowersOfTen[n_decimals];
    // The quotient is the nearest double. The nearest float of it is that of the exact number too, unless the bits that
    // a float has no room for stand at the border between two floats.
    constexpr std::uint64_t kLostBits = (std::uint64_t{1} << 29) - 1;
    constexpr std::uint64_t kBorder = std::uint64_t{1} << 28;
    const std::uint64_t lost = std::bit_cast<std::uint64_t>(quotient) & kLostBits;
    if (lost - (kBorder - 1) > 2) {  // none of the border and its two neighbours
      value = static_cast<float>(quotient);
      p = s;
      return true;
    }
  }
  const auto [stop, error] = fast_float::from_chars(p, end, value);
  if (stop == p || error == std::errc::invalid_argument || !std::isfinite(value)) return false;
  p = stop;
  return true;
}

}  // namespace xylem
