// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <string>

namespace xylem {

// A file in memory, read-only. It must not be cut while it is mapped: what then is read beyond its end is SIGBUS.
struct MappedFile {
  std::shared_ptr<const char> bytes;  // null for an empty file; unmapped when the last owner goes
  std::size_t size = 0;
};

// Throws kIo for what is missing, a folder, not permitted or no regular file, kMemory if there is no room for it.
MappedFile map_file(const std::string& path);

// Brings a part of the file into memory; `begin` is a multiple of the page size. Throws kIo where the disk cannot be
// read or the file has been cut meanwhile, either of which would be SIGBUS on touching the page.
void load_pages(const MappedFile& file, std::size_t begin, std::size_t size, const std::string& path);

}  // namespace xylem
