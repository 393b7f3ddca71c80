// SPDX-License-Identifier: Apache-2.0
#include "algorithms/predict.h"

#include <algorithm>
#include <numeric>

#include "algorithms/row_scaling.h"
#include "core/parallel.h"
#include "core/progress.h"
#include "core/top_k.h"

namespace xylem {
namespace {

constexpr std::size_t kRowsPerBlock = 256;

// Chooses among all labels by asking the model for more of them. Outside the methods on purpose: each would need the
// same test in its innermost loop. Asking again costs the whole search again, so every time it is for many times more;
// the first time would do where a few labels are left out.
class FilteredSearch {
 public:
  FilteredSearch(const Model& model, const std::vector<bool>& allowed, std::size_t k)
      : model_(model), allowed_(allowed), k_(std::min(k, allowed.size())) {
    const auto left_out = static_cast<std::size_t>(std::ranges::count(allowed, false));
    enough_ = std::min(k_ + left_out, allowed.size());
  }

  void predict(const RowBlock& block, Scratch& scratch, TopLabels& out) {
    found_.assign(block.size(), {});
    waiting_.resize(block.size());
    std::iota(waiting_.begin(), waiting_.end(), std::size_t{0});
    for (std::size_t ask = std::max(kFirstAsk, 4 * k_); !waiting_.empty(); ask *= kGrowth) {
      ask = std::min(ask, enough_);
      // Many labels of many rows would take gigabytes.
      const std::size_t at_once = std::max<std::size_t>(1, kMostAnswers / std::max<std::size_t>(1, ask));
      std::size_t still_waiting = 0;
      for (std::size_t begin = 0; begin < waiting_.size(); begin += at_once) {
        const std::size_t end = std::min(begin + at_once, waiting_.size());
        rows_ = {};
        texts_.clear();
        answers_ = {};
        for (std::size_t i = begin; i < end; ++i) {
          rows_.push_back(block.rows[waiting_[i]]);
          if (!block.texts.empty()) texts_.push_back(block.texts[waiting_[i]]);
        }
        model_.predict({rows_.rows(), texts_}, ask, scratch, answers_);
        for (std::size_t i = begin; i < end; ++i) {
          if (!take(i - begin, ask, found_[waiting_[i]])) waiting_[still_waiting++] = waiting_[i];
        }
      }
      waiting_.resize(still_waiting);
    }
    for (const std::vector<Scored>& row : found_) {
      for (const Scored& entry : row) out.push_back(entry.id, entry.score);
      out.end_row();
    }
  }

 private:
  static constexpr std::size_t kFirstAsk = 64;
  static constexpr std::size_t kGrowth = 8;
  static constexpr std::size_t kMostAnswers = std::size_t{1} << 20;

  // Whether no further question would bring more.
  bool take(std::size_t row, std::size_t ask, std::vector<Scored>& found) const {
    const auto labels = answers_.row_labels(row);
    const auto scores = answers_.row_scores(row);
    found.clear();
    for (std::size_t i = 0; i < labels.size() && found.size() < k_; ++i) {
      if (allowed_[labels[i]]) found.push_back({scores[i], labels[i]});
    }
    return found.size() == k_ || labels.size() < ask || ask == enough_;
  }

  const Model& model_;
  const std::vector<bool>& allowed_;
  std::size_t k_;
  std::size_t enough_;                // with so many labels there are k allowed ones among them
  std::vector<std::size_t> waiting_;  // rows of the block that have not all they may get
  std::vector<std::vector<Scored>> found_;
  SparseMatrix rows_;
  std::vector<TextView> texts_;
  TopLabels answers_;
};

}  // namespace

TopLabels predict_rows(const Model& model, const RowBlock& rows, RowScale scale, std::size_t k, const Run& run,
                       const std::vector<bool>* allowed) {
  std::vector<TopLabels> blocks((rows.size() + kRowsPerBlock - 1) / kRowsPerBlock);
  struct Worker {
    SparseMatrix scaled;
    Scratch scratch;
  };
  PerWorker<Worker> workers;
  ProgressCounter progress(run, "predict", "rows", rows.size());
  parallel_for(rows.size(), kRowsPerBlock, [&](std::size_t begin, std::size_t end) {
    Worker& worker = workers.local();
    RowBlock block = rows.slice(begin, end - begin);
    if (scale == RowScale::kUnit) {
      copy_as_unit(block.rows, worker.scaled);
      block.rows = worker.scaled.rows();
    }
    if (allowed == nullptr) {
      model.predict(block, k, worker.scratch, blocks[begin / kRowsPerBlock]);
    } else {
      FilteredSearch(model, *allowed, k).predict(block, worker.scratch, blocks[begin / kRowsPerBlock]);
    }
    progress.add(end - begin);
  });
  TopLabels all;
  for (const TopLabels& block : blocks) all.append(block);
  return all;
}

}  // namespace xylem
