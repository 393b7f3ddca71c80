// SPDX-License-Identifier: Apache-2.0
// Files of predictions as the XML repository's tools have them: `rows labels`, then `label:score label:score` a row.
#pragma once

#include <cstddef>
#include <string>

#include "core/file.h"
#include "xylem/sparse.h"

namespace xylem {

struct Predictions {
  TopLabels top;
  std::size_t n_labels = 0;  // from the header; without one, as many as the largest label asks for
};

// Reads predictions, plain, gzip or zstd; "-" is standard input. The header may be missing; then each line is a row.
// Rows are sorted by score, equal scores in the order of the file. `first_label` is what the file calls the first
// label. Throws kIo, and kData with `file:line: found ..., expected ...`.
Predictions read_predictions(const std::string& path, Label first_label);

// Writes header and rows; the caller commits.
void write_predictions_xmlrepo(const TopLabels& top, std::size_t n_labels, Label first_label, OutputFile& file);

}  // namespace xylem
