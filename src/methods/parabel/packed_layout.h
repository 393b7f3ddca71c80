// SPDX-License-Identifier: Apache-2.0
// How the arrays of Classifiers are laid out: what those who write, check and read them share. docs/model-format.md has
// the whole of it.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

namespace xylem::parabel {

inline constexpr std::size_t kGroup = 256;      // children; their numbers take one byte
inline constexpr std::uint32_t kBlock = 64;     // ranks; a bit for each
inline constexpr std::uint32_t kRegion = 4096;  // ranks; a bit for each block
inline constexpr float kDenseSteps = 127;       // of a dense row, up to its scale
inline constexpr std::size_t kPadding = 16;     // dense rows are filled up to a multiple, for whole SIMD instructions

inline std::uint64_t bit_of(std::uint32_t number) {
  return std::uint64_t{1} << (number % 64);
}
inline std::uint64_t count_below(std::uint64_t bits, std::uint64_t bit) {
  return static_cast<std::uint64_t>(std::popcount(bits & (bit - 1)));
}

// The second number of a block.
inline std::uint64_t key_and_row(std::uint64_t key, std::uint64_t row) {
  return key | row << 32;
}
inline std::uint64_t key_in(std::uint64_t pair) {
  return pair & 0xffffffff;
}
inline std::uint64_t row_in(std::uint64_t pair) {
  return pair >> 32;
}

inline std::size_t padded(std::size_t n_children) {
  return (n_children + kPadding - 1) / kPadding * kPadding;
}

}  // namespace xylem::parabel
