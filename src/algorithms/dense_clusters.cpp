// SPDX-License-Identifier: Apache-2.0
#include "algorithms/dense_clusters.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "algorithms/dot_products.h"
#include "core/parallel.h"

namespace xylem {
namespace {

using Eigen::Index;

constexpr int kRounds = 10;  // cells for a search need not be the best ones
constexpr std::size_t kVectorsPerChunk = 64;

// Finds the nearest centre of every row. Returns how many rows have changed.
std::size_t assign(const Matrix& rows, DenseClusters& clusters) {
  const auto n_clusters = static_cast<std::size_t>(clusters.centres.rows());
  // The centre nearest to x is the one with the largest x · c - |c|²/2.
  const Eigen::VectorXf halves = 0.5f * clusters.centres.rowwise().squaredNorm();
  const auto n = static_cast<std::size_t>(rows.rows());
  std::vector<std::size_t> changed((n + kVectorsPerChunk - 1) / kVectorsPerChunk, 0);
  PerWorker<std::vector<float>> buffers;
  parallel_for(n, kVectorsPerChunk, [&](std::size_t begin, std::size_t end) {
    std::vector<float>& products = buffers.local();
    products.resize((end - begin) * n_clusters);
    dot_products(rows.row(static_cast<Index>(begin)).data(), end - begin, clusters.centres.data(), n_clusters,
                 static_cast<std::size_t>(rows.cols()), products.data(), n_clusters);
    for (std::size_t row = begin; row < end; ++row) {
      const float* to = products.data() + (row - begin) * n_clusters;
      std::uint32_t best = 0;
      for (std::uint32_t c = 1; c < n_clusters; ++c) {
        if (to[c] - halves[c] > to[best] - halves[best]) best = c;
      }
      changed[begin / kVectorsPerChunk] += std::exchange(clusters.cluster_of[row], best) != best;
    }
  });
  return std::accumulate(changed.begin(), changed.end(), std::size_t{0});
}

// The mean of each cluster's rows, which one thread adds up in their order. An empty cluster starts again from a row.
void move_centres(const Matrix& rows, Random& random, DenseClusters& clusters) {
  std::vector<std::vector<std::uint32_t>> members(static_cast<std::size_t>(clusters.centres.rows()));
  for (std::uint32_t row = 0; row < clusters.cluster_of.size(); ++row) members[clusters.cluster_of[row]].push_back(row);
  for (auto& rows_of : members) {
    if (rows_of.empty()) rows_of.push_back(static_cast<std::uint32_t>(random.below(clusters.cluster_of.size())));
  }
  parallel_for(members.size(), 1, [&](std::size_t cluster, std::size_t) {
    auto centre = clusters.centres.row(static_cast<Index>(cluster));
    centre.setZero();
    for (const std::uint32_t row : members[cluster]) centre += rows.row(row);
    centre /= static_cast<float>(members[cluster].size());
  });
}

}  // namespace

DenseClusters cluster_rows(const Matrix& rows, std::size_t n_clusters, Random random, const Run& run,
                           std::size_t sample) {
  const auto n = static_cast<std::size_t>(rows.rows());
  n_clusters = std::max<std::size_t>(1, std::min(n_clusters, n));
  DenseClusters clusters{Matrix::Zero(static_cast<Index>(n_clusters), rows.cols()), std::vector<std::uint32_t>(n, 0)};
  if (n == 0) return clusters;
  std::vector<std::uint32_t> starts(n);
  std::iota(starts.begin(), starts.end(), 0u);
  random.shuffle(std::span(starts));
  if (sample > 0 && n / sample > n_clusters) {
    Matrix some(static_cast<Index>(sample * n_clusters), rows.cols());
    for (Index i = 0; i < some.rows(); ++i) some.row(i) = rows.row(starts[static_cast<std::size_t>(i)]);
    clusters.centres = cluster_rows(some, n_clusters, random, run).centres;
    assign(rows, clusters);
    return clusters;
  }
  for (std::size_t c = 0; c < n_clusters; ++c) clusters.centres.row(static_cast<Index>(c)) = rows.row(starts[c]);
  assign(rows, clusters);
  for (int round = 0; round < kRounds; ++round) {
    run.check();
    move_centres(rows, random, clusters);
    if (assign(rows, clusters) == 0) break;
  }
  return clusters;
}

}  // namespace xylem
