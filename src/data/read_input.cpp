// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include "core/parallel.h"
#include "data/format.h"
#include "data/read_sparse.h"
#include "data/read_texts.h"
#include "xylem/input.h"

namespace xylem {

Input read_input(const std::string& path, const ReadOptions& options, const Run& run) {
  check_input_format(options.format, input_formats());
  const Cuts cuts;
  LineBlocks blocks(path, cuts.block_bytes, options.max_bytes);
  ReadOptions known = options;
  if (options.format == "auto") known.format = detect_format(blocks.first_lines());
  if (known.format.empty()) fail_unknown_format(blocks, input_formats());

  Input input;
  const std::vector<std::string_view> sparse = dataset_formats();
  with_threads(run.threads, [&] {
    if (std::find(sparse.begin(), sparse.end(), known.format) != sparse.end()) {
      ReadResult result = read_sparse(blocks, known, run, cuts.chunk_bytes);
      input = {std::move(result.data), std::move(result.report)};
    } else {
      CorpusResult result = read_texts(blocks, known, run, cuts.chunk_bytes);
      input = {std::move(result.corpus), std::move(result.report)};
    }
  });
  return input;
}

}  // namespace xylem
