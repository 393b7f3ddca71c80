// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "xylem/text_list.h"

namespace xylem {

struct FileLines {
  std::string file;  // what messages call it
  TextList lines;    // without their ends, and without the empty ones at the end of the file
};

// A whole file, plain, gzip or zstd; "-" is standard input. Throws kIo, and kData where the compression is damaged.
FileLines read_lines(const std::string& path);

// One per line. Throws kData if one is empty or has a line break or a TAB, which files of names cannot hold; `what`
// they are is for the message.
std::string lines_text(const TextList& lines, std::string_view what);

}  // namespace xylem
