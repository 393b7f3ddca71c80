// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "core/parallel.h"
#include "data/format.h"
#include "data/read_sparse.h"
#include "data/read_texts.h"
#include "data/text_file.h"
#include "xylem/input.h"

namespace xylem {

namespace {

template <class ReadTexts>
Input read(const std::string& path, const ReadOptions& options, const Run& run, const ReadTexts& read_texts) {
  check_input_format(options.format, input_formats());
  const Cuts cuts;
  LineBlocks lines(path, cuts.block_bytes, options.max_bytes);
  const ReadOptions known = with_known_format(lines, options);
  Input input;
  with_threads(run.threads, [&] {
    if (holds_sparse_rows(known.format)) {
      ReadResult result = read_sparse(lines, known, run, cuts.chunk_bytes);
      input = {std::move(result.data), std::move(result.report)};
    } else {
      input = read_texts(lines, options, cuts);  // "auto" finds the layout, too
    }
  });
  return input;
}

}  // namespace

Input read_input(const std::string& path, const ReadOptions& options, const Run& run) {
  return read(path, options, run, [&](LineBlocks& blocks, const ReadOptions& known, const Cuts& cuts) {
    CorpusResult result = read_texts(blocks, known, run, cuts.chunk_bytes);
    return Input{std::move(result.corpus), std::move(result.report)};
  });
}

Input open_input(const std::string& path, const ReadOptions& options, const Run& run) {
  return read(path, options, run, [&](LineBlocks& blocks, const ReadOptions& known, const Cuts& cuts) {
    auto texts = std::make_shared<TextFile>(blocks, path, known, run, cuts);
    CorpusResult rows = std::move(texts->rows());
    return Input{std::move(rows.corpus), std::move(rows.report), std::move(texts)};
  });
}

}  // namespace xylem
