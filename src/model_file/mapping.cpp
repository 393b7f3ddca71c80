// SPDX-License-Identifier: Apache-2.0
#include "model_file/mapping.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <cerrno>

#include "core/fail.h"
#include "core/file.h"

namespace xylem {

MappedFile map_file(const std::string& path) {
  const FileHandle file = open_for_reading(path);
  struct stat status {};
  if (::fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode)) {
    fail(ErrorKind::kIo, "cannot map {}: it is no regular file", path);
  }
  const auto size = static_cast<std::size_t>(status.st_size);
  if (size == 0) return {};
  void* address = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.get(), 0);
  if (address == MAP_FAILED) fail_io(fmt::format("cannot map {}", path));
  return {
      {static_cast<const char*>(address), [size](const char* mapped) { ::munmap(const_cast<char*>(mapped), size); }},
      size};
}

void load_pages(const MappedFile& file, std::size_t begin, std::size_t size, const std::string& path) {
  char* address = const_cast<char*>(file.bytes.get()) + begin;
  int result = 0;
  do {
    result = ::madvise(address, size, MADV_POPULATE_READ);
  } while (result != 0 && errno == EINTR);
  // Kernels before 5.14 do not know the advice; there pages come when they are touched.
  if (result != 0 && errno != EINVAL) fail_io(fmt::format("cannot read {}", path));
}

}  // namespace xylem
