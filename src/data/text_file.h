// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "data/chunks.h"
#include "data/rereadable.h"
#include "xylem/corpus.h"
#include "xylem/dataset.h"

namespace xylem {

// The texts of a file, read again each time somebody goes through them.
class TextFile final : public TextBlocks {
 public:
  // Reads all rows once, and keeps in rows() everything but their texts. `lines` have been opened by somebody who may
  // have looked at the first of them; `path` is where.
  TextFile(LineBlocks& lines, std::string path, const ReadOptions& options, const Run& run, const Cuts& cuts = {});

  // To be taken once.
  CorpusResult& rows() { return rows_; }

  std::size_t size() const override { return n_texts_; }
  void for_each(const std::function<void(const TextList& texts)>& use) const override;

 private:
  RereadableLines lines_;
  ReadOptions options_;
  Run run_;
  Cuts cuts_;
  CorpusResult rows_;
  std::size_t n_texts_ = 0;
};

}  // namespace xylem
