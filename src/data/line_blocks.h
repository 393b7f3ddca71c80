// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <limits>
#include <string>

#include "data/byte_source.h"

namespace xylem {

// A file cut into blocks of whole lines, so that a large file need not be in memory at once.
class LineBlocks {
 public:
  // Blocks have about `block_bytes`, the first ones less: a short file takes little. A longer line makes its block
  // longer, but never longer than `max_bytes`: kMemory.
  LineBlocks(const std::string& path, std::size_t block_bytes,
             std::size_t max_bytes = std::numeric_limits<std::size_t>::max());

  // Puts the next lines into `block`, each ending in '\n' also where the file's last one does not; false at the end.
  // Without the byte order mark that some editors put at the start.
  bool next(std::string& block);

  // What next() will give, without taking it; empty at the end. Only to be asked before the first next().
  const std::string& first_lines();

  const std::string& name() const { return source_.name(); }

 private:
  bool read_block(std::string& block);

  ByteSource source_;
  std::size_t block_bytes_;
  std::size_t next_bytes_;  // of the next block, on the way up to block_bytes_
  std::size_t max_bytes_;
  std::string rest_;  // bytes read, but not yet given: the begin of a line
  bool at_end_ = false;
  std::string first_;  // what first_lines() has shown
};

}  // namespace xylem
