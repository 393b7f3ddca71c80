// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "xylem/corpus.h"

namespace xylem {

struct FileLines {
  std::string file;  // what messages call it
  TextList lines;    // without their ends, and without the empty ones at the end of the file
};

// A whole file, plain, gzip or zstd; "-" is standard input. Throws kIo, and kData where the compression is damaged.
FileLines read_lines(const std::string& path);

}  // namespace xylem
