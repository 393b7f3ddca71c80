// SPDX-License-Identifier: Apache-2.0
#include "methods/rank_ae/model.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "algorithms/explain.h"
#include "core/top_k.h"
#include "model_file/saved_options.h"

namespace xylem::rank_ae {
namespace {

constexpr std::size_t kRowsAtOnce = 64;
constexpr std::size_t kLabelsAtOnce = 1024;

struct PredictBuffers {
  Net::Buffers layers;
  std::vector<float> scores;
  std::vector<TopK> best;
  std::vector<Scored> shown;
};

float sigmoid(float x) {
  return 1 / (1 + std::exp(-x));
}

}  // namespace

void RankAeModel::predict(const RowBlock& block, std::size_t k, Scratch& scratch, TopLabels& out) const {
  auto& buffers = scratch.as<PredictBuffers>();
  const std::size_t n_labels = net_->shape().labels;
  for (std::size_t begin = 0; begin < block.size(); begin += kRowsAtOnce) {
    const std::size_t n_rows = std::min(kRowsAtOnce, block.size() - begin);
    net_->hide(block.rows.slice(begin, n_rows), buffers.layers);
    buffers.best.resize(n_rows);
    for (TopK& best : buffers.best) best.reset(k);
    for (std::size_t first = 0; first < n_labels; first += kLabelsAtOnce) {
      const std::size_t n = std::min(kLabelsAtOnce, n_labels - first);
      net_->score(buffers.layers.hidden, first, n, buffers.scores);
      for (std::size_t i = 0; i < n_rows; ++i) {
        for (std::size_t j = 0; j < n; ++j) {
          const auto label = static_cast<Label>(first + j);
          if (net_->knows(label)) buffers.best[i].offer(buffers.scores[i * n + j], label);
        }
      }
    }
    for (TopK& best : buffers.best) {
      const auto sorted = best.sorted();
      buffers.shown.assign(sorted.begin(), sorted.end());
      for (Scored& entry : buffers.shown) entry.score = sigmoid(entry.score);
      std::ranges::sort(buffers.shown, better);  // near 1 they may be equal where the scores are not
      for (const Scored& entry : buffers.shown) out.push_back(entry.id, entry.score);
      out.end_row();
    }
  }
}

Explanation RankAeModel::explain(const RowBlock& block, Label label, Scratch& scratch) const {
  Explanation result = place_label(*this, block, label, scratch);
  if (!net_->knows(label)) {
    result.basis = kNoTrainingRow;
    return result;
  }
  result.basis = "what is added to the score before its sigmoid is taken";
  const SparseRow row = block.rows[0];
  const Net::Terms terms = net_->terms(row, label);
  result.bias = terms.constant;
  const auto attention_on = [&](Feature word) {
    return options_.net.attention ? std::optional(static_cast<double>(net_->attention(word))) : std::nullopt;
  };
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (row.ids[i] >= net_->shape().words) continue;
    result.evidence.push_back(
        {row.ids[i], static_cast<double>(row.values[i]) * terms.words[i], attention_on(row.ids[i])});
  }
  order_evidence(result.evidence);
  return result;
}

void RankAeModel::save(ModelWriter& out) const {
  save_options(out, kPrefix, options_);
  net_->save(out, kPrefix);
}

}  // namespace xylem::rank_ae
