// SPDX-License-Identifier: Apache-2.0
#include "methods/dxml/label_walks.h"

#include <gtest/gtest.h>

#include <vector>

#include "core/parallel.h"
#include "methods/dxml/label_graph.h"

namespace xylem::dxml {
namespace {

using Eigen::Index;

constexpr std::size_t kWalkedLabels = 30;

// The last label has no row; some rows have one label.
LabelLists walked_labels() {
  Random random(1, {});
  LabelLists labels;
  for (int row = 0; row < 60; ++row) {
    std::vector<Label> row_labels;
    for (Label label = 0; label < kWalkedLabels - 1; ++label) {
      if (random.below(8) == 0) row_labels.push_back(label);
    }
    labels.push_back(row_labels);
  }
  labels.push_back(std::vector<Label>{3});
  return labels;
}

Eigen::MatrixXd slow_row_weights(const LabelLists& labels) {
  Eigen::MatrixXd weights = Eigen::MatrixXd::Zero(kWalkedLabels, kWalkedLabels);
  for (std::size_t row = 0; row < labels.size(); ++row) {
    for (const Label a : labels[row]) {
      for (const Label b : labels[row]) {
        if (a != b) weights(a, b) += 1 / static_cast<double>(labels[row].size() - 1);
      }
    }
  }
  return weights;
}

Eigen::MatrixXd slow_graph_weights(const SparseMatrix& graph) {
  Eigen::MatrixXd weights = Eigen::MatrixXd::Zero(kWalkedLabels, kWalkedLabels);
  for (std::size_t a = 0; a < kWalkedLabels; ++a) {
    for (std::size_t i = 0; i < graph[a].size(); ++i) {
      weights(static_cast<Index>(a), graph[a].ids[i]) = static_cast<double>(graph[a].values[i]);
    }
  }
  return weights;
}

// Degrees, products and the shares of steps are those of the weights.
void expect_walks_of(const Eigen::MatrixXd& weights, const LabelWalks& walks) {
  ASSERT_EQ(walks.degrees().size(), kWalkedLabels);
  for (std::size_t a = 0; a < kWalkedLabels; ++a) {
    EXPECT_NEAR(walks.degrees()[a], weights.row(static_cast<Index>(a)).sum(), 1e-4);
  }
  Random random(2, {});
  Matrix in(kWalkedLabels, 37);
  for (float& value : in.reshaped()) value = static_cast<float>(random.normal());
  for (const int threads : {1, 3}) {
    Matrix out(kWalkedLabels, 37);
    with_threads(threads, [&] { walks.multiply(in, out, {}); });
    EXPECT_LT((out.cast<double>() - weights * in.cast<double>()).cwiseAbs().maxCoeff(), 1e-3);
  }
  constexpr int kSteps = 20000;
  for (const Label from : {Label{0}, Label{3}, Label{17}}) {
    std::vector<int> counts(kWalkedLabels, 0);
    for (int i = 0; i < kSteps; ++i) ++counts[walks.step(from, random)];
    for (std::size_t to = 0; to < kWalkedLabels; ++to) {
      const double share = weights(from, static_cast<Index>(to)) / static_cast<double>(walks.degrees()[from]);
      EXPECT_NEAR(counts[to] / static_cast<double>(kSteps), share, 0.02) << from << " to " << to;
    }
  }
}

TEST(LabelWalks, OverAGraph) {
  const SparseMatrix graph = label_graph(walked_labels(), kWalkedLabels, Edges::kCount);
  expect_walks_of(slow_graph_weights(graph), *walk_graph(graph));
}

TEST(LabelWalks, OverRows) {
  const LabelLists labels = walked_labels();
  expect_walks_of(slow_row_weights(labels), *walk_rows(labels, kWalkedLabels));
}

}  // namespace
}  // namespace xylem::dxml
