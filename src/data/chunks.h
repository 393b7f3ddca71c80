// SPDX-License-Identifier: Apache-2.0
// How readers go through a file: blocks one after the other, the next one being read meanwhile; chunks of a block at
// the same time.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "data/line_blocks.h"
#include "xylem/run.h"

namespace xylem {

// How a file is cut up. The result does not depend on it, except for which of several bad lines an Error knows of.
struct Cuts {
  std::size_t block_bytes = std::size_t{16} << 20;  // in memory at once, twice: one is read while one is parsed
  std::size_t chunk_bytes = std::size_t{1} << 18;   // parsed by one thread; small enough to stay in its cache
};

// For rows that are not kept: little memory, and yet enough for all threads.
inline constexpr Cuts kStreamCuts{.block_bytes = std::size_t{2} << 20, .chunk_bytes = std::size_t{1} << 17};

// Calls use(lines) for the blocks in order; the lines are gone when it returns, if it has not let go of them before.
// Throws kInterrupted when asked to stop.
void for_each_block(LineBlocks& blocks, const Run& run, const std::function<void(std::string& lines)>& use);

// Chunks end at the first line end behind each multiple of `chunk_bytes`.
std::vector<std::string_view> cut_chunks(std::string_view lines, std::size_t chunk_bytes);

// Tells `run` how many rows have been read, of `total` if that is known and not 0.
void report_rows(const Run& run, const LineBlocks& blocks, std::size_t done, std::size_t total);

// Throws kMemory where the rows read so far hold more than is allowed.
void check_memory(const LineBlocks& blocks, std::size_t n_rows, std::size_t held, std::size_t allowed);

// What a vector or a string holds.
template <class Values>
std::size_t held_bytes(const Values& values) {
  return values.capacity() * sizeof(values[0]);
}

}  // namespace xylem
