// SPDX-License-Identifier: Apache-2.0
#include "core/file_lock.h"

#include <sys/file.h>

#include <cerrno>

namespace xylem {

LockResult try_lock(const FileHandle& file) {
  int result = 0;
  do {
    result = ::flock(file.get(), LOCK_EX | LOCK_NB);
  } while (result != 0 && errno == EINTR);
  if (result == 0) return LockResult::kHeld;
  return errno == EWOULDBLOCK ? LockResult::kTaken : LockResult::kUnavailable;
}

}  // namespace xylem
