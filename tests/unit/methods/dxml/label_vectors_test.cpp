// SPDX-License-Identifier: Apache-2.0
#include "methods/dxml/label_vectors.h"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>

#include "core/parallel.h"
#include "methods/dxml/label_graph.h"

namespace xylem::dxml {
namespace {

using Eigen::Index;

// Labels of a group share rows; groups share few. The last label has no row.
SparseMatrix graph_of_groups(std::size_t n_groups, std::size_t group_size) {
  Random random(1, {});
  LabelLists labels;
  for (int row = 0; row < 400; ++row) {
    const std::size_t group = random.below(n_groups);
    std::vector<Label> row_labels;
    for (std::size_t i = 0; i < n_groups * group_size; ++i) {
      const bool is_own = i / group_size == group;
      if (random.below(is_own ? 3 : 100) == 0) row_labels.push_back(static_cast<Label>(i));
    }
    labels.push_back(row_labels);
  }
  return label_graph(labels, n_groups * group_size + 1, Edges::kCount);
}

// All powers of the walk matrix, and all eigenvectors.
Eigen::MatrixXd slow_gram_matrix(const SparseMatrix& graph, int window) {
  const auto n = static_cast<Index>(graph.size());
  Eigen::MatrixXd weights = Eigen::MatrixXd::Zero(n, n);
  for (Index a = 0; a < n; ++a) {
    const SparseRow row = graph[static_cast<std::size_t>(a)];
    for (std::size_t i = 0; i < row.size(); ++i) weights(a, row.ids[i]) = static_cast<double>(row.values[i]);
  }
  const Eigen::VectorXd degrees = weights.rowwise().sum();
  const Eigen::VectorXd inverse = (degrees.array() > 0).select(degrees.array().inverse(), 0.0);
  Eigen::MatrixXd walk = inverse.asDiagonal() * weights, power = Eigen::MatrixXd::Identity(n, n);
  Eigen::MatrixXd sum = Eigen::MatrixXd::Zero(n, n);
  for (int step = 0; step < window; ++step) sum += power = power * walk;
  const Eigen::MatrixXd meetings = weights.sum() / window * (sum * inverse.asDiagonal());
  return meetings.array().max(1.0).log();
}

TEST(NetmfVectors, HaveTheInnerProductsOfTheClosedForm) {
  const SparseMatrix graph = graph_of_groups(4, 10);
  for (const int window : {1, 3}) {
    const Eigen::MatrixXd expected = slow_gram_matrix(graph, window);
    // As many dimensions as labels: nothing is lost but the signs of negative eigenvalues.
    const Matrix vectors = netmf_vectors(*walk_graph(graph), 41, window, Random(1, {}), {});
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(expected);
    const Eigen::MatrixXd magnitude =
        solver.eigenvectors() * solver.eigenvalues().cwiseAbs().asDiagonal() * solver.eigenvectors().transpose();
    const Eigen::MatrixXd found = (vectors * vectors.transpose()).cast<double>();
    EXPECT_LT((found - magnitude).topLeftCorner(40, 40).cwiseAbs().maxCoeff(), 1e-2) << window;
  }
}

// How much nearer labels of a group are than labels of different ones, in cosines. Groups of 20.
double nearness_inside(Matrix vectors) {
  vectors.rowwise().normalize();
  double inside = 0, outside = 0;
  for (Index a = 0; a < 120; ++a) {
    for (Index b = 0; b < a; ++b) {
      (a / 20 == b / 20 ? inside : outside) += static_cast<double>(vectors.row(a).dot(vectors.row(b)));
    }
  }
  return inside / (6 * 190) - outside / (15 * 400);
}

TEST(NetmfVectors, PutLabelsOfAGroupTogether) {
  const auto walks = walk_graph(graph_of_groups(6, 20));
  EXPECT_GT(nearness_inside(netmf_vectors(*walks, 10, 10, Random(1, {}), {})), 0.5);
}

TEST(DeepWalkVectors, PutLabelsOfAGroupTogether) {
  const auto walks = walk_graph(graph_of_groups(6, 20));
  const Matrix vectors = deepwalk_vectors(*walks, 10, 2, {}, 1, {});
  EXPECT_GT(nearness_inside(vectors), 0.5);
  EXPECT_NEAR(vectors.row(120).norm(), 1, 1e-5);  // the label without an edge
}

TEST(DeepWalkVectors, AreTheSameForAnyNumberOfThreads) {
  const auto walks = walk_graph(graph_of_groups(6, 50));
  std::vector<Matrix> found;
  for (const int threads : {1, 2, 3}) {
    with_threads(threads, [&] { found.push_back(deepwalk_vectors(*walks, 16, 2, {.walks = 2}, 1, {})); });
  }
  EXPECT_EQ(found[1], found[0]);
  EXPECT_EQ(found[2], found[0]);
}

TEST(DeepWalkVectors, WorkWithoutEdges) {
  SparseMatrix empty;
  empty.offsets = {0, 0, 0};
  EXPECT_NEAR(deepwalk_vectors(*walk_graph(empty), 5, 1, {}, 1, {}).row(1).norm(), 1, 1e-5);
}

TEST(NetmfVectors, GiveARandomUnitVectorToALabelWithoutAnEdge) {
  const Matrix vectors = netmf_vectors(*walk_graph(graph_of_groups(2, 5)), 4, 10, Random(1, {}), {});
  EXPECT_NEAR(vectors.row(10).norm(), 1, 1e-5);
  EXPECT_NE(vectors.row(10), netmf_vectors(*walk_graph(graph_of_groups(2, 5)), 4, 10, Random(2, {}), {}).row(10));
}

TEST(NetmfVectors, WorkWithMoreDimensionsThanLabelsAndWithoutEdges) {
  const Matrix vectors = netmf_vectors(*walk_graph(graph_of_groups(2, 3)), 20, 10, Random(1, {}), {});
  EXPECT_EQ(vectors.cols(), 20);
  EXPECT_TRUE(vectors.allFinite());
  SparseMatrix empty;
  empty.offsets = {0, 0, 0};
  EXPECT_NEAR(netmf_vectors(*walk_graph(empty), 5, 10, Random(1, {}), {}).row(0).norm(), 1, 1e-5);
}

TEST(NetmfVectors, AreTheSameForAnyNumberOfThreads) {
  const auto walks = walk_graph(graph_of_groups(6, 50));
  for (const int window : {1, 10}) {
    std::vector<Matrix> found;
    for (const int threads : {1, 2, 3}) {
      with_threads(threads, [&] { found.push_back(netmf_vectors(*walks, 16, window, Random(1, {}), {})); });
    }
    EXPECT_EQ(found[1], found[0]);
    EXPECT_EQ(found[2], found[0]);
  }
}

}  // namespace
}  // namespace xylem::dxml
