// SPDX-License-Identifier: Apache-2.0
// Files of the operating system: descriptors that close themselves, writing that is whole or not at all.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

struct stat;

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

// A new file for reading and writing in the folder for temporary files ($TMPDIR or /tmp). It has no name: it is gone
// when it is closed, whatever ends the program. Throws kIo.
FileHandle open_temporary();
// What messages call such a file: where it lies, and how to have it elsewhere.
std::string temporary_name();

// Throws kIo; `path` is for the message.
void write_bytes(const FileHandle& file, std::string_view bytes, const std::string& path);

// Calls use(bytes) for the first `size` bytes of the file, piece by piece, and returns how many there were: fewer only
// if the file is shorter. Throws kIo.
std::uint64_t read_first(const FileHandle& file, std::uint64_t size, const std::string& path,
                         const std::function<void(std::string_view bytes)>& use);

// How much a regular file holds from here on. Nothing for what only its end tells: pipes, devices, files of /proc.
std::optional<std::uint64_t> bytes_ahead(const FileHandle& file);

// Whether it is a regular file, not standard input or a pipe, whose bytes are gone when they have been read.
bool can_be_read_again(const std::string& path);

// What one read gives: at least a byte, waiting for it if need be; 0 at the end of the file. Throws kIo.
std::size_t read_some(const FileHandle& file, char* buffer, std::size_t size, const std::string& path);
// Whether reading now would have to wait for whoever writes: on a terminal or a pipe, never on a regular file.
bool would_wait(const FileHandle& file);
// Up to `size` bytes, fewer only at the end of the file. Throws kIo.
std::size_t read_bytes(const FileHandle& file, char* buffer, std::size_t size, const std::string& path);
std::string read_whole_file(const std::string& path);

// In the name of a file that is being written: its later name, this, and the number of the process.
inline constexpr const char* kPartMark = ".part-";

enum class IfExists { kFail, kReplace };

// What `path` names behind its symbolic links, whether that is there or not.
std::string follow_links(const std::string& path);

// Gives a file that is to replace the one at `target` the permissions of that one, if there is one.
void take_over_rights(const FileHandle& file, const std::string& target);

// Syncs a whole file, moves it to its place and closes it: a lock on it holds until then. Throws kUsage if that is
// taken and must not be, kIo; `name` is what messages call it.
void publish_file(FileHandle& file, const std::string& temporary, const std::string& target, const std::string& name,
                  IfExists if_exists);

// A file that appears under its name only when it is whole: written beside it, synced, renamed, the folder synced.
// Whatever ends the program before commit() leaves the old file as it was. A symbolic link stays one, and the file that
// it names is written, also if there is none yet; a file that is replaced passes on its permissions. "-" is standard
// output, written as it comes.
class OutputFile {
 public:
  // With kFail an existing file is an Error of kind kUsage, at once and again at commit().
  OutputFile(std::string path, IfExists if_exists);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void write(std::string_view bytes);
  // Hands what has been written on to the system: to a pipe, to whoever reads it.
  void flush();
  void commit();

 private:
  void open_temporary(const struct stat* replaced);  // null where there is no file yet
  void forget_temporary();

  std::string path_;       // as it was given
  std::string target_;     // behind all symbolic links
  std::string temporary_;  // empty for standard output, and after commit
  IfExists if_exists_;
  FileHandle file_;
  std::string buffer_;
};

}  // namespace xylem
