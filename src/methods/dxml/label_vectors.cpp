// SPDX-License-Identifier: Apache-2.0
#include "methods/dxml/label_vectors.h"

#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "algorithms/layers.h"
#include "core/parallel.h"

namespace xylem::dxml {
namespace {

using Eigen::Index;

constexpr std::size_t kSpare = 16;  // columns more than wanted, so that the last ones come out right too
constexpr int kRounds = 6;          // of multiplying and making orthogonal
constexpr std::size_t kRowsAtOnce = 64;

// Orthonormal columns that span the same space.
void make_orthonormal(Matrix& columns) {
  const Eigen::MatrixXf copy = columns;
  const Eigen::HouseholderQR<Eigen::MatrixXf> qr(copy);
  columns = qr.householderQ() * Eigen::MatrixXf::Identity(copy.rows(), copy.cols());
}

struct Eigenpairs {
  Eigen::VectorXf values;  // the largest magnitude first
  Matrix vectors;          // in the columns
};

// Of a symmetric matrix that is known by what it makes of others: the leading pairs, by subspace iteration.
Eigenpairs leading_eigenpairs(std::size_t n, std::size_t n_pairs, Random random, const Run& run,
                              const std::function<void(const Matrix&, Matrix&)>& multiply) {
  Matrix columns(static_cast<Index>(n), static_cast<Index>(std::min(n, n_pairs + kSpare)));
  fill_normal(columns, 1, random, run);
  make_orthonormal(columns);
  Matrix products(columns.rows(), columns.cols());
  for (int round = 0; round < kRounds; ++round) {
    run.check();
    multiply(columns, products);
    columns.swap(products);
    make_orthonormal(columns);
  }
  multiply(columns, products);
  Eigen::MatrixXf small = columns.transpose() * products;
  small = (0.5f * (small + small.transpose())).eval();
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXf> solver(small);
  std::vector<Index> order(static_cast<std::size_t>(small.rows()));
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<Index>(i);
  std::ranges::stable_sort(order, std::ranges::greater(), [&](Index i) { return std::abs(solver.eigenvalues()[i]); });
  order.resize(std::min(order.size(), n_pairs));
  Eigenpairs result;
  result.values.resize(static_cast<Index>(order.size()));
  Eigen::MatrixXf chosen(small.rows(), static_cast<Index>(order.size()));
  for (std::size_t i = 0; i < order.size(); ++i) {
    result.values[static_cast<Index>(i)] = solver.eigenvalues()[order[i]];
    chosen.col(static_cast<Index>(i)) = solver.eigenvectors().col(order[i]);
  }
  result.vectors = columns * chosen;
  return result;
}

// Calls use(begin, n) for blocks of the matrix's rows.
void for_blocks(Index rows, auto&& use) {
  parallel_for(static_cast<std::size_t>(rows), kRowsAtOnce, [&](std::size_t begin, std::size_t end) {
    use(static_cast<Index>(begin), static_cast<Index>(end - begin));
  });
}

// Of the edges alone: labels meet within one step only where there is an edge.
Eigenpairs eigenpairs_of_edges(const LabelWalks& walks, std::size_t dim, double volume, Random& random,
                               const Run& run) {
  SparseMatrix meetings = *walks.edges();
  const std::vector<float>& degrees = walks.degrees();
  for (std::size_t label = 0; label < meetings.size(); ++label) {
    for (std::uint64_t i = meetings.offsets[label]; i < meetings.offsets[label + 1]; ++i) {
      const double chance = static_cast<double>(degrees[label]) * static_cast<double>(degrees[meetings.ids[i]]);
      const double ratio = volume * static_cast<double>(meetings.values[i]) / chance;
      meetings.values[i] = static_cast<float>(std::log(std::max(1.0, ratio)));
    }
  }
  return leading_eigenpairs(degrees.size(), dim, random, run,
                            [&](const Matrix& in, Matrix& out) { multiply_sparse(meetings, in, out, run); });
}

// Of walks over the leading eigenvectors of a step.
Eigenpairs eigenpairs_of_walks(const LabelWalks& walks, std::size_t dim, int window, double volume, Random& random,
                               const Run& run) {
  const std::size_t n = walks.degrees().size();
  const Eigen::Map<const Eigen::VectorXf> degrees(walks.degrees().data(), static_cast<Index>(n));
  const Eigen::VectorXf root = (degrees.array() > 0).select(degrees.array().rsqrt(), 0.0f);

  // Of the weights divided by the roots of both degrees.
  const Eigenpairs steps = leading_eigenpairs(n, kGraphRank, random, run, [&](const Matrix& in, Matrix& out) {
    walks.multiply(root.asDiagonal() * in, out, run);
    out = root.asDiagonal() * out;
  });
  // Walks of 1 to `window` steps, averaged.
  Eigen::VectorXf filtered = steps.values;
  for (float& value : filtered) {
    double sum = 0, power = 1;
    for (int step = 0; step < window; ++step) sum += power *= static_cast<double>(value);
    value = static_cast<float>(sum / window);
  }
  const Matrix right = root.asDiagonal() * steps.vectors;
  const Matrix left = static_cast<float>(volume) * (right * filtered.asDiagonal());
  return leading_eigenpairs(n, dim, random, run, [&](const Matrix& in, Matrix& out) {
    for_blocks(out.rows(), [&](Index begin, Index count) {
      run.check();
      Matrix meetings;
      meetings.noalias() = left.middleRows(begin, count) * right.transpose();
      meetings = meetings.array().max(1.0f).log();
      out.middleRows(begin, count).noalias() = meetings * in;
    });
  });
}

}  // namespace

void fill_without_edges(const LabelWalks& walks, Matrix& vectors, Random random) {
  for (Index label = 0; label < vectors.rows(); ++label) {
    if (walks.degrees()[static_cast<std::size_t>(label)] > 0) continue;
    for (float& value : vectors.row(label)) value = static_cast<float>(random.normal());
    vectors.row(label).normalize();
  }
}

Matrix netmf_vectors(const LabelWalks& walks, std::size_t dim, int window, Random random, const Run& run) {
  const std::size_t n = walks.degrees().size();
  const double volume = std::accumulate(walks.degrees().begin(), walks.degrees().end(), 0.0);
  const bool takes_edges = window == 1 && walks.edges() != nullptr;
  const Eigenpairs pairs = takes_edges ? eigenpairs_of_edges(walks, dim, volume, random, run)
                                       : eigenpairs_of_walks(walks, dim, window, volume, random, run);
  Matrix vectors = Matrix::Zero(static_cast<Index>(n), static_cast<Index>(dim));
  vectors.leftCols(pairs.vectors.cols()) = pairs.vectors * pairs.values.cwiseAbs().cwiseSqrt().asDiagonal();
  fill_without_edges(walks, vectors, random);
  return vectors;
}

}  // namespace xylem::dxml
