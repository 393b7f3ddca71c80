// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "core/hash.h"
#include "data/byte_source.h"

namespace xylem {

// What a block waits for: an answer to somebody who types must not wait for more lines.
enum class Waiting {
  kForFullBlocks,
  kForFirstLines,  // the first one for first_lines(), the others for a line
  kForAHeader,     // the same, but first_line() comes before the others
  kForALine,       // so first_lines() may be a single one: the first line with something in it
};

// A file cut into blocks of whole lines, so that a large file need not be in memory at once.
class LineBlocks {
 public:
  // Blocks have about `block_bytes`, the first ones less: a short file takes little. A longer line makes its block
  // longer, but never longer than `max_bytes`: kMemory.
  LineBlocks(const std::string& path, std::size_t block_bytes,
             std::size_t max_bytes = std::numeric_limits<std::size_t>::max(),
             Waiting waiting = Waiting::kForFullBlocks);
  explicit LineBlocks(ByteSource source, std::size_t block_bytes,
                      std::size_t max_bytes = std::numeric_limits<std::size_t>::max(),
                      Waiting waiting = Waiting::kForFullBlocks);

  // Puts the next lines into `block`, each ending in '\n' also where the file's last one does not; false at the end.
  // Without the byte order mark that some editors put at the start.
  bool next(std::string& block);
  // Reads ahead for next(), on another thread. Where blocks wait for a line, only what can be read without waiting.
  void prefetch();

  // The lines with which the file begins, 64 KB of them or one longer line, each ending in '\n', without taking them;
  // the same whatever the size of blocks. Empty if the file is. Only to be asked before the first next().
  std::string_view first_lines();

  // The first of them with something in it, and what stands before it. Only with kForAHeader, otherwise empty, and
  // before first_lines().
  std::string_view first_line();

  // Also writes every block that next() gives to a file, which must outlive this.
  void copy_to(const FileHandle& file) { copy_ = &file; }

  const std::string& name() const { return source_.name(); }
  // What has been read of the file itself: less than there are lines if it is compressed.
  std::uint64_t file_bytes() const { return source_.bytes_taken(); }
  // How much of the file the blocks given so far are, from 0 to 1; 0 if only its end will tell.
  double share() const { return share_; }
  // Of the bytes of the blocks given so far.
  std::uint64_t hash() const { return hasher_.digest(); }

 private:
  void skip_byte_order_mark();
  void read_first(Waiting waiting);
  void fill(bool may_wait);
  void begin_block();
  void read_some();
  void end_file();
  void note_given(const std::string& block);
  [[noreturn]] void fail_long_line(std::size_t size) const;

  ByteSource source_;
  std::size_t block_bytes_;
  std::size_t next_bytes_;  // of the next block, on the way up to block_bytes_
  std::size_t max_bytes_;
  Waiting waiting_;
  std::string block_;          // the next one, as far as it has been read
  std::size_t filled_ = 0;     // bytes of it that have been read
  std::size_t lines_end_ = 0;  // behind the last line end among them
  bool begun_ = false;
  bool complete_ = false;
  bool at_end_ = false;
  double share_ = 0;
  Hasher hasher_;
  const FileHandle* copy_ = nullptr;
  std::string rest_;   // bytes behind the last block: the begin of a line
  std::string first_;  // what first_lines() has read
  bool has_first_lines_ = false;
  std::size_t n_taken_ = 0;  // bytes of it that have gone into blocks
};

}  // namespace xylem
