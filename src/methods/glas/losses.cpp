// SPDX-License-Identifier: Apache-2.0
#include "methods/glas/losses.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/parallel.h"
#include "core/top_k.h"

namespace xylem::glas {
namespace {

using Eigen::Index;
using Row = Eigen::Map<Eigen::ArrayXf>;
using Weights = Eigen::Map<const Eigen::ArrayXf>;

constexpr std::size_t kRows = 16;

struct Buffers {
  Eigen::ArrayXf values;
  std::vector<float> of_positives;
  TopK hardest;
};

double bce(Row scores, std::span<const Label> positives, Weights weights, Eigen::ArrayXf& values) {
  // log(1 + exp(s)) = max(s, 0) + log(1 + e) with e = exp(-|s|), and its slope is 1 / (1 + e) or e / (1 + e).
  values = (-scores.abs()).exp();
  double loss = 0;
  for (const Label p : positives) {
    loss += static_cast<double>(std::max(-scores[p], 0.0f) + std::log1p(values[p]));
    loss -= static_cast<double>(weights[p] * (std::max(scores[p], 0.0f) + std::log(1 + values[p])));
  }
  loss += static_cast<double>((weights * (scores.max(0.0f) + (1 + values).log())).sum());
  values = (scores >= 0).select(1.0f, values) / (1 + values);
  for (const Label p : positives) values[p] = (values[p] - 1) / weights[p];
  scores = weights * values;
  return loss;
}

double softmax(Row scores, std::span<const Label> positives, Weights weights, Buffers& buffers) {
  if (positives.empty()) {
    scores.setZero();
    return 0;
  }
  const float highest = scores.maxCoeff();
  const float share = 1.0f / static_cast<float>(positives.size());
  buffers.of_positives.clear();
  for (const Label p : positives) {
    buffers.of_positives.push_back(scores[p] - highest);
    scores[p] = -1e30f;
  }
  scores = weights * (scores - highest).exp();  // 0 for the positives
  const double others = static_cast<double>(scores.sum());
  double loss = 0, pull = 0;
  for (std::size_t i = 0; i < positives.size(); ++i) {
    const double own = static_cast<double>(buffers.of_positives[i]);
    const double total = std::exp(own) + others;
    loss += static_cast<double>(share) * (std::log(total) - own);
    pull += static_cast<double>(share) / total;
    buffers.of_positives[i] = share * static_cast<float>(-others / total);
  }
  scores *= static_cast<float>(pull);
  for (std::size_t i = 0; i < positives.size(); ++i) scores[positives[i]] = buffers.of_positives[i];
  return loss;
}

// Calls add(score, place, weight) for the labels that count against the row's own.
double hinge(Row scores, std::span<const Label> positives, float margin, Buffers& buffers, auto&& for_others) {
  const float share = 1.0f / static_cast<float>(std::max<std::size_t>(1, positives.size()));
  std::vector<float>& own = buffers.of_positives;
  own.clear();
  for (const Label p : positives) own.push_back(scores[p]);
  buffers.values = Eigen::ArrayXf::Zero(scores.size());
  double loss = 0;
  const float lowest = own.empty() ? std::numeric_limits<float>::infinity() : std::ranges::min(own);
  for_others([&](float score, std::size_t place, float weight) {
    if (score + margin <= lowest) return;
    for (std::size_t i = 0; i < own.size(); ++i) {
      const float excess = margin + score - own[i];
      if (excess <= 0) continue;
      loss += static_cast<double>(share * weight * excess);
      buffers.values[static_cast<Index>(place)] += share * weight;
      buffers.values[positives[i]] -= share * weight;
    }
  });
  scores = buffers.values;
  return loss;
}

// Calls use(place) for the places that are not the row's own.
void for_others(std::span<const Label> positives, std::size_t n, auto&& use) {
  auto next = positives.begin();
  for (std::size_t place = 0; place < n; ++place) {
    if (next != positives.end() && *next == place) {
      ++next;
    } else {
      use(place);
    }
  }
}

double row_loss(const LossOptions& options, Row scores, std::span<const Label> positives, Weights weights,
                Buffers& buffers) {
  const auto n = static_cast<std::size_t>(scores.size());
  const auto margin = static_cast<float>(options.margin);
  switch (options.loss) {
    case Loss::kBce:
      return bce(scores, positives, weights, buffers.values);
    case Loss::kSoftmax:
      return softmax(scores, positives, weights, buffers);
    case Loss::kMargin:
      return hinge(scores, positives, margin, buffers, [&](auto&& add) {
        for_others(positives, n, [&](std::size_t place) {
          add(scores[static_cast<Index>(place)], place, weights[static_cast<Index>(place)]);
        });
      });
    case Loss::kMining:
      buffers.hardest.reset(static_cast<std::size_t>(options.hardest));
      for_others(positives, n, [&](std::size_t place) {
        const float score = scores[static_cast<Index>(place)];
        if (score >= buffers.hardest.threshold()) buffers.hardest.offer(score, static_cast<std::uint32_t>(place));
      });
      return hinge(scores, positives, margin, buffers, [&](auto&& add) {
        for (const Scored& other : buffers.hardest.sorted()) add(other.score, other.id, 1.0f);
      });
  }
  return 0;
}

}  // namespace

double loss_and_gradient(const LossOptions& options, const LabelLists& positives, const std::vector<float>& weights,
                         Matrix& scores) {
  const auto n = static_cast<std::size_t>(scores.rows());
  const float share = 1.0f / static_cast<float>(std::max<std::size_t>(1, n));
  const Weights weight_of(weights.data(), static_cast<Index>(weights.size()));
  std::vector<double> losses(n);
  PerWorker<Buffers> buffers;
  parallel_for(n, kRows, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      Row row(scores.row(static_cast<Index>(i)).data(), scores.cols());
      losses[i] = row_loss(options, row, positives[i], weight_of, buffers.local());
      row *= share;
    }
  });
  return static_cast<double>(share) * std::accumulate(losses.begin(), losses.end(), 0.0);
}

}  // namespace xylem::glas
