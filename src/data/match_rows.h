// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include "xylem/text_list.h"

namespace xylem {

constexpr std::size_t kNoRow = std::numeric_limits<std::size_t>::max();

struct RowMatch {
  bool by_id = false;
  bool ids_on_one_side = false;     // so that rows are matched by position
  std::vector<std::size_t> row_of;  // for each row of the truth the row of the predictions, or kNoRow
  std::size_t missing = 0;          // rows of the truth without predictions
  std::size_t unknown = 0;          // predictions for documents that the truth does not have
};

// Matches the rows of `file` with those of the truth: by id if both sides have an id for every row, else by position.
// Throws kData if an id occurs twice, no id is known, or there are no ids and the numbers of rows differ.
RowMatch match_rows(const std::string& file, std::size_t n_predicted, const TextList& predicted_ids,
                    std::size_t n_truth, const TextList& truth_ids);

}  // namespace xylem
