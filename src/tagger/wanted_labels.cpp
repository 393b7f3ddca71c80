// SPDX-License-Identifier: Apache-2.0
#include "tagger/wanted_labels.h"

#include <algorithm>

namespace xylem {
namespace {

// All labels of all rows of a block would take gigabytes. So many rows still keep all threads busy.
constexpr std::size_t kFewestRows = 1024;
constexpr std::size_t kMostCandidates = std::size_t{1} << 22;

void keep_wanted(const TopLabels& all, const WantedLabels& wanted, TopLabels& kept) {
  const auto threshold = static_cast<float>(*wanted.threshold);
  for (std::size_t row = 0; row < all.size(); ++row) {
    for (std::size_t i = 0; i < all.row_labels(row).size(); ++i) {
      const float score = all.row_scores(row)[i];
      if (i < wanted.at_least || score >= threshold) kept.push_back(all.row_labels(row)[i], score);
    }
    kept.end_row();
  }
}

}  // namespace

TopLabels tag(const Tagger& tagger, const RowBlock& rows, const WantedLabels& wanted, const Run& run,
              const LabelFilter* allowed) {
  if (!wanted.threshold) return tagger.tag(rows, wanted.candidates, run, allowed);
  const std::size_t at_once = std::max(kFewestRows, kMostCandidates / std::max<std::size_t>(1, wanted.candidates));
  TopLabels kept;
  for (std::size_t begin = 0; begin < rows.size(); begin += at_once) {
    const RowBlock some = rows.slice(begin, std::min(at_once, rows.size() - begin));
    keep_wanted(tagger.tag(some, wanted.candidates, run, allowed), wanted, kept);
  }
  return kept;
}

}  // namespace xylem
