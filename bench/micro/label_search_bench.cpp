// SPDX-License-Identifier: Apache-2.0
// How fast the best labels of one row are found, on one thread, and which of them: label_search_bench MODEL ROWS with a
// model of glas and sparse rows, in each precision, or label_search_bench N DIM on made-up unit vectors in clusters.
// The fewest probes whose recall of the exact best five is 0.99. Times are CPU times, medians over the queries, without
// the row's way through the network, which is shown beside them.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/parallel.h"
#include "learn/neighbour_index.h"
#include "learn/row_scaling.h"
#include "methods/glas/model.h"
#include "model_file/reader.h"
#include "xylem/dataset.h"
#include "yardsticks.h"

namespace {

using namespace xylem;
using Eigen::Index;

constexpr std::size_t kQueries = 200, kBest = 5;
constexpr double kRecall = 0.99;
constexpr std::size_t kMostCells = 512;  // more take minutes to make of a million vectors
constexpr Precision kAll[] = {Precision::kFloat, Precision::kBf16, Precision::kInt8};

struct Problem {
  Matrix vectors, queries;
};

// Of length 1, around centres that lie around fewer centres; queries are near vectors, as φ of a row is to its labels.
Problem made_up(std::size_t n, std::size_t dim) {
  constexpr std::size_t kFew = 200, kMany = 5000;
  Random random(1, {});
  const auto around = [&](const Matrix& centres, std::size_t count, float noise) {
    Matrix result(static_cast<Index>(count), static_cast<Index>(dim));
    for (float& value : result.reshaped()) {
      value = noise / std::sqrt(static_cast<float>(dim)) * static_cast<float>(random.normal());
    }
    for (Index row = 0; row < result.rows(); ++row) {
      if (centres.rows() > 0)
        result.row(row) += centres.row(static_cast<Index>(random.below(static_cast<std::uint64_t>(centres.rows()))));
      result.row(row).normalize();
    }
    return result;
  };
  const Matrix few = around(Matrix(), kFew, 1);
  const Matrix many = around(few, kMany, 1);
  Matrix vectors = around(many, n, 0.8f);
  Matrix queries = around(vectors, kQueries, 0.8f);
  return {std::move(vectors), std::move(queries)};
}

// Biases count so many times in what the cells are made of: nothing else changes.
Problem of_model(const std::string& path, const std::string& rows, float bias_weight) {
  ModelReader in(path);
  const ModelShape shape{in.number("n_features", 1u << 31), in.array<std::uint32_t>("training_label_counts").size()};
  const auto model = glas::load_model(in, shape);
  const auto& parts = dynamic_cast<const glas::GlasModel&>(*model).parts();
  Dataset data = read_dataset(rows).data;
  scale_to_unit(data.features);
  glas::PhiScratch scratch;
  Matrix embedded;
  std::vector<double> seconds;
  const std::size_t n = std::min(kQueries, data.size());
  const auto dim = static_cast<Index>(parts.phi.dim());
  Problem problem{parts.trained.index.vectors().leftCols(dim + 1), Matrix(static_cast<Index>(n), dim + 1)};
  for (std::size_t i = 0; i < n; ++i) {
    const double start = cpu_seconds();
    parts.phi.embed(data.features.rows().slice(i, 1), scratch, embedded);
    seconds.push_back(cpu_seconds() - start);
    problem.queries.row(static_cast<Index>(i)) << parts.scale * embedded.row(0), parts.scale;
  }
  problem.vectors.col(dim) *= bias_weight;
  problem.queries.col(dim) /= bias_weight;
  fmt::print("the network: {:.3f} ms\n", 1e3 * median(seconds));
  return problem;
}

struct Found {
  std::vector<std::vector<std::uint32_t>> best;
  double milliseconds;
};

Found search(const NeighbourIndex& index, const Matrix& queries, std::size_t probes) {
  Found found;
  NeighbourScratch scratch;
  std::vector<double> seconds;
  for (Index i = 0; i < queries.rows(); ++i) {
    const Matrix query = queries.row(i);
    const double start = cpu_seconds();
    index.search(query, kBest, probes, scratch);
    seconds.push_back(cpu_seconds() - start);
    auto& ids = found.best.emplace_back();
    for (const Scored& label : scratch.best[0].sorted()) ids.push_back(label.id);
  }
  found.milliseconds = 1e3 * median(seconds);
  return found;
}

double recall(const Found& found, const Found& exact) {
  double hits = 0, all = 0;
  for (std::size_t i = 0; i < exact.best.size(); ++i) {
    for (const std::uint32_t id : exact.best[i]) hits += std::ranges::count(found.best[i], id) > 0 ? 1 : 0;
    all += static_cast<double>(exact.best[i].size());
  }
  return hits / all;
}

void measure(const Problem& problem, std::span<const Precision> precisions) {
  const auto n = static_cast<std::size_t>(problem.vectors.rows());
  NeighbourIndex::Options options;
  options.nearness = Nearness::kInnerProduct;
  const Found exact = search(NeighbourIndex(problem.vectors, options, Random(1, {}), {}), problem.queries, 1);
  fmt::print("{} vectors x {}, exact: {:.3f} ms\n", n, problem.vectors.cols(), exact.milliseconds);
  const auto root = static_cast<std::size_t>(std::sqrt(static_cast<double>(n)));
  for (const Precision precision : precisions) {
    options.precision = precision;
    options.n_cells = std::min(2 * root, kMostCells);
    const NeighbourIndex index(problem.vectors, options, Random(1, {}), {});
    for (std::size_t probes = 1; probes <= options.n_cells; probes = probes * 5 / 4 + 1) {
      const Found found = search(index, problem.queries, probes);
      const double share = recall(found, exact);
      if (share < kRecall && probes < options.n_cells / 4) continue;
      fmt::print("{}, {} cells, {} probes: recall {:.4f}, {:.3f} ms\n",
                 choice_names(precision)[static_cast<std::size_t>(precision)], options.n_cells, probes, share,
                 found.milliseconds);
      break;
    }
    std::fflush(stdout);
  }
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 3 && argc != 4) {
    fmt::print(stderr, "label_search_bench MODEL ROWS [BIAS WEIGHT] | label_search_bench N DIM\n");
    return 2;
  }
  fix_dense_blocking();
  const std::string first = argv[1];
  const bool is_number = first.find_first_not_of("0123456789") == std::string::npos;
  with_threads(1, [&] {
    if (is_number) {
      measure(made_up(std::stoul(first), std::stoul(argv[2])), std::span(kAll).first(1));
    } else {
      measure(of_model(first, argv[2], argc > 3 ? std::stof(argv[3]) : 1.0f), kAll);
    }
  });
  return 0;
} catch (const std::exception& error) {
  fmt::print(stderr, "label_search_bench: {}\n", error.what());
  return 1;
}
