// SPDX-License-Identifier: Apache-2.0
#include "core/file.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <optional>

#include "core/fail.h"
#include "core/part_files.h"
#include "folder.h"
#include "xylem/error.h"

namespace xylem {
namespace {

using test::Folder;
using test::write_plain;

// The Error that `work` throws, if it does.
template <class Work>
std::optional<Error> error_of(Work work) {
  try {
    work();
  } catch (const Error& error) {
    return error;
  }
  return std::nullopt;
}

bool says(const std::optional<Error>& error, ErrorKind kind, const std::string& part) {
  return error && error->kind() == kind && std::string(error->what()).find(part) != std::string::npos;
}

TEST(OutputFile, AppearsOnlyAtCommit) {
  const Folder folder;
  OutputFile file(folder / "out", IfExists::kFail);
  file.write("hello ");
  EXPECT_FALSE(std::filesystem::exists(folder / "out"));
  file.write("world");
  file.commit();
  EXPECT_EQ(read_whole_file(folder / "out"), "hello world");
  EXPECT_EQ(folder.entries(), 1U);
}

TEST(OutputFile, LeavesNothingWithoutCommit) {
  const Folder folder;
  {
    OutputFile file(folder / "out", IfExists::kReplace);
    file.write(std::string(1'000'000, 'x'));
    EXPECT_EQ(folder.entries(), 1U);
  }
  EXPECT_EQ(folder.entries(), 0U);
}

TEST(OutputFile, LeavesTheOldFileWithoutCommit) {
  const Folder folder;
  write_plain(folder / "out", "old");
  { OutputFile(folder / "out", IfExists::kReplace).write("new"); }
  EXPECT_EQ(read_whole_file(folder / "out"), "old");
}

TEST(OutputFile, ReplacesWhenAskedTo) {
  const Folder folder;
  write_plain(folder / "out", "old and longer");
  OutputFile file(folder / "out", IfExists::kReplace);
  file.write("new");
  file.commit();
  EXPECT_EQ(read_whole_file(folder / "out"), "new");
  EXPECT_EQ(folder.entries(), 1U);
}

TEST(OutputFile, RefusesAFileThatExists) {
  const Folder folder;
  write_plain(folder / "out", "old");
  const auto error = error_of([&] { OutputFile(folder / "out", IfExists::kFail); });
  EXPECT_TRUE(says(error, ErrorKind::kUsage, "exists already"));
  EXPECT_EQ(folder.entries(), 1U);
}

TEST(OutputFile, RefusesAFileThatCameMeanwhile) {
  const Folder folder;
  {
    OutputFile file(folder / "out", IfExists::kFail);
    file.write("mine");
    write_plain(folder / "out", "theirs");
    EXPECT_TRUE(says(error_of([&] { file.commit(); }), ErrorKind::kUsage, "exists already"));
  }
  EXPECT_EQ(read_whole_file(folder / "out"), "theirs");
  EXPECT_EQ(folder.entries(), 1U);
}

TEST(OutputFile, KeepsBytesOfAnySizeInOrder) {
  const Folder folder;
  std::string expected;
  OutputFile file(folder / "out", IfExists::kFail);
  for (const std::size_t size : {1U, 0U, 300'000U, 262'143U, 1U, 262'144U, 262'145U, 1'000'000U, 7U}) {
    const std::string piece(size, static_cast<char>('a' + size % 26));
    file.write(piece);
    expected += piece;
  }
  file.commit();
  EXPECT_EQ(read_whole_file(folder / "out"), expected);
}

TEST(OutputFile, WritesAnEmptyFile) {
  const Folder folder;
  OutputFile(folder / "out", IfExists::kFail).commit();
  EXPECT_EQ(read_whole_file(folder / "out"), "");
}

TEST(OutputFile, SaysWhenTheDiskIsFull) {
  const auto at_commit = error_of([] {
    OutputFile file("/dev/full", IfExists::kReplace);
    file.write("x");
    file.commit();
  });
  EXPECT_TRUE(says(at_commit, ErrorKind::kIo, "/dev/full"));
  const auto at_write = error_of([] { OutputFile("/dev/full", IfExists::kFail).write(std::string(1'000'000, 'x')); });
  EXPECT_TRUE(says(at_write, ErrorKind::kIo, "/dev/full"));
}

TEST(OutputFile, RefusesFolders) {
  const Folder folder;
  EXPECT_TRUE(says(error_of([&] { OutputFile(folder.path(), IfExists::kReplace); }), ErrorKind::kIo, "it is a folder"));
  const auto no_folder = error_of([&] { OutputFile(folder / "none/out", IfExists::kReplace); });
  EXPECT_TRUE(says(no_folder, ErrorKind::kIo, "none/out"));
}

TEST(OutputFile, WritesThroughALink) {
  const Folder folder;
  std::filesystem::create_symlink("target", folder / "out");
  for (const std::string content : {"new", "newer"}) {  // first there is no such file
    OutputFile file(folder / "out", IfExists::kReplace);
    file.write(content);
    file.commit();
    EXPECT_TRUE(std::filesystem::is_symlink(folder / "out"));
    EXPECT_EQ(read_whole_file(folder / "target"), content);
  }
  EXPECT_TRUE(
      says(error_of([&] { OutputFile(folder / "out", IfExists::kFail); }), ErrorKind::kUsage, "exists already"));
}

TEST(OutputFile, KeepsThePermissionsOfWhatItReplaces) {
  const Folder folder;
  using std::filesystem::perms;
  write_plain(folder / "out", "old");
  for (const perms mode : {perms::owner_read | perms::owner_write, perms::owner_all | perms::group_read}) {
    std::filesystem::permissions(folder / "out", mode);
    OutputFile(folder / "out", IfExists::kReplace).commit();
    EXPECT_EQ(std::filesystem::status(folder / "out").permissions(), mode);
  }
}

TEST(PartFiles, AreRemovedByWhoeverEndsTheProgram) {
  const Folder folder;
  const auto end = [&] {
    OutputFile out(folder / "out", IfExists::kFail);
    OutputFile more(folder / "more", IfExists::kFail);
    OutputFile(folder / "done", IfExists::kFail).commit();
    remove_part_files();
    std::_Exit(7);
  };
  EXPECT_EXIT(end(), ::testing::ExitedWithCode(7), "");
  EXPECT_EQ(folder.entries(), 1U);
}

TEST(OutputFile, SaysWhenAFolderTookItsName) {
  const Folder folder;
  OutputFile file(folder / "out", IfExists::kReplace);
  std::filesystem::create_directory(folder / "out");
  EXPECT_TRUE(says(error_of([&] { file.commit(); }), ErrorKind::kIo, "cannot write"));
}

TEST(ReadWholeFile, ReadsEveryByte) {
  const Folder folder;
  for (const std::size_t size : {0U, 1U, 262'143U, 262'144U, 262'145U, 600'000U}) {
    std::string bytes(size, '\0');
    for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<char>(i * 31);
    write_plain(folder / "in", bytes);
    EXPECT_EQ(read_whole_file(folder / "in"), bytes) << size;
  }
}

TEST(ReadWholeFile, SaysWhatIsMissingOrAFolder) {
  const Folder folder;
  EXPECT_TRUE(says(error_of([&] { read_whole_file(folder / "none"); }), ErrorKind::kIo, "cannot open"));
  EXPECT_TRUE(says(error_of([&] { read_whole_file(folder.path()); }), ErrorKind::kIo, "it is a folder"));
}

TEST(ReadBytes, GivesFewerOnlyAtTheEnd) {
  const Folder folder;
  write_plain(folder / "in", "abcdef");
  const FileHandle file = open_for_reading(folder / "in");
  char buffer[4];
  EXPECT_EQ(read_bytes(file, buffer, 4, "in"), 4U);
  EXPECT_EQ(std::string_view(buffer, 4), "abcd");
  EXPECT_EQ(read_bytes(file, buffer, 4, "in"), 2U);
  EXPECT_EQ(read_bytes(file, buffer, 4, "in"), 0U);
}

TEST(ReadBytes, SaysWhenReadingFails) {
  char buffer[4];
  EXPECT_TRUE(says(error_of([&] { read_bytes(FileHandle(), buffer, 4, "in"); }), ErrorKind::kIo, "cannot read in"));
}

TEST(FileHandle, HandsItsFileOverWhenMoved) {
  const Folder folder;
  write_plain(folder / "in", "abc");
  FileHandle first = open_for_reading(folder / "in");
  const int descriptor = first.get();
  FileHandle second(std::move(first));
  EXPECT_EQ(second.get(), descriptor);
  FileHandle third;
  third = std::move(second);
  EXPECT_EQ(third.get(), descriptor);
  third.close("in");
  EXPECT_EQ(third.get(), -1);
  EXPECT_TRUE(says(error_of([&] { third.close("in"); }), ErrorKind::kIo, "in"));
}

TEST(FailIo, AddsTheSystemsWords) {
  errno = ENOENT;
  EXPECT_TRUE(says(error_of([] { fail_io("cannot read x"); }), ErrorKind::kIo, "cannot read x: No such file"));
  errno = ENOMEM;
  EXPECT_TRUE(says(error_of([] { fail_io("cannot map x"); }), ErrorKind::kMemory, "cannot map x: Cannot allocate"));
}

}  // namespace
}  // namespace xylem
