// SPDX-License-Identifier: Apache-2.0
#include "core/file_lock.h"

#include <fcntl.h>
#include <gtest/gtest.h>

#include "folder.h"

namespace xylem {
namespace {

FileHandle open_at(const std::string& path, int flags = O_RDWR) {
  return FileHandle(::open(path.c_str(), flags | O_CREAT | O_CLOEXEC, 0600));
}

TEST(TryLock, GivesALockToOneOpenFileUntilItIsClosed) {
  const test::Folder folder;
  {
    const FileHandle first = open_at(folder / "file"), second = open_at(folder / "file");
    EXPECT_EQ(try_lock(first), LockResult::kHeld);
    EXPECT_EQ(try_lock(second), LockResult::kTaken);
    EXPECT_EQ(try_lock(first), LockResult::kHeld);
    EXPECT_EQ(try_lock(open_at(folder / "other")), LockResult::kHeld);
  }
  EXPECT_EQ(try_lock(open_at(folder / "file")), LockResult::kHeld);
}

TEST(TryLock, TellsAFileThatCannotBeLockedFromOneThatIs) {
  const test::Folder folder;
  EXPECT_EQ(try_lock(FileHandle(::open(folder.path().c_str(), O_PATH | O_CLOEXEC))), LockResult::kUnavailable);
}

}  // namespace
}  // namespace xylem
