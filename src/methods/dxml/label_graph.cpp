// SPDX-License-Identifier: Apache-2.0
#include "methods/dxml/label_graph.h"

#include <algorithm>
#include <vector>

#include "core/parallel.h"
#include "core/sparse_tools.h"

namespace xylem::dxml {

SparseMatrix label_graph(const LabelLists& labels, std::size_t n_labels, Edges edges, const Run& run) {
  constexpr std::size_t kGrain = 64;
  const LabelLists rows = rows_of_labels(labels, n_labels);
  struct Counter {
    std::vector<std::uint32_t> counts;  // of each label, all 0 between labels
    std::vector<Label> met;
  };
  PerWorker<Counter> counters;
  std::vector<SparseMatrix> chunks((n_labels + kGrain - 1) / kGrain);
  parallel_for(n_labels, kGrain, [&](std::size_t begin, std::size_t end) {
    auto& [counts, met] = counters.local();
    counts.resize(n_labels);
    SparseMatrix& chunk = chunks[begin / kGrain];
    for (std::size_t label = begin; label < end; ++label) {
      run.check();
      met.clear();
      for (const std::uint32_t row : rows[label]) {
        for (const Label other : labels[row]) {
          if (other != label && counts[other]++ == 0) met.push_back(other);
        }
      }
      std::ranges::sort(met);
      for (const Label other : met) {
        chunk.ids.push_back(other);
        chunk.values.push_back(edges == Edges::kCount ? static_cast<float>(counts[other]) : 1.0f);
        counts[other] = 0;
      }
      chunk.offsets.push_back(chunk.ids.size());
    }
  });
  return join_rows(chunks, n_labels);
}

}  // namespace xylem::dxml
