// SPDX-License-Identifier: Apache-2.0
// Files of predictions, ours and those of other programs:
//   xmlrepo   `label:score label:score` per row with numbers for labels, as the XML repository's tools have it; a first
//             line `rows labels` may be missing
//   jsonl     {"id": ..., "labels": [{"label": ..., "id": ..., "score": ...}, ...]} per row, as `xylem predict` and
//             Annif write it; labels may also be strings or numbers by themselves, best first
//   fasttext  `__label__a 0.9 __label__b 0.1` per row, or the labels alone, best first
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "xylem/sparse.h"
#include "xylem/text_list.h"

namespace xylem {

std::vector<std::string_view> prediction_formats();

struct PredictionOptions {
  std::string format = "auto";       // or one of prediction_formats(); auto: the first line that is not blank decides
  std::optional<Label> first_label;  // xmlrepo: what the file calls the first label; then labels are counted from it
};

struct Predictions {
  std::string file;          // what messages call it
  std::string format;        // one of prediction_formats()
  TopLabels top;             // labels are places in label_keys; of xmlrepo numbers
  TextList label_keys;       // as in label_key.h; of xmlrepo none
  TextList document_ids;     // one for each row; none at all if a row has none
  std::size_t n_labels = 0;  // xmlrepo: from the header; without one, as many as the largest label asks for
  std::string names_option = "--label-names";  // for messages: has names for labels that are numbers
  bool scored = true;                          // false: no label has a score, and those in `top` only fall
};

// Reads predictions, plain, gzip or zstd; "-" is standard input. Rows are sorted by score, equal scores in the order of
// the file. In xmlrepo the same label twice in a row is an error; names may be shared by labels. Throws kIo, and kData
// with `file:line: found ..., expected ...`.
Predictions read_predictions(const std::string& path, const PredictionOptions& options = {});

std::string xmlrepo_header(std::size_t n_rows, std::size_t n_labels);
// Appends one row of `top` as a line.
void append_xmlrepo_row(const TopLabels& top, std::size_t row, Label first_label, std::string& out);

}  // namespace xylem
