// SPDX-License-Identifier: Apache-2.0
// Rows to evaluate: written by hand, or random.
#pragma once

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "core/random.h"
#include "xylem/metrics.h"

namespace xylem::test {

struct Case {
  LabelLists truth;
  TopLabels predictions;
  TrainingCounts counts;
};

inline LabelLists make_truth(const std::vector<std::vector<Label>>& rows) {
  LabelLists truth;
  for (const std::vector<Label>& row : rows) truth.push_back(row);
  return truth;
}

inline TopLabels make_predictions(const std::vector<std::vector<std::pair<Label, float>>>& rows) {
  TopLabels predictions;
  for (const auto& row : rows) {
    for (const auto& [label, score] : row) predictions.push_back(label, score);
    predictions.end_row();
  }
  return predictions;
}

// Rows with 0 to 6 labels and 0 to 8 predictions, which find a true label more often than chance would. Some labels are
// unknown to the training counts.
inline Case random_case(std::uint64_t seed, std::size_t n_rows, std::size_t n_labels = 30) {
  Random random(seed, {n_rows});
  Case made;
  made.counts.rows = 5000;
  for (std::size_t l = 0; l + 3 < n_labels; ++l) {
    made.counts.labels.push_back(static_cast<std::uint32_t>(random.below(4) * random.below(60)));
  }
  for (std::size_t i = 0; i < n_rows; ++i) {
    std::set<Label> labels, predicted;
    for (std::uint64_t n = random.below(7); n > 0; --n) labels.insert(static_cast<Label>(random.below(n_labels)));
    for (std::uint64_t n = random.below(9); n > 0; --n) {
      const bool wanted = !labels.empty() && random.below(2) == 0;
      predicted.insert(wanted ? *labels.begin() : static_cast<Label>(random.below(n_labels)));
    }
    std::vector<Label> ranking(predicted.begin(), predicted.end());
    random.shuffle(std::span<Label>(ranking));
    float score = 1;
    for (const Label label : ranking) {
      made.predictions.push_back(label, score);
      score -= static_cast<float>(random.below(3)) * 0.1F;
    }
    made.predictions.end_row();
    made.truth.push_back(std::vector<Label>(labels.begin(), labels.end()));
  }
  return made;
}

}  // namespace xylem::test
