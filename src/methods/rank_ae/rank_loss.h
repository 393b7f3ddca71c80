// SPDX-License-Identifier: Apache-2.0
// How far the scores of a row's labels are from what they should be.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/aligned.h"
#include "core/options.h"

namespace xylem::rank_ae {

enum class Loss { kRank, kBce };
inline auto choice_names(Loss) {
  return std::array<std::string_view, 2>{"rank", "bce"};
}

// What the ranking loss compares: the scores, or their sigmoids.
enum class Compared { kLinear, kSigmoid };
inline auto choice_names(Compared) {
  return std::array<std::string_view, 2>{"linear", "sigmoid"};
}

struct LossOptions {
  Loss loss = Loss::kRank;
  Compared output = Compared::kLinear;
  double margin = 0;
  double softness = 1;
  double balance = 0.1;
  bool normalise = true;

  void fields(auto&& field) {
    field("loss", loss, "of the labels' scores: the marginal ranking loss, or binary cross-entropy");
    field("output", output, "what the ranking loss compares: scores as they are, or their sigmoids");
    field("margin", margin, "by which a row's labels should be above all others; up to 1 makes sense for sigmoids",
          Range{0, 1000});
    field("softness", softness,
          "of the ranking loss: the scale on which maxima are smooth; 0: only the one worst label of a row counts",
          Range{0, 1000});
    field("balance", balance, "weight of the ranking loss's sum over the labels that a row does not have",
          Range{0, 1e6});
    field("normalise", normalise, "whether that sum counts as one over as many labels as the row has");
  }
};

// What a thread reuses between rows.
struct LossScratch {
  AlignedVector<float> compared, weights, shares;  // aligned: sums of Eigen's begin at a border, the same on every run
  std::vector<float> own;                          // the positives' scores
  std::vector<double> pulls;                       // on each of them
};

// The loss of one row. `scores` are those of the labels of a step, `positives` the places of the row's own among them,
// rising, and weights[i] says how many labels the i-th stands for if it is not the row's. `scores` becomes the loss's
// gradient. Binary cross-entropy is summed over the labels; the ranking loss, with y the compared scores, P and N the
// places of the row's own labels and of the others, is
//   b Σ_N max_P (margin + y_n - y_p)₊ + Σ_P max_N (margin + y_n - y_p)₊,
// where softness s replaces max(x₁, x₂, ...)₊ by s log(1 + Σ exp(xᵢ / s)), and b is the balance, times |P| / |N| if
// that is wanted. Both take O(labels). Without labels of its own, or without others, a row has nothing to rank.
double label_loss(const LossOptions& options, std::span<float> scores, std::span<const std::uint32_t> positives,
                  std::span<const float> weights, LossScratch& scratch);

}  // namespace xylem::rank_ae
