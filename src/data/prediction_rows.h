// SPDX-License-Identifier: Apache-2.0
// Lines of predictions that have names for labels. They come without their ends, in UTF-8 without NUL bytes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "data/text_row.h"

namespace xylem {

struct PredictedRow {
  TextList labels;            // as in label_key.h
  std::vector<float> scores;  // as many, or none at all if the labels stand there without scores, best first
  std::string document_id;    // empty if the row has none

  void clear() {
    labels.clear();
    scores.clear();
    document_id.clear();
  }
};

// Both fill a row that is empty before, and throw BadRow.
void parse_fasttext_predictions(std::string_view line, PredictedRow& row);
// Labels are under "labels", or Annif's "results", "suggestions" or "subjects".
void parse_json_predictions(std::string_view line, PredictedRow& row);

}  // namespace xylem
