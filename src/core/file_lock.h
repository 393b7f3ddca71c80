// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/file.h"

namespace xylem {

enum class LockResult {
  kHeld,
  kTaken,        // by another open file, of this process or another
  kUnavailable,  // the file system has no locks, or the system has none left
};

// An exclusive advisory lock on an open file, without waiting for it. The system releases it when the file is closed,
// however the process ends. NFS needs a file that is open for writing.
LockResult try_lock(const FileHandle& file);

}  // namespace xylem
