// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "core/dense.h"
#include "core/options.h"
#include "xylem/sparse.h"

namespace xylem::glas {

enum class Loss { kBce, kSoftmax, kMargin, kMining };
inline auto choice_names(Loss) {
  return std::array<std::string_view, 4>{"bce", "softmax", "margin", "mining"};
}

// Whether scores are the logarithms of odds: against the label's absence, or against all labels that a row does not
// have.
inline bool is_log_odds(Loss loss) {
  return loss == Loss::kBce || loss == Loss::kSoftmax;
}

struct LossOptions {
  Loss loss = Loss::kSoftmax;
  double margin = 1;
  int hardest = 10;

  void fields(auto&& field) {
    field(
        "loss", loss,
        "a yes or no for each label; each of a row's labels against all others; by margins; by margins to the hardest "
        "of the others alone");
    field("margin", margin, "of loss=margin and mining: so much higher the scores of a row's labels are to be",
          Range{0, 1000});
    field("hardest", hardest, "of loss=mining: so many of the other labels count", Range{1, 1'000'000});
  }
};

// The mean over the rows, of their scores: a row for each, a column for each label. positives[i] are the columns of row
// i's labels; another one counts weights[column] times, but for `mining`, where each of the hardest counts once. Scores
// become the loss's gradient by them.
//
// With s the scores, P a row's labels, and n the others:
// bce: Σ_P log(1 + exp(-s_p)) + Σ_n log(1 + exp(s_n)).
// softmax: the mean over P of -log(exp(s_p) / (exp(s_p) + Σ_n exp(s_n))): a row's other labels are not held against it.
// margin, mining: the mean over P of Σ_n max(0, margin + s_n - s_p).
double loss_and_gradient(const LossOptions& options, const LabelLists& positives, const std::vector<float>& weights,
                         Matrix& scores);

}  // namespace xylem::glas
