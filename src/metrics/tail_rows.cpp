// SPDX-License-Identifier: Apache-2.0
#include "metrics/tail_rows.h"

#include <algorithm>
#include <string>

#include "metrics/label_tallies.h"

namespace xylem {

TailRowList find_tail_rows(const LabelLists& truth, const TrainingCounts& counts) {
  TailRowList found;
  for (std::size_t i = 0; i < truth.size(); ++i) {
    if (truth[i].empty()) continue;
    std::uint32_t most = 0;
    for (const Label label : truth[i]) {
      if (label < counts.labels.size()) most = std::max(most, counts.labels[label]);
    }
    if (most > kTailTrainingRows) continue;
    found.rows.push_back(i);
    if (most == 0) ++found.rows_unseen;
  }
  return found;
}

RowFigures tail_figures(const RowFigures& all, const std::vector<std::size_t>& rows) {
  RowFigures chosen;
  chosen.n_rows = rows.size();
  std::vector<std::size_t> figures;
  for (std::size_t f = 0; f < all.names.size(); ++f) {
    const std::string& name = all.names[f];
    if (!name.starts_with("P@") && !name.starts_with("PSP@") && !name.starts_with("R@")) continue;
    figures.push_back(f);
    chosen.names.push_back(name);
  }
  chosen.parts.reserve(chosen.n_rows * chosen.n_parts());
  for (const std::size_t i : rows) {
    for (const std::size_t f : figures) {
      chosen.parts.insert(chosen.parts.end(), all.row(i) + 2 * f, all.row(i) + 2 * f + 2);
    }
  }
  return chosen;
}

}  // namespace xylem
