// SPDX-License-Identifier: Apache-2.0
#include "data/match_rows.h"

#include <algorithm>
#include <numeric>

#include "core/fail.h"
#include "core/text.h"
#include "data/name_table.h"

namespace xylem {
namespace {

bool one_for_each(const TextList& ids, std::size_t n_rows) {
  if (ids.size() != n_rows || n_rows == 0) return false;
  return std::adjacent_find(ids.offsets.begin(), ids.offsets.end()) == ids.offsets.end();  // none is empty
}

// Numbered as the rows are.
NameTable table_of(const TextList& ids, const std::string& rows) {
  NameTable table;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (table.number(ids[i]) == i) continue;
    fail(ErrorKind::kData, "{}: found the document id {} twice, expected it once: rows are matched by these ids", rows,
         quote_name(ids[i]));
  }
  return table;
}

RowMatch match_by_id(const std::string& file, const TextList& predicted_ids, const TextList& truth_ids) {
  const NameTable predicted = table_of(predicted_ids, file);
  table_of(truth_ids, "the test rows");
  RowMatch match;
  match.by_id = true;
  for (std::size_t row = 0; row < truth_ids.size(); ++row) {
    const auto found = predicted.find(truth_ids[row]);
    match.row_of.push_back(found ? *found : kNoRow);
    match.missing += found ? 0 : 1;
  }
  match.unknown = predicted_ids.size() - (truth_ids.size() - match.missing);
  if (match.missing == truth_ids.size()) {
    fail(ErrorKind::kData,
         "{}: none of its document ids is that of a test row: found ids like {}, expected ids like {}", file,
         quote_name(predicted_ids[0]), quote_name(truth_ids[0]));
  }
  return match;
}

}  // namespace

RowMatch match_rows(const std::string& file, std::size_t n_predicted, const TextList& predicted_ids,
                    std::size_t n_truth, const TextList& truth_ids) {
  const bool predicted = one_for_each(predicted_ids, n_predicted), known = one_for_each(truth_ids, n_truth);
  const bool ids = predicted && known;
  if (ids && predicted_ids != truth_ids) return match_by_id(file, predicted_ids, truth_ids);
  if (n_predicted != n_truth) {
    fail(ErrorKind::kData,
         "{}: found predictions for {} rows, expected {}, as many as there are test rows; rows are matched by position "
         "unless every row has a document id, in the predictions and in the test rows",
         file, n_predicted, n_truth);
  }
  RowMatch match;
  match.by_id = ids;
  match.ids_on_one_side = predicted != known;
  match.row_of.resize(n_truth);
  std::iota(match.row_of.begin(), match.row_of.end(), std::size_t{0});
  return match;
}

}  // namespace xylem
