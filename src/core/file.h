// SPDX-License-Identifier: Apache-2.0
// Files of the operating system: descriptors that close themselves, writing that is whole or not at all.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace xylem {

// An open file; closed when it goes.
class FileHandle {
 public:
  FileHandle() = default;
  explicit FileHandle(int descriptor) : descriptor_(descriptor) {}
  FileHandle(FileHandle&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  FileHandle& operator=(FileHandle&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
  }
  ~FileHandle();
  int get() const { return descriptor_; }
  // Closes now and throws kIo if the system says that writing failed after all.
  void close(const std::string& path);

 private:
  int descriptor_ = -1;
};

// Opens for reading; "-" is standard input. Throws kIo for what is missing, a folder or not permitted.
FileHandle open_for_reading(const std::string& path);

// How much a regular file holds from here on. Nothing for what only its end tells: pipes, devices, files of /proc.
std::optional<std::uint64_t> bytes_ahead(const FileHandle& file);

// Up to `size` bytes, fewer only at the end of the file. Throws kIo.
std::size_t read_bytes(const FileHandle& file, char* buffer, std::size_t size, const std::string& path);
std::string read_whole_file(const std::string& path);

// In the name of a file that is being written: its later name, this, and the number of the process.
inline constexpr const char* kPartMark = ".part-";

enum class IfExists { kFail, kReplace };

// A file that appears under its name only when it is whole: written beside it, synced, renamed, the folder synced.
// Whatever ends the program before commit() leaves the old file as it was. "-" is standard output, written as it comes.
class OutputFile {
 public:
  // With kFail an existing file is an Error of kind kUsage, at once and again at commit().
  OutputFile(std::string path, IfExists if_exists);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void write(std::string_view bytes);
  void commit();

 private:
  void write_through(std::string_view bytes);

  std::string path_;
  std::string temporary_;  // empty for standard output, and after commit
  IfExists if_exists_;
  FileHandle file_;
  std::string buffer_;
};

}  // namespace xylem
