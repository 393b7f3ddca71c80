// SPDX-License-Identifier: Apache-2.0
// Files of rows or texts that a tagger is applied to, as rows for it, block by block.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "xylem/dataset.h"
#include "xylem/run.h"
#include "xylem/sparse.h"
#include "xylem/tagger.h"
#include "xylem/text_list.h"

namespace xylem {

// A block of rows that a model is applied to.
struct ModelRows {
  SparseMatrix features;
  LabelLists labels;             // as the model numbers them, if they matter
  TextList document_ids;         // as in Corpus
  TextList texts;                // of a model for texts
  std::uint64_t input_hash = 0;  // of all of the input up to here
  std::size_t rows_in_all = 0;   // of the input, if it says so; otherwise 0

  std::size_t size() const { return features.size(); }
};
using UseModelRows = std::function<void(const ModelRows& block)>;

// One for each label, or none at all.
struct AllLabels {
  TextList names, ids;
};

// What the reading of one file has to report.
struct FileReport {
  const std::string& path;
  const ReadReport& read;
  // Of sparse rows:
  std::size_t unknown_features = 0;  // values of features that the model never saw
  std::size_t unknown_labels = 0;    // the same of labels, if they matter
};

struct ModelInput {
  std::vector<std::string> paths;  // "-" is standard input
  // Says whether labels matter. Without first_ids, they are those of the model.
  ReadOptions options;
  // After each file.
  std::function<void(const FileReport&)> on_report = {};
  // Whether to pass over a block of so many rows; the hash is of all of the input up to its end.
  std::function<bool(std::size_t n_rows, std::uint64_t input_hash)> passes_over = {};
};

// Throws kUsage if `format`, as --input-format names it, has sparse rows and the tagger takes texts, or the reverse.
void check_format(const Tagger& tagger, std::string_view format);

// Reads a line as soon as it is there if nobody has written more, large blocks if there is much; on standard input of a
// tagger that takes texts a line is a text, unless it is JSON or a format is named. Calls `use` for blocks that have
// rows, on the threads of the run. Returns all labels that have names, with those of texts that the tagger never saw
// behind its own. Throws as the readers do, and as check_format().
AllLabels read_model_rows(const Tagger& tagger, const ModelInput& input, const UseModelRows& use, const Run& run);

}  // namespace xylem
