// SPDX-License-Identifier: Apache-2.0
// How fast the best labels of one row are found, on one thread, and how many of the exact best five:
// label_search_bench MODEL TRAIN ROWS with a model of glas, training rows to choose from as the method does, and other
// rows to look at, in each precision; or label_search_bench N DIM on made-up unit vectors in clusters. Times are CPU
// times, medians over the queries, without the row's way through the network, which is shown beside them.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <memory>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "algorithms/dot_products.h"
#include "algorithms/neighbour_index.h"
#include "algorithms/row_scaling.h"
#include "core/parallel.h"
#include "methods/glas/build.h"
#include "methods/glas/model.h"
#include "model_file/reader.h"
#include "xylem/dataset.h"
#include "yardsticks.h"

namespace {

using namespace xylem;
using Eigen::Index;

constexpr std::size_t kQueries = 500, kBest = 5;

struct Problem {
  Matrix vectors;  // of length 1
  std::vector<float> bias;
  float scale;
  Matrix to_choose, queries;
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
  Problem problem{std::move(vectors), std::vector<float>(n, 0.0f), 1, {}, {}};
  glas::make_queries(around(problem.vectors, glas::kRowsForProbes, 0.8f), 1, problem.to_choose);
  glas::make_queries(around(problem.vectors, kQueries, 0.8f), 1, problem.queries);
  return problem;
}

// Of rows evenly spread.
Matrix queries_of(const glas::ModelParts& parts, const std::string& path, std::size_t n) {
  Dataset data = read_dataset(path).data;
  scale_to_unit(data.features);
  n = std::min(n, data.size());
  glas::PhiScratch scratch;
  Matrix embedded, query, queries(static_cast<Index>(n), static_cast<Index>(parts.phi.dim()) + 1);
  std::vector<double> seconds;
  for (std::size_t i = 0; i < n; ++i) {
    const double start = cpu_seconds();
    parts.phi.embed(data.features.rows().slice(i * data.size() / n, 1), scratch, embedded);
    glas::make_queries(embedded, parts.scale, query);
    seconds.push_back(cpu_seconds() - start);
    queries.row(static_cast<Index>(i)) = query;
  }
  fmt::print("{}: the network takes {:.3f} ms\n", path, 1e3 * median(seconds));
  return queries;
}

Problem of_model(const std::string& path, const std::string& train, const std::string& rows) {
  ModelReader in(path);
  const ModelShape shape{in.number("n_features", 1u << 31), in.array<std::uint32_t>("training_label_counts").size()};
  const auto model = glas::load_model(in, shape);
  const auto& parts = dynamic_cast<const glas::GlasModel&>(*model).parts();
  const Matrix table = parts.trained.index.vectors();
  const auto dim = static_cast<Index>(parts.phi.dim());
  Problem problem{table.leftCols(dim),
                  {},
                  parts.scale,
                  queries_of(parts, train, glas::kRowsForProbes),
                  queries_of(parts, rows, kQueries)};
  for (Index i = 0; i < table.rows(); ++i) problem.bias.push_back(parts.scale * table(i, dim));
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

NeighbourIndex make_index(const Problem& problem, int cells, Precision precision) {
  std::vector<Label> labels(problem.bias.size());
  std::iota(labels.begin(), labels.end(), Label{0});
  GlasOptions options;
  options.cells = cells;
  options.precision = precision;
  return glas::make_table(labels, problem.vectors, problem.bias, problem.scale, options, 1, {}).index;
}

// All products, and nothing else.
double milliseconds_of_products(const Problem& problem) {
  std::vector<float> products(problem.bias.size());
  return 1e3 * least_seconds([&] {
           dot_products(problem.queries.data(), 1, problem.vectors.data(), products.size(),
                        static_cast<std::size_t>(problem.vectors.cols()), products.data(), products.size());
           benchmark::DoNotOptimize(products.data());
         });
}

void measure(const Problem& problem, std::span<const Precision> precisions) {
  const auto dim = static_cast<std::size_t>(problem.queries.cols());
  const Found exact = search(make_index(problem, 1, Precision::kFloat), problem.queries, 1);
  fmt::print("{} vectors x {}: all products {:.3f} ms, exact search {:.3f} ms\n", problem.bias.size(), dim,
             milliseconds_of_products(problem), exact.milliseconds);
  for (const Precision precision : precisions) {
    const double start = cpu_seconds();
    const NeighbourIndex index = make_index(problem, 0, precision);
    const std::size_t probes = index.fewest_probes(problem.to_choose, glas::kBestForProbes, glas::kShareForProbes, {});
    const double seconds = cpu_seconds() - start;
    const Found found = search(index, problem.queries, probes);
    const std::uint64_t bytes =
        NeighbourIndex::bytes(index.size(), dim, {index.n_cells(), Nearness::kInnerProduct, precision});
    fmt::print("{}: {} cells and {} probes, made in {:.1f} s; recall {:.4f}, {:.3f} ms, {:.1f} MB\n",
               choice_names(precision)[static_cast<std::size_t>(precision)], index.n_cells(), probes, seconds,
               recall(found, exact), found.milliseconds, 1e-6 * static_cast<double>(bytes));
    std::fflush(stdout);
  }
}

}  // namespace

int main(int argc, char** argv) try {
  constexpr Precision kAll[] = {Precision::kFloat, Precision::kBf16, Precision::kInt8};
  constexpr Precision kTwo[] = {Precision::kFloat, Precision::kInt8};  // a million vectors take minutes
  if (argc != 3 && argc != 4) {
    fmt::print(stderr, "label_search_bench MODEL TRAIN ROWS | label_search_bench N DIM\n");
    return 2;
  }
  with_threads(1, [&] {
    if (argc == 3) {
      measure(made_up(std::stoul(argv[1]), std::stoul(argv[2])), kTwo);
    } else {
      measure(of_model(argv[1], argv[2], argv[3]), kAll);
    }
  });
  return 0;
} catch (const std::exception& error) {
  fmt::print(stderr, "label_search_bench: {}\n", error.what());
  return 1;
}
