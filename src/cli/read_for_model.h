// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>

#include "cli/session.h"
#include "xylem/sparse.h"
#include "xylem/tagger.h"
#include "xylem/text_list.h"

namespace xylem::cli {

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

enum class LabelsMatter { kNo, kYes };

// Rows at the begin of the input that an earlier run has done.
struct DoneRows {
  std::uint64_t rows = 0;
  std::uint64_t input_hash = 0;
};

// Reads rows or texts that a model is applied to, as rows for it, block by block: a line as soon as it is there if
// nobody has written more, large blocks if there is much. Calls `use` for blocks that have rows, on the threads of the
// session, and shows progress as that of `stage`. Warns of what the model never saw; of labels only if they matter.
// Returns all labels that have names, with those of texts that the model never saw behind its own. `done` rows are
// passed over; throws kUsage if the input begins with others.
AllLabels read_for_model(Session& session, const Tagger& tagger, const InputOptions& options,
                         LabelsMatter labels_matter, const char* stage, const UseModelRows& use,
                         const DoneRows& done = {});

}  // namespace xylem::cli
