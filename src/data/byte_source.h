// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
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

  // Up to `size` bytes, fewer only at the end. Throws kIo, and kData where compressed data is damaged, ends too early
  // or grows a thousandfold.
  std::size_t read(char* output, std::size_t size);

  const std::string& name() const { return name_; }

 private:
  std::size_t read_plain(char* output, std::size_t size);
  std::size_t read_inflated(char* output, std::size_t size);
  void refill();
  std::size_t read_file(char* output, std::size_t size);

  std::string name_;
  FileHandle file_;
  std::uint64_t file_left_;             // bytes of the file that have not been read
  std::string buffer_;                  // bytes of the file
  std::string_view input_;              // those of them that nobody has taken yet
  std::unique_ptr<Inflater> inflater_;  // none: the file is plain
  std::uint64_t bytes_in_ = 0;
  std::uint64_t bytes_out_ = 0;
};

}  // namespace xylem
