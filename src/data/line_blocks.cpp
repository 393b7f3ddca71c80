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

}  // namespace

LineBlocks::LineBlocks(const std::string& path, std::size_t block_bytes, std::size_t max_bytes)
    : source_(path), block_bytes_(block_bytes), next_bytes_(std::min(block_bytes, kFirstBytes)), max_bytes_(max_bytes) {
  rest_.resize(kByteOrderMark.size());
  rest_.resize(source_.read(rest_.data(), rest_.size()));
  if (rest_ == kByteOrderMark) rest_.clear();
}

const std::string& LineBlocks::first_lines() {
  if (first_.empty()) read_block(first_);
  return first_;
}

bool LineBlocks::next(std::string& block) {
  if (first_.empty()) return read_block(block);
  block = std::move(first_);
  first_.clear();
  return true;
}

bool LineBlocks::read_block(std::string& block) {
  if (at_end_) return false;
  std::size_t filled = rest_.size();
  // `block` usually has about this size already: only what the last cut took off is written with zeros.
  block.resize(std::max(next_bytes_, filled + 1));
  next_bytes_ = std::min(kGrowth * next_bytes_, block_bytes_);
  std::copy(rest_.begin(), rest_.end(), block.begin());
  while (true) {
    filled += source_.read(block.data() + filled, block.size() - filled);
    if (filled < block.size()) break;
    const std::size_t last_newline = block.rfind('\n');
    if (last_newline != std::string::npos) {
      rest_.assign(block, last_newline + 1);
      block.resize(last_newline + 1);
      return true;
    }
    if (block.size() > max_bytes_ / 2) {
      fail(ErrorKind::kMemory, "{}: a line of more than {} needs more memory than the {} allowed", name(),
           format_bytes(block.size()), format_bytes(max_bytes_));
    }
    block.resize(2 * block.size());
  }
  at_end_ = true;
  block.resize(filled);
  if (!block.empty() && block.back() != '\n') block += '\n';
  return !block.empty();
}

}  // namespace xylem
