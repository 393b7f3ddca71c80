// SPDX-License-Identifier: Apache-2.0
#include "core/folder_lock.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>

#include <cerrno>

#include "core/fail.h"

namespace xylem {

FolderLock::FolderLock(const std::string& folder) {
  const std::string path = folder + "/lock";
  // For writing: NFS makes a lock on the server of it, which wants that.
  file_ = FileHandle(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666));
  if (file_.get() < 0) fail_io(fmt::format("cannot write {}", path));
  int result = 0;
  do {
    result = ::flock(file_.get(), LOCK_EX | LOCK_NB);
  } while (result != 0 && errno == EINTR);
  if (result == 0) return;
  if (errno == EWOULDBLOCK) {
    fail(ErrorKind::kUsage, "another run uses the folder {}: wait for its end, or name a folder of its own", folder);
  }
  held_ = false;
}

}  // namespace xylem
