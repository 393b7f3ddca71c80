// SPDX-License-Identifier: Apache-2.0
#include "methods/dxml/label_graph.h"

#include <gtest/gtest.h>

#include <map>
#include <vector>

#include "core/parallel.h"
#include "core/random.h"

namespace xylem::dxml {
namespace {

constexpr std::size_t kLabels = 200;

LabelLists random_labels() {
  Random random(1, {});
  LabelLists labels;
  for (int row = 0; row < 500; ++row) {
    std::vector<Label> row_labels;
    for (Label label = 0; label < kLabels - 1; ++label) {  // the last label has no row
      if (random.below(40) == 0) row_labels.push_back(label);
    }
    labels.push_back(row_labels);
  }
  return labels;
}

using Weights = std::map<std::pair<Label, Label>, float>;

Weights weights_of(const SparseMatrix& graph) {
  Weights result;
  for (Label label = 0; label < graph.size(); ++label) {
    const SparseRow row = graph[label];
    for (std::size_t i = 0; i < row.size(); ++i) {
      EXPECT_TRUE(i == 0 || row.ids[i - 1] < row.ids[i]);
      result[{label, row.ids[i]}] = row.values[i];
    }
  }
  return result;
}

TEST(LabelGraph, CountsTheRowsThatTwoLabelsShare) {
  const LabelLists labels = random_labels();
  Weights counts, ones;
  for (std::size_t row = 0; row < labels.size(); ++row) {
    for (const Label a : labels[row]) {
      for (const Label b : labels[row]) {
        if (a == b) continue;
        ++counts[{a, b}];
        ones[{a, b}] = 1;
      }
    }
  }
  for (const int threads : {1, 3}) {
    with_threads(threads, [&] {
      const SparseMatrix graph = label_graph(labels, kLabels, Edges::kCount);
      EXPECT_EQ(graph.size(), kLabels);
      EXPECT_EQ(weights_of(graph), counts);
      EXPECT_EQ(weights_of(label_graph(labels, kLabels, Edges::kUnweighted)), ones);
    });
  }
}

TEST(LabelGraph, HasNoEdgesWhereNoRowHasTwoLabels) {
  LabelLists labels;
  for (const Label label : {0u, 1u, 1u}) labels.push_back(std::vector{label});
  EXPECT_TRUE(label_graph(labels, 3, Edges::kCount).ids.empty());
}

}  // namespace
}  // namespace xylem::dxml
