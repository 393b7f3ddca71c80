// SPDX-License-Identifier: Apache-2.0
#include "core/folder_lock.h"

#include <fcntl.h>
#include <fmt/format.h>

#include "core/fail.h"
#include "core/file_lock.h"

namespace xylem {

FolderLock::FolderLock(const std::string& folder) {
  const std::string path = folder + "/lock";
  file_ = FileHandle(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666));
  if (file_.get() < 0) fail_io(fmt::format("cannot write {}", path));
  const LockResult result = try_lock(file_);
  if (result == LockResult::kTaken) {
    fail(ErrorKind::kUsage, "another run uses the folder {}: wait for its end, or name a folder of its own", folder);
  }
  held_ = result == LockResult::kHeld;
}

}  // namespace xylem
