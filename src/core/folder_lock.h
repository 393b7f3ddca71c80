// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/file.h"

namespace xylem {

// Keeps a folder for one run: while it lives, a second lock on the same folder fails, in this process or another. The
// system takes the lock back when the process ends, however it ends; the file that carries it, "lock", stays.
class FolderLock {
 public:
  // Throws kUsage if somebody else has the lock, kIo if the file cannot be made.
  explicit FolderLock(const std::string& folder);
  // False on a file system that has no locks.
  bool is_held() const { return held_; }

 private:
  FileHandle file_;
  bool held_ = false;
};

}  // namespace xylem
