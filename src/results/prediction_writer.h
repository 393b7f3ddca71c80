// SPDX-License-Identifier: Apache-2.0
// Predictions as lines of prediction_formats(), a block of rows at a time.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "xylem/tagger.h"

namespace xylem {

class PredictionWriter {
 public:
  // `format` is one of prediction_formats(); the tagger must outlive the writer. Throws kData if the format cannot hold
  // a label of the tagger.
  PredictionWriter(std::string_view format, const Tagger& tagger);

  // What stands before the first of `n_rows` rows: the counts of rows and labels in xmlrepo, nothing in others.
  std::string header(std::size_t n_rows) const;
  // Appends a line for each row. `document_ids` has one for each row, empty for a row without, or none at all.
  void append(const TopLabels& top, const TextList& document_ids, std::string& out) const;

 private:
  void append_jsonl(const TopLabels& top, std::size_t row, const TextList& document_ids, std::string& out) const;
  void append_fasttext(const TopLabels& top, std::size_t row, std::string& out) const;

  std::string_view format_;
  const Tagger& tagger_;
};

}  // namespace xylem
