// SPDX-License-Identifier: Apache-2.0
#include "data/line_blocks.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "core/fail.h"
#include "core/text.h"

namespace xylem {
namespace {

constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
constexpr std::size_t kFirstBytes = std::size_t{1} << 16;
constexpr std::size_t kGrowth = 4;

// Where the first line with something in it ends, its '\n' included; 0 if there is none.
std::size_t filled_line_end(std::string_view text) {
  return text.find('\n', std::min(text.find_first_not_of(" \t\r\n"), text.size())) + 1;
}

}  // namespace

LineBlocks::LineBlocks(const std::string& path, std::size_t block_bytes, std::size_t max_bytes, Waiting waiting)
    : LineBlocks(ByteSource(path), block_bytes, max_bytes, waiting) {}

LineBlocks::LineBlocks(ByteSource source, std::size_t block_bytes, std::size_t max_bytes, Waiting waiting)
    : source_(std::move(source)),
      block_bytes_(block_bytes),
      next_bytes_(std::min(block_bytes, kFirstBytes)),
      max_bytes_(max_bytes),
      waiting_(waiting) {
  skip_byte_order_mark();
}

void LineBlocks::skip_byte_order_mark() {
  char next = 0;
  while (rest_.size() < kByteOrderMark.size() && kByteOrderMark.starts_with(rest_) && source_.read(&next, 1) == 1) {
    rest_ += next;
  }
  if (rest_ == kByteOrderMark) rest_.clear();
}

std::string_view LineBlocks::first_lines() {
  if (!has_first_lines_) read_first(waiting_);
  has_first_lines_ = true;
  return std::string_view(first_).substr(0, first_.rfind('\n') + 1);
}

std::string_view LineBlocks::first_line() {
  if (waiting_ != Waiting::kForAHeader) return {};
  read_first(Waiting::kForALine);
  return std::string_view(first_).substr(0, filled_line_end(first_));
}

void LineBlocks::read_first(Waiting waiting) {
  first_.insert(0, rest_);
  rest_.clear();
  bool has_line = first_.find('\n', 1) != std::string::npos;
  for (std::size_t size = std::max(kFirstBytes, first_.size()); true;) {
    const std::size_t filled = first_.size();
    if (filled == size && has_line) return;
    if (filled == size) {
      if (size > max_bytes_ / 2) fail_long_line(size);
      size *= 2;
    }
    if (waiting == Waiting::kForALine && filled_line_end(first_) > 0 && source_.waits()) return;
    first_.resize(size);
    const std::size_t n = source_.read_some(first_.data() + filled, size - filled);
    first_.resize(filled + n);
    if (n == 0) break;
    has_line = has_line || first_.find('\n', filled) != std::string::npos;
  }
  if (!first_.empty() && first_.back() != '\n') first_ += '\n';
}

void LineBlocks::fail_long_line(std::size_t size) const {
  fail(ErrorKind::kMemory, "{}: a line of more than {} needs more memory than the {} allowed", name(),
       format_bytes(size), format_bytes(max_bytes_));
}

bool LineBlocks::next(std::string& block) {
  fill(true);
  if (!complete_) return false;
  if (source_.bytes_in_all() > 0) {
    share_ = static_cast<double>(source_.bytes_taken()) / static_cast<double>(source_.bytes_in_all());
  }
  rest_.assign(block_, lines_end_, filled_ - lines_end_);
  block_.resize(lines_end_);
  block.swap(block_);
  begun_ = complete_ = false;
  note_given(block);
  return true;
}

void LineBlocks::note_given(const std::string& block) {
  hasher_.add(block);
  if (copy_ != nullptr) write_bytes(*copy_, block, temporary_name());
}

void LineBlocks::prefetch() {
  fill(waiting_ == Waiting::kForFullBlocks);
}

void LineBlocks::fill(bool may_wait) {
  if (complete_) return;
  if (!begun_) begin_block();
  while (!at_end_) {
    if (filled_ == block_.size()) {
      complete_ = lines_end_ > 0;
      if (complete_) return;
      if (block_.size() > max_bytes_ / 2) fail_long_line(block_.size());
      block_.resize(2 * block_.size());
    }
    if (waiting_ != Waiting::kForFullBlocks && first_.empty() && source_.waits()) {
      complete_ = may_wait && lines_end_ > 0;
      if (complete_ || !may_wait) return;
    }
    read_some();
  }
  end_file();
}

void LineBlocks::begin_block() {
  begun_ = true;
  filled_ = rest_.size();
  lines_end_ = 0;
  // The string usually has about this size already: only what the last cut took off is written with zeros.
  block_.resize(std::max(next_bytes_, filled_ + 1));
  next_bytes_ = std::min(kGrowth * next_bytes_, block_bytes_);
  std::copy(rest_.begin(), rest_.end(), block_.begin());
  rest_.clear();
}

// What first_lines() has read comes first.
void LineBlocks::read_some() {
  char* const output = block_.data() + filled_;
  const std::size_t room = block_.size() - filled_;
  const std::size_t n = first_.empty() ? source_.read_some(output, room) : first_.copy(output, room, n_taken_);
  if (!first_.empty()) n_taken_ += n;
  if (n_taken_ == first_.size()) {
    std::string().swap(first_);
    n_taken_ = 0;
  }
  const std::size_t newline = std::string_view(block_.data() + filled_, n).rfind('\n');
  if (newline != std::string_view::npos) lines_end_ = filled_ + newline + 1;
  filled_ += n;
  at_end_ = n == 0;
}

void LineBlocks::end_file() {
  block_.resize(filled_);
  if (lines_end_ < filled_) block_ += '\n';
  lines_end_ = filled_ = block_.size();
  complete_ = filled_ > 0;
}

}  // namespace xylem
