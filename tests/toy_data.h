// SPDX-License-Identifier: Apache-2.0
// Small data sets that tests learn from.
#pragma once

#include <algorithm>
#include <set>
#include <vector>

#include "core/random.h"
#include "xylem/dataset.h"

namespace xylem::test {

struct ToyShape {
  std::size_t rows = 300;
  std::size_t labels = 12;        // the last one never occurs
  std::size_t words_a_label = 6;  // features that only rows with the label have
  std::size_t common_words = 10;  // features that any row may have
};

// Rows with one or two labels; each label brings three of its own words, and noise is added. Easy to learn, and most
// frequent labels alone do badly.
inline Dataset toy_data(std::uint64_t seed, const ToyShape& shape = {}) {
  Dataset data;
  data.n_labels = shape.labels;
  data.features.n_columns = shape.labels * shape.words_a_label + shape.common_words;
  for (std::size_t row = 0; row < shape.rows; ++row) {
    Random random(seed, {row});
    std::set<Label> labels;
    for (std::size_t i = 0; i < 1 + random.below(2); ++i)
      labels.insert(static_cast<Label>(random.below(shape.labels - 1)));
    std::set<Feature> words;
    for (const Label label : labels) {
      for (int i = 0; i < 3; ++i) {
        words.insert(static_cast<Feature>(label * shape.words_a_label + random.below(shape.words_a_label)));
      }
    }
    words.insert(static_cast<Feature>(shape.labels * shape.words_a_label + random.below(shape.common_words)));
    const std::vector<Feature> ids(words.begin(), words.end());
    std::vector<float> values;
    for (std::size_t i = 0; i < ids.size(); ++i) values.push_back(0.5f + static_cast<float>(random.uniform()));
    data.features.push_back({ids, values});
    data.labels.push_back(std::vector<Label>(labels.begin(), labels.end()));
  }
  return data;
}

}  // namespace xylem::test
