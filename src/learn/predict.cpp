// SPDX-License-Identifier: Apache-2.0
#include "learn/predict.h"

#include "core/parallel.h"
#include "core/progress.h"
#include "learn/row_scaling.h"

namespace xylem {
namespace {

constexpr std::size_t kBlock = 256;

}  // namespace

TopLabels predict_rows(const Model& model, SparseRows rows, RowScale scale, std::size_t k, const Run& run) {
  std::vector<TopLabels> blocks((rows.size() + kBlock - 1) / kBlock);
  struct Worker {
    SparseMatrix scaled;
    Scratch scratch;
  };
  PerWorker<Worker> workers;
  ProgressCounter progress(run, "predict", "rows", rows.size());
  parallel_for(rows.size(), kBlock, [&](std::size_t begin, std::size_t end) {
    Worker& worker = workers.local();
    SparseRows block = rows.slice(begin, end - begin);
    if (scale == RowScale::kUnit) {
      copy_as_unit(block, worker.scaled);
      block = worker.scaled.rows();
    }
    model.predict(block, k, worker.scratch, blocks[begin / kBlock]);
    progress.add(end - begin);
  });
  TopLabels all;
  for (const TopLabels& block : blocks) {
    for (std::size_t row = 0; row < block.size(); ++row)
      all.offsets.push_back(all.labels.size() + block.offsets[row + 1]);
    all.labels.insert(all.labels.end(), block.labels.begin(), block.labels.end());
    all.scores.insert(all.scores.end(), block.scores.begin(), block.scores.end());
  }
  return all;
}

}  // namespace xylem
