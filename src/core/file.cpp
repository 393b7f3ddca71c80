// SPDX-License-Identifier: Apache-2.0
#include "core/file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "core/fail.h"
#include "core/part_files.h"

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

// The rights of a file that is replaced go on to the one that replaces it, and so do its owner and group as far as we
// may give them away. Nobody gets rights that he did not have: where the group cannot stay, it gets none.
void take_over_rights(const FileHandle& file, const struct stat& replaced) {
  mode_t mode = replaced.st_mode & (S_IRWXU | S_IRWXG | S_IRWXO);
  struct stat own {};
  const bool same_group = ::fchown(file.get(), static_cast<uid_t>(-1), replaced.st_gid) == 0 ||
                          (::fstat(file.get(), &own) == 0 && own.st_gid == replaced.st_gid);
  if (!same_group) mode &= ~static_cast<mode_t>(S_IRWXG);
  (void)!::fchown(file.get(), replaced.st_uid, static_cast<gid_t>(-1));
  (void)!::fchmod(file.get(), mode);  // file systems without rights have none to lose
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

std::string follow_links(const std::string& path) {
  // What /proc links to, as /dev/stdout does, has no path of its own if it is a pipe.
  struct stat status {};
  if (::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode)) return path;
  constexpr int kMostLinks = 40;  // as the system itself follows
  std::filesystem::path target = path;
  for (int links = 0; links < kMostLinks; ++links) {
    std::error_code is_no_link;
    const std::filesystem::path next = std::filesystem::read_symlink(target, is_no_link);
    if (is_no_link) return target.string();
    target = target.parent_path() / next;  // an absolute `next` replaces what is before it
  }
  return path;  // links in a circle: opening says so
}

void take_over_rights(const FileHandle& file, const std::string& target) {
  struct stat replaced {};
  if (::stat(target.c_str(), &replaced) == 0) take_over_rights(file, replaced);
}

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

FileHandle open_temporary() {
  std::error_code error;
  const std::filesystem::path folder = std::filesystem::temp_directory_path(error);
  std::string path = (folder / "xylem-XXXXXX").string();
  FileHandle file(error ? -1 : ::mkostemp(path.data(), O_CLOEXEC));
  if (file.get() < 0) fail_io(fmt::format("cannot make {}", temporary_name()));
  ::unlink(path.c_str());
  return file;
}

std::string temporary_name() {
  std::error_code error;
  const std::string folder = std::filesystem::temp_directory_path(error).string();
  const char* const named = std::getenv("TMPDIR");
  return fmt::format("a temporary file in {} (TMPDIR names another folder)",
                     error && named != nullptr ? named : folder);
}

void write_bytes(const FileHandle& file, std::string_view bytes, const std::string& path) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(file.get(), bytes.data(), std::min(bytes.size(), std::size_t{1} << 30));
    if (n < 0) {
      if (errno == EINTR) continue;
      fail_io(fmt::format("cannot write {}", path));
    }
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
}

std::uint64_t read_first(const FileHandle& file, std::uint64_t size, const std::string& path,
                         const std::function<void(std::string_view bytes)>& use) {
  if (::lseek(file.get(), 0, SEEK_SET) != 0) fail_io(fmt::format("cannot read {}", path));
  std::string bytes(kBufferSize, '\0');
  std::uint64_t done = 0;
  while (done < size) {
    const std::size_t n = read_some(file, bytes.data(), std::min<std::uint64_t>(size - done, bytes.size()), path);
    if (n == 0) break;
    use(std::string_view(bytes).substr(0, n));
    done += n;
  }
  return done;
}

std::optional<std::uint64_t> bytes_ahead(const FileHandle& file) {
  struct stat status {};
  if (::fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode) || status.st_size == 0) return std::nullopt;
  const off_t here = ::lseek(file.get(), 0, SEEK_CUR);
  if (here < 0) return std::nullopt;
  return status.st_size > here ? static_cast<std::uint64_t>(status.st_size - here) : 0;
}

bool can_be_read_again(const std::string& path) {
  std::error_code ignored;
  return path != "-" && std::filesystem::is_regular_file(path, ignored);
}

