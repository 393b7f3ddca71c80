// SPDX-License-Identifier: Apache-2.0
#include "core/file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>

#include "core/fail.h"

namespace xylem {
namespace {

constexpr std::size_t kBufferSize = std::size_t{1} << 18;

[[noreturn]] void fail_exists(const std::string& path) {
  fail(ErrorKind::kUsage, "{} exists already", path);
}

std::string folder_of(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

// After this the name itself survives a power cut.
void sync_folder(const std::string& folder) {
  const FileHandle handle(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  // Some file systems cannot sync a folder; the file's own bytes are safe all the same.
  if (handle.get() >= 0 && ::fsync(handle.get()) != 0 && errno != EINVAL && errno != EROFS) {
    fail_io(fmt::format("cannot sync {}", folder));
  }
}

}  // namespace

FileHandle::~FileHandle() {
  if (descriptor_ > STDERR_FILENO) ::close(descriptor_);
}

void FileHandle::close(const std::string& path) {
  if (::close(std::exchange(descriptor_, -1)) != 0) fail_io(fmt::format("cannot write {}", path));
}

FileHandle open_for_reading(const std::string& path) {
  if (path == "-") return FileHandle(STDIN_FILENO);
  FileHandle file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0) fail_io(fmt::format("cannot open {}", path));
  struct stat status {};
  if (::fstat(file.get(), &status) != 0) fail_io(fmt::format("cannot open {}", path));
  if (S_ISDIR(status.st_mode)) fail(ErrorKind::kIo, "cannot read {}: it is a folder", path);
  return file;
}

std::optional<std::uint64_t> bytes_ahead(const FileHandle& file) {
  struct stat status {};
  if (::fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode) || status.st_size == 0) return std::nullopt;
  const off_t here = ::lseek(file.get(), 0, SEEK_CUR);
  if (here < 0) return std::nullopt;
  return status.st_size > here ? static_cast<std::uint64_t>(status.st_size - here) : 0;
}

std::size_t read_bytes(const FileHandle& file, char* buffer, std::size_t size, const std::string& path) {
  std::size_t done = 0;
  while (done < size) {
    const ssize_t n = ::read(file.get(), buffer + done, std::min(size - done, std::size_t{1} << 30));
    if (n == 0) break;
    if (n < 0) {
      if (errno == EINTR) continue;
      fail_io(fmt::format("cannot read {}", path));
    }
    done += static_cast<std::size_t>(n);
  }
  return done;
}

std::string read_whole_file(const std::string& path) {
  const FileHandle file = open_for_reading(path);
  std::string bytes;
  while (true) {
    const std::size_t before = bytes.size();
    bytes.resize(before + kBufferSize);
    const std::size_t n = read_bytes(file, bytes.data() + before, kBufferSize, path);
    bytes.resize(before + n);
    if (n < kBufferSize) return bytes;
  }
}

OutputFile::OutputFile(std::string path, IfExists if_exists) : path_(std::move(path)), if_exists_(if_exists) {
  if (path_ == "-") {
    file_ = FileHandle(STDOUT_FILENO);
    path_ = "standard output";  // from here on for messages only
    return;
  }
  struct stat status {};
  const bool exists = ::stat(path_.c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode)) fail(ErrorKind::kIo, "cannot write {}: it is a folder", path_);
  if (exists && !S_ISREG(status.st_mode)) {  // a device or a pipe: nothing to replace
    file_ = FileHandle(::open(path_.c_str(), O_WRONLY | O_CLOEXEC));
    if (file_.get() < 0) fail_io(fmt::format("cannot write {}", path_));
    return;
  }
  if (exists && if_exists_ == IfExists::kFail) fail_exists(path_);
  const std::string temporary = fmt::format("{}{}{}", path_, kPartMark, ::getpid());
  file_ = FileHandle(::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
  if (file_.get() < 0) fail_io(fmt::format("cannot write {}", path_));
  temporary_ = temporary;
}

OutputFile::~OutputFile() {
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void OutputFile::write(std::string_view bytes) {
  if (buffer_.size() + bytes.size() <= kBufferSize) {
    buffer_.append(bytes);
    return;
  }
  write_through(buffer_);
  buffer_.clear();
  if (bytes.size() <= kBufferSize) {
    buffer_.append(bytes);
  } else {
    write_through(bytes);
  }
}

void OutputFile::write_through(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(file_.get(), bytes.data(), std::min(bytes.size(), std::size_t{1} << 30));
    if (n < 0) {
      if (errno == EINTR) continue;
      fail_io(fmt::format("cannot write {}", path_));
    }
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
}

void OutputFile::commit() {
  write_through(buffer_);
  buffer_.clear();
  if (temporary_.empty()) return;
  if (::fsync(file_.get()) != 0) fail_io(fmt::format("cannot write {}", path_));
  file_.close(path_);
  const unsigned flags = if_exists_ == IfExists::kFail ? RENAME_NOREPLACE : 0;
  bool moved = ::renameat2(AT_FDCWD, temporary_.c_str(), AT_FDCWD, path_.c_str(), flags) == 0;
  if (!moved && errno == EINVAL) {  // a file system that cannot refuse to replace can still refuse a second link
    moved = ::link(temporary_.c_str(), path_.c_str()) == 0 && ::unlink(temporary_.c_str()) == 0;
  }
  if (!moved) {
    if (errno == EEXIST) fail_exists(path_);
    fail_io(fmt::format("cannot write {}", path_));
  }
  temporary_.clear();
  sync_folder(folder_of(path_));
}

}  // namespace xylem
