// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <string_view>

#include "core/file.h"

namespace xylem {

// What messages call the file at `path`: "-" is standard input.
std::string display_name(const std::string& path);

// Turns compressed bytes into plain ones; one for each compressed format.
class Inflater {
 public:
  virtual ~Inflater() = default;
  // Consumes from the front of `input` and writes up to `size` bytes to `output`; returns how many it wrote. Does at
  // least one of the two unless it needs more input. Throws kData where the bytes make no sense.
  virtual std::size_t inflate(std::string_view& input, char* output, std::size_t size) = 0;
  // Whether the input may end here: all that was begun is finished.
  virtual bool complete() const = 0;
};

// The bytes of a file from first to last, inflated where its first bytes say gzip or zstd; several gzip members or zstd
// frames in a row are one file. Read, not mapped: a file that shrinks meanwhile is short, not a signal. One that grows
// is read as far as it went when it was opened: it has an end even if somebody writes faster than we read.
class ByteSource {
 public:
  // "-" is standard input. Throws kIo.
  explicit ByteSource(const std::string& path);
  // The rest of a file that is open, but not more than `max_bytes`; `name` is what messages call it.
  ByteSource(FileHandle file, std::string name, std::uint64_t max_bytes = std::numeric_limits<std::uint64_t>::max());

  // What is there, up to `size` bytes and at least one, waiting for it if need be; 0 at the end. Throws kIo, and kData
  // if compressed data is damaged, ends too early or grows a thousandfold.
  std::size_t read_some(char* output, std::size_t size);
  // Up to `size` bytes, fewer only at the end.
  std::size_t read(char* output, std::size_t size);
  // Whether read_some() would have to wait for whoever writes into a pipe or types on a terminal.
  bool waits() const { return !at_end_ && input_.empty() && would_wait(file_); }

  const std::string& name() const { return name_; }
  // How far it has come, in bytes of the file, and how long the file is; 0 if only its end will tell.
  std::uint64_t bytes_taken() const { return bytes_in_ - input_.size(); }
  std::uint64_t bytes_in_all() const { return bytes_in_all_; }

 private:
  std::size_t read_plain(char* output, std::size_t size);
  std::size_t read_inflated(char* output, std::size_t size);
  void refill();
  std::size_t read_file(char* output, std::size_t size);

  std::string name_;
  FileHandle file_;
  bool at_end_ = false;                 // a terminal has an end more than once, and must not be asked again
  std::uint64_t bytes_in_all_;          // of the file; 0: not known
  std::uint64_t file_left_;             // bytes of the file that have not been read
  std::string buffer_;                  // bytes of the file
  std::string_view input_;              // those of them that nobody has taken yet
  std::unique_ptr<Inflater> inflater_;  // none: the file is plain
  std::uint64_t bytes_in_ = 0;
  std::uint64_t bytes_out_ = 0;
};

}  // namespace xylem
