// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

#include "data/chunks.h"
#include "xylem/corpus.h"

namespace xylem {

// read_corpus of a file that is open already, in the caller's arena; options.format is "auto" or one of text_formats().
CorpusResult read_texts(LineBlocks& blocks, const ReadOptions& options, const Run& run, std::size_t chunk_bytes);
// read_corpus with other cuts, in the caller's arena.
CorpusResult read_texts(const std::string& path, const ReadOptions& options, const Run& run, const Cuts& cuts = {});

// Throws kUsage where a character cannot stand between labels.
void check_label_separator(char separator);

}  // namespace xylem
