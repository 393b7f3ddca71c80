// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "core/file.h"
#include "xylem/text_list.h"

namespace xylem {

struct FileLines {
  std::string file;  // what messages call it
  TextList lines;    // without their ends, and without the empty ones at the end of the file
};

// A whole file, plain, gzip or zstd; "-" is standard input. Throws kIo, and kData where the compression is damaged.
FileLines read_lines(const std::string& path);

// Writes one a line; the caller commits. Throws kData where one is empty or has a line break or a TAB, which files of
// names cannot hold; `what` they are is for the message.
void write_lines(const TextList& lines, std::string_view what, OutputFile& out);

}  // namespace xylem
