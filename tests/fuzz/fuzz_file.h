// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "data/chunks.h"

namespace xylem::fuzz {

// The bytes as a file in memory, and its path: what reads files is fuzzed as it is.
inline std::string file_of(const std::uint8_t* bytes, std::size_t size) {
  static const int file = memfd_create("fuzz", 0);
  static const std::string path = "/proc/self/fd/" + std::to_string(file);
  if (file < 0 || ftruncate(file, 0) != 0 || pwrite(file, bytes, size, 0) != static_cast<ssize_t>(size)) std::abort();
  return path;
}

// Blocks of 16 to 2048 bytes and chunks of 4 to 512: what lies across their borders is reached by small inputs.
inline Cuts cuts_of(std::uint8_t byte) {
  return {.block_bytes = std::size_t{16} << byte % 8, .chunk_bytes = std::size_t{4} << byte / 16 % 8};
}

}  // namespace xylem::fuzz
