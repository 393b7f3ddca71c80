// SPDX-License-Identifier: Apache-2.0
#include "data/chunks.h"

#include <algorithm>
#include <string>

#include "core/fail.h"
#include "core/parallel.h"
#include "core/text.h"

namespace xylem {

void for_each_block(LineBlocks& blocks, const Run& run, const std::function<void(std::string& lines)>& use) {
  std::string block;
  while (blocks.next(block)) {
    run.check();
    TaskGroup reading;
    reading.run([&] { blocks.prefetch(); });
    run_tasks([&](TaskGroup&) { use(block); });  // no thread of these tasks waits for somebody who types
    reading.wait();
  }
}

std::vector<std::string_view> cut_chunks(std::string_view lines, std::size_t chunk_bytes) {
  std::vector<std::string_view> chunks;
  while (!lines.empty()) {
    const std::size_t newline = lines.find('\n', std::min(chunk_bytes, lines.size()) - 1);
    chunks.push_back(lines.substr(0, newline + 1));
    lines.remove_prefix(newline + 1);
  }
  return chunks;
}

void report_rows(const Run& run, const LineBlocks& blocks, std::size_t done, std::size_t total) {
  Progress state;
  state.stage = "read";
  state.unit = "rows";
  state.done = done;
  state.total = total;
  state.share = blocks.share();
  run.progress(state);
}

void check_memory(const LineBlocks& blocks, std::size_t n_rows, std::size_t held, std::size_t allowed) {
  if (held <= allowed) return;
  fail(ErrorKind::kMemory, "{}: {} rows already take {} of memory, {} are allowed", blocks.name(), n_rows,
       format_bytes(held), format_bytes(allowed));
}

}  // namespace xylem
