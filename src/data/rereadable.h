// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "core/file.h"
#include "data/line_blocks.h"

namespace xylem {

// The lines of a data file for several readings. What can be read only once, a pipe, is copied to a temporary file
// during the first one; nobody else sees that file. A file that grows meanwhile is read as far as it went.
class RereadableLines {
 public:
  // `lines` are for the first reading, and nobody has read any yet; `path` is where they come from.
  RereadableLines(LineBlocks& lines, std::string path);
  RereadableLines(const RereadableLines&) = delete;
  RereadableLines& operator=(const RereadableLines&) = delete;

  // To be called after the first reading, which came to the end.
  void first_reading_is_over();
  // For a further reading; one at a time.
  LineBlocks open(std::size_t block_bytes, std::size_t max_bytes) const;
  // Throws kData unless a further reading had the same lines.
  void check_same(const LineBlocks& lines) const;

 private:
  LineBlocks* first_;  // null when that is over
  std::string path_, name_;
  std::uint64_t file_bytes_ = 0;
  std::uint64_t hash_ = 0;
  FileHandle copy_;  // of what can be read only once
};

}  // namespace xylem
