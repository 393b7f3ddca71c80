// SPDX-License-Identifier: Apache-2.0
#include "core/checkpoints.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <vector>

#include "core/file.h"
#include "folder.h"
#include "xylem/error.h"

namespace xylem {
namespace {

using test::Folder;
using test::write_plain;

TEST(FolderCheckpoints, ReadsBackWhatWasWritten) {
  const Folder folder;
  const std::string bytes("\0binary\xff\n", 9);
  {
    FolderCheckpoints checkpoints(folder / "a/b");
    checkpoints.write("tree-1", bytes);
    checkpoints.write("empty", "");
    EXPECT_EQ(checkpoints.read("tree-1"), bytes);
    EXPECT_EQ(checkpoints.read("empty"), "");
  }
  EXPECT_EQ(FolderCheckpoints(folder / "a/b").read("tree-1"), bytes);
}

TEST(FolderCheckpoints, KeepsTheLastOfAName) {
  const Folder folder;
  FolderCheckpoints checkpoints(folder.path());
  checkpoints.write("epoch", "one");
  checkpoints.write("epoch", "two");
  EXPECT_EQ(checkpoints.read("epoch"), "two");
}

TEST(FolderCheckpoints, HasNothingUnderAnUnknownName) {
  const Folder folder;
  EXPECT_FALSE(FolderCheckpoints(folder.path()).read("none"));
}

TEST(FolderCheckpoints, TakesWhatIsCutForNotThere) {
  const Folder folder;
  FolderCheckpoints checkpoints(folder.path());
  checkpoints.write("x", "0123456789");
  const std::string path = folder / "x.checkpoint";
  const std::string whole = read_whole_file(path);
  for (std::size_t size = 0; size < whole.size(); ++size) {
    write_plain(path, whole.substr(0, size));
    EXPECT_FALSE(checkpoints.read("x")) << size;
  }
}

TEST(FolderCheckpoints, TakesWhatIsDamagedForNotThere) {
  const Folder folder;
  FolderCheckpoints checkpoints(folder.path());
  checkpoints.write("x", "0123456789");
  const std::string path = folder / "x.checkpoint";
  const std::string whole = read_whole_file(path);
  for (std::size_t i = 0; i < whole.size(); ++i) {
    std::string damaged = whole;
    damaged[i] = static_cast<char>(damaged[i] ^ 1);
    write_plain(path, damaged);
    EXPECT_FALSE(checkpoints.read("x")) << i;
  }
  write_plain(path, whole + "x");
  EXPECT_FALSE(checkpoints.read("x"));
  write_plain(path, whole);
  EXPECT_TRUE(checkpoints.read("x"));
}

TEST(FolderCheckpoints, SaysWhatIsDamaged) {
  const Folder folder;
  std::vector<std::string> said;
  FolderCheckpoints checkpoints(folder.path(), [&](const std::string& sentence) { said.push_back(sentence); });
  checkpoints.write("x", "0123456789");
  EXPECT_TRUE(checkpoints.read("x"));
  EXPECT_FALSE(checkpoints.read("y"));
  EXPECT_TRUE(said.empty());
  write_plain(folder / "x.checkpoint", "0123456789");
  EXPECT_FALSE(checkpoints.read("x"));
  ASSERT_EQ(said.size(), 1u);
  EXPECT_TRUE(said[0].starts_with(folder / "x.checkpoint is damaged")) << said[0];
}

TEST(FolderCheckpoints, AreOfOneRunAtATime) {
  const Folder folder;
  const auto open = [&] { FolderCheckpoints(folder.path()); };
  {
    const FolderCheckpoints first(folder.path());
    write_plain(folder / "y.checkpoint.part-12", "half");  // the first is writing it
    try {
      open();
      FAIL() << "two runs in one folder";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kUsage);
    }
    EXPECT_TRUE(std::filesystem::exists(folder / "y.checkpoint.part-12"));
  }
  open();
  EXPECT_FALSE(std::filesystem::exists(folder / "y.checkpoint.part-12"));
}

TEST(FolderCheckpoints, RemovesWhatWasLeftHalfWrittenAndForgetsAllWhenTold) {
  const Folder folder;
  FolderCheckpoints(folder.path()).write("x", "1");
  write_plain(folder / "y.checkpoint.part-12", "half");
  write_plain(folder / "other.txt", "not ours");
  FolderCheckpoints checkpoints(folder.path());
  EXPECT_EQ(folder.entries(), 3u);  // and the lock
  EXPECT_TRUE(checkpoints.read("x"));
  checkpoints.clear();
  EXPECT_EQ(folder.entries(), 2u);
  EXPECT_FALSE(checkpoints.read("x"));
}

TEST(FolderCheckpoints, SaysWhenItsFolderCannotBeCleared) {
  Folder folder;
  FolderCheckpoints checkpoints(folder / "gone");
  std::filesystem::remove_all(folder / "gone");
  try {
    checkpoints.clear();
    FAIL() << "there is no folder";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kIo);
  }
}

TEST(ScopedCheckpoints, HaveNothingOfAnotherScope) {
  const Folder folder;
  FolderCheckpoints all(folder.path());
  ScopedCheckpoints one(all, "one"), longer(all, "one more");
  one.write("x", "1");
  EXPECT_EQ(one.read("x"), "1");
  EXPECT_EQ(ScopedCheckpoints(all, "one").read("x"), "1");
  EXPECT_FALSE(longer.read("x"));
  EXPECT_FALSE(one.read("y"));
  longer.write("x", "");
  EXPECT_EQ(longer.read("x"), "");
  EXPECT_FALSE(one.read("x"));
}

TEST(FolderCheckpoints, SaysWhenItsFolderCannotBeMade) {
  const Folder folder;
  write_plain(folder / "file", "");
  try {
    FolderCheckpoints(folder / "file/inside");
    FAIL() << "a file is no folder";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kIo);
  }
}

TEST(FolderCheckpoints, SaysWhenANameCannotBeLookedUp) {
  const Folder folder;
  const FolderCheckpoints checkpoints(folder.path());
  try {
    checkpoints.read(std::string(1000, 'x'));
    FAIL() << "no file has such a name";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kIo);
  }
}

}  // namespace
}  // namespace xylem
