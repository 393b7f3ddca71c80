// SPDX-License-Identifier: Apache-2.0
#include "data/lines.h"

#include "core/fail.h"
#include "core/text.h"
#include "data/chunks.h"

namespace xylem {

FileLines read_lines(const std::string& path) {
  LineBlocks blocks(path, Cuts().block_bytes);
  FileLines result{blocks.name(), {}};
  std::string block;
  while (blocks.next(block)) {
    for (std::string_view rest = block; !rest.empty();) {
      const std::size_t end = rest.find('\n');
      const std::string_view line = rest.substr(0, end);
      result.lines.push_back(line.ends_with('\r') ? line.substr(0, end - 1) : line);
      rest.remove_prefix(end + 1);
    }
  }
  TextList& lines = result.lines;
  while (lines.size() > 0 && lines[lines.size() - 1].empty()) lines.offsets.pop_back();
  return result;
}

std::string lines_text(const TextList& lines, std::string_view what) {
  std::string text;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (lines[i].empty() || lines[i].find_first_of("\t\r\n") != std::string_view::npos) {
      fail(ErrorKind::kData, "the {} {} is empty or has a TAB or a line break, which a file of names cannot hold", what,
           quote(lines[i]));
    }
    text.append(lines[i]) += '\n';
  }
  return text;
}

}  // namespace xylem
