// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "data/chunks.h"
#include "data/name_table.h"
#include "xylem/corpus.h"

namespace xylem {

// Gets the rows of a file as they are read, block by block. Rows that it leaves in `rows` stay there, and the next ones
// come behind them; labels are numbered by the reader's table of names.
using UseTexts = std::function<void(Corpus& rows)>;

// Reads a file that is open already, in the caller's arena; options.format is "auto" or one of text_formats(). `names`
// numbers its labels, as in label_key.h, behind those of files before it; without it rows come without labels. The
// result has the rows that `use` left, without names.
CorpusResult read_text_blocks(LineBlocks& blocks, const ReadOptions& options, const Run& run, std::size_t chunk_bytes,
                              NameTable* names, const UseTexts& use);
// read_corpus of such a file.
CorpusResult read_texts(LineBlocks& blocks, const ReadOptions& options, const Run& run, std::size_t chunk_bytes);
// read_corpus with other cuts, in the caller's arena.
CorpusResult read_texts(const std::string& path, const ReadOptions& options, const Run& run, const Cuts& cuts = {});

}  // namespace xylem
