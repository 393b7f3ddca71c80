// SPDX-License-Identifier: Apache-2.0
#include "data/rereadable.h"

#include <fmt/format.h>
#include <unistd.h>

#include <utility>

#include "core/fail.h"

namespace xylem {

RereadableLines::RereadableLines(LineBlocks& lines, std::string path)
    : first_(&lines), path_(std::move(path)), name_(lines.name()) {
  if (can_be_read_again(path_)) return;
  copy_ = open_temporary();
  lines.copy_to(copy_);
}

void RereadableLines::first_reading_is_over() {
  file_bytes_ = first_->file_bytes();
  hash_ = first_->hash();
  first_ = nullptr;
}

LineBlocks RereadableLines::open(std::size_t block_bytes, std::size_t max_bytes) const {
  if (copy_.get() < 0) {
    return LineBlocks(ByteSource(open_for_reading(path_), name_, file_bytes_), block_bytes, max_bytes);
  }
  if (::lseek(copy_.get(), 0, SEEK_SET) != 0) fail_io(fmt::format("cannot read {}", temporary_name()));
  return LineBlocks(ByteSource(FileHandle(::dup(copy_.get())), name_), block_bytes, max_bytes);
}

void RereadableLines::check_same(const LineBlocks& lines) const {
  if (lines.hash() == hash_) return;
  fail(ErrorKind::kData, "{}: the file has changed while it was read; run again once it is no longer being written",
       name_);
}

}  // namespace xylem
