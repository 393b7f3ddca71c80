// SPDX-License-Identifier: Apache-2.0
#include "model_file/mapping.h"

#include <sys/resource.h>

#include <fstream>

#include "unit/model_file/model_files.h"

namespace xylem {
namespace {

using MappingTest = ModelFiles;

ErrorKind kind_of_opening(const std::string& path) {
  try {
    ModelReader reader(path);
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find(path), std::string::npos) << error.what();
    return error.kind();
  }
  ADD_FAILURE() << "expected an Error";
  return ErrorKind::kOther;
}

TEST_F(MappingTest, FileIsSeenByteForByte) {
  const MappedFile file = map_file(put("abc"));
  load_pages(file, 0, file.size, path());
  EXPECT_EQ(std::string_view(file.bytes.get(), file.size), "abc");
}

TEST_F(MappingTest, MissingFileFolderAndDeviceCannotBeOpened) {
  EXPECT_EQ(kind_of_opening(path("missing")), ErrorKind::kIo);
  EXPECT_EQ(kind_of_opening(path(".")), ErrorKind::kIo);
  EXPECT_EQ(kind_of_opening("/dev/null"), ErrorKind::kIo);
}

TEST_F(MappingTest, FileThatMayNotBeReadCannotBeOpened) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may read everything";
  std::filesystem::permissions(put("abc"), std::filesystem::perms::none);
  EXPECT_EQ(kind_of_opening(path()), ErrorKind::kIo);
}

TEST_F(MappingTest, FileCutWhileMappedIsAnErrorAndNoSignal) {
  const MappedFile file = map_file(put(std::string(100'000, 'x')));
  std::filesystem::resize_file(path(), 10);
  try {
    load_pages(file, 0, file.size, path());
    FAIL() << "expected an Error";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kIo);
  }
}

TEST_F(MappingTest, FileLargerThanTheAddressSpaceLeftIsAnError) {
  constexpr std::uint64_t kGigabyte = std::uint64_t{1} << 30;
  put("");
  std::filesystem::resize_file(path(), 4 * kGigabyte);  // sparse
  std::uint64_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_AS, &before), 0);
  const rlimit small{pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE)) + kGigabyte, before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_AS, &small), 0);
  const ErrorKind kind = kind_of_opening(path());
  ::setrlimit(RLIMIT_AS, &before);
  EXPECT_EQ(kind, ErrorKind::kMemory);
}

}  // namespace
}  // namespace xylem