std::size_t read_some(const FileHandle& file, char* buffer, std::size_t size, const std::string& path) {
  while (true) {
    const ssize_t n = ::read(file.get(), buffer, std::min(size, std::size_t{1} << 30));
    if (n >= 0) return static_cast<std::size_t>(n);
    if (errno != EINTR) fail_io(fmt::format("cannot read {}", path));
  }
}

bool would_wait(const FileHandle& file) {
  pollfd waiting{.fd = file.get(), .events = POLLIN, .revents = 0};
  return ::poll(&waiting, 1, 0) == 0;
}

std::size_t read_bytes(const FileHandle& file, char* buffer, std::size_t size, const std::string& path) {
  std::size_t done = 0;
  while (done < size) {
    const std::size_t n = read_some(file, buffer + done, size - done, path);
    if (n == 0) break;
    done += n;
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
  target_ = follow_links(path_);
  struct stat status {};
  const bool exists = ::stat(target_.c_str(), &status) == 0;
  if (!exists && errno == ELOOP) fail_io(fmt::format("cannot write {}", path_));
  if (exists && S_ISDIR(status.st_mode)) fail(ErrorKind::kIo, "cannot write {}: it is a folder", path_);
  if (exists && !S_ISREG(status.st_mode)) {  // a device or a pipe: nothing to replace
    file_ = FileHandle(::open(target_.c_str(), O_WRONLY | O_CLOEXEC));
    if (file_.get() < 0) fail_io(fmt::format("cannot write {}", path_));
    return;
  }
  if (exists && if_exists_ == IfExists::kFail) fail_exists(path_);
  open_temporary(exists ? &status : nullptr);
}

void OutputFile::open_temporary(const struct stat* replaced) {
  temporary_ = fmt::format("{}{}{}", target_, kPartMark, ::getpid());
  note_part_file(temporary_.c_str());
  const mode_t mode = replaced != nullptr ? S_IRUSR | S_IWUSR : 0666;
  file_ = FileHandle(::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode));
  if (file_.get() < 0) {
    const int reason = errno;
    forget_temporary();
    errno = reason;
    fail_io(target_ == path_ ? fmt::format("cannot write {}", path_)
                             : fmt::format("cannot write {}, a link to {}", path_, target_));
  }
  if (replaced != nullptr) take_over_rights(file_, *replaced);
}

void OutputFile::forget_temporary() {
  forget_part_file(temporary_.c_str());
  temporary_.clear();
}

OutputFile::~OutputFile() {
  if (temporary_.empty()) return;
  ::unlink(temporary_.c_str());
  forget_temporary();
}

void OutputFile::write(std::string_view bytes) {
  if (buffer_.size() + bytes.size() <= kBufferSize) {
    buffer_.append(bytes);
    return;
  }
  flush();
  if (bytes.size() <= kBufferSize) {
    buffer_.append(bytes);
  } else {
    write_bytes(file_, bytes, path_);
  }
}

void OutputFile::flush() {
  write_bytes(file_, buffer_, path_);
  buffer_.clear();
}

void OutputFile::commit() {
  flush();
  if (temporary_.empty()) return;
  publish_file(file_, temporary_, target_, path_, if_exists_);
  forget_temporary();
}

void publish_file(FileHandle& file, const std::string& temporary, const std::string& target, const std::string& name,
                  IfExists if_exists) {
  if (::fsync(file.get()) != 0) fail_io(fmt::format("cannot write {}", name));
  const unsigned flags = if_exists == IfExists::kFail ? RENAME_NOREPLACE : 0;
  bool moved = ::renameat2(AT_FDCWD, temporary.c_str(), AT_FDCWD, target.c_str(), flags) == 0;
  if (!moved && errno == EINVAL) {  // a file system that cannot refuse to replace can still refuse a second link
    moved = ::link(temporary.c_str(), target.c_str()) == 0 && ::unlink(temporary.c_str()) == 0;
  }
  if (!moved) {
    if (errno == EEXIST) fail_exists(name);
    fail_io(fmt::format("cannot write {}", name));
  }
  sync_folder(folder_of(target));
  file.close(name);  // not before the renaming: a lock on the file goes with it
}

}  // namespace xylem
