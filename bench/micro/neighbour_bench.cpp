// SPDX-License-Identifier: Apache-2.0
// What the neighbour index finds and how fast, on one thread, and hnswlib beside it where that is installed:
// neighbour_bench [MODEL], on the embedded training rows of a model of dxml or else on made-up vectors in clusters.
// Rounds go over all settings, since speeds change by the minute; times are CPU times, medians over the rounds.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "algorithms/neighbour_index.h"
#include "core/parallel.h"
#include "model_file/reader.h"
#include "yardsticks.h"
#ifdef XYLEM_HNSWLIB
#include <hnswlib/hnswlib.h>
#endif

namespace {

using namespace xylem;
using Eigen::Index;

constexpr std::size_t kNeighbours = 10;
constexpr std::size_t kQueries = 200;
constexpr std::size_t kBlock = 64;  // queries asked at once
constexpr int kRounds = 5;

struct Problem {
  Matrix vectors, queries;
};

// Of length 1, around three hundred centres.
Matrix clustered(std::size_t n, std::size_t dim) {
  constexpr std::size_t kCentres = 300;
  constexpr float kNoise = 0.7f;  // its length, that of the centres being 1
  Random random(1, {});
  const auto fill = [&](Matrix& matrix) {
    for (float& value : matrix.reshaped()) value = static_cast<float>(random.normal());
  };
  Matrix centres(kCentres, static_cast<Index>(dim)), result(static_cast<Index>(n), static_cast<Index>(dim));
  fill(centres);
  fill(result);
  centres.rowwise().normalize();
  result *= kNoise / std::sqrt(static_cast<float>(dim));
  for (Index row = 0; row < result.rows(); ++row)
    result.row(row) += centres.row(static_cast<Index>(random.below(kCentres)));
  result.rowwise().normalize();
  return result;
}

Matrix embedded_rows(const std::string& model) {
  const ModelReader in(model);
  const std::string prefix = "dxml.0.index";
  const std::size_t n = in.array<std::uint32_t>(prefix + ".ids").size();
  const std::size_t n_cells = in.array<std::uint64_t>(prefix + ".cell_offsets").size() - 1;
  const std::size_t dim = in.array<float>(prefix + ".centres").size() / n_cells;
  const PackedVectors packed(in, prefix, n, dim);
  std::vector<float> buffer;
  return MatrixView(packed.decode(0, n, buffer), static_cast<Index>(n), static_cast<Index>(dim));
}

// The queries are vectors that the index then lacks.
Problem split(const Matrix& vectors) {
  std::vector<std::uint32_t> order(static_cast<std::size_t>(vectors.rows()));
  for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  Random(2, {}).shuffle(std::span(order));
  const auto n_queries = static_cast<Index>(std::min(kQueries, order.size() / 2));
  Problem problem{Matrix(vectors.rows() - n_queries, vectors.cols()), Matrix(n_queries, vectors.cols())};
  for (Index i = 0; i < n_queries; ++i) problem.queries.row(i) = vectors.row(order[static_cast<std::size_t>(i)]);
  for (Index i = n_queries; i < vectors.rows(); ++i) {
    problem.vectors.row(i - n_queries) = vectors.row(order[static_cast<std::size_t>(i)]);
  }
  return problem;
}

using Found = std::vector<std::vector<std::uint32_t>>;  // of each query
using Search = std::function<void(const Matrix& queries, Found& found)>;

struct Subject {
  std::string name;
  double build_seconds;
  Search search;
  bool has_blocks;
  std::vector<double> alone, in_blocks;  // ms a query, of each round
  double recall = 0;
};

// ms a query, `step` of them asked at once.
double measure(const Search& search, const Matrix& queries, std::size_t step, Found& found) {
  const double start = cpu_seconds();
  for (Index begin = 0; begin < queries.rows(); begin += static_cast<Index>(step)) {
    search(queries.middleRows(begin, std::min(static_cast<Index>(step), queries.rows() - begin)), found);
  }
  return 1000 * (cpu_seconds() - start) / static_cast<double>(queries.rows());
}

// The share of those found that are as near as the truth's last, to within rounding: of equals any will do.
double recall(const Found& found, const Found& truth, const Problem& problem) {
  constexpr float kRounding = 1e-6f;
  double hits = 0;
  for (std::size_t i = 0; i < truth.size(); ++i) {
    const auto score = [&](std::uint32_t id) {
      return problem.vectors.row(id).dot(problem.queries.row(static_cast<Index>(i)));
    };
    const float last = score(truth[i].back()) - kRounding;
    hits += static_cast<double>(std::ranges::count_if(found[i], [&](std::uint32_t id) { return score(id) >= last; }));
  }
  return hits / static_cast<double>(truth.size() * kNeighbours);
}

void add_ours(const Problem& problem, std::vector<Subject>& subjects) {
  struct Cells {
    std::size_t n;
    std::vector<std::size_t> probes;
  };
  for (const Precision precision : {Precision::kFloat, Precision::kBf16, Precision::kInt8}) {
    for (const Cells& cells : {Cells{1, {1}}, Cells{256, {1, 4, 16}}, Cells{1024, {1, 4, 16, 64}}}) {
      const double start = cpu_seconds();
      const auto index = std::make_shared<const NeighbourIndex>(
          problem.vectors, NeighbourIndex::Options{cells.n, Nearness::kCosine, precision}, Random(1, {}), Run{});
      const double seconds = cpu_seconds() - start;
      const auto scratch = std::make_shared<NeighbourScratch>();
      for (const std::size_t probes : cells.probes) {
        const Search search = [=](const Matrix& queries, Found& found) {
          index->search(queries, kNeighbours, probes, *scratch);
          for (std::size_t i = 0; i < static_cast<std::size_t>(queries.rows()); ++i) {
            auto& ids = found.emplace_back();
            for (const Scored& entry : scratch->best[i].sorted()) ids.push_back(entry.id);
          }
        };
        const std::string_view name = choice_names(precision)[static_cast<std::size_t>(precision)];
        subjects.push_back({fmt::format("{}, {} of {} cells", name, probes, cells.n), seconds, search, true, {}, {}});
      }
    }
  }
}

#ifdef XYLEM_HNSWLIB
void add_hnswlib(const Problem& problem, std::vector<Subject>& subjects) {
  constexpr std::size_t kLinks = 16, kEfConstruction = 200;  // the library's defaults
  const auto dim = static_cast<std::size_t>(problem.vectors.cols());
  const auto n = static_cast<std::size_t>(problem.vectors.rows());
  const auto space = std::make_shared<hnswlib::InnerProductSpace>(dim);
  const double start = cpu_seconds();
  const auto index = std::make_shared<hnswlib::HierarchicalNSW<float>>(space.get(), n, kLinks, kEfConstruction);
  for (std::size_t i = 0; i < n; ++i) index->addPoint(problem.vectors.row(static_cast<Index>(i)).data(), i);
  const double seconds = cpu_seconds() - start;
  for (const std::size_t ef : {10, 20, 40, 80, 160, 320, 640}) {
    const Search search = [space, index, ef](const Matrix& queries, Found& found) {
      index->setEf(ef);
      for (Index i = 0; i < queries.rows(); ++i) {
        auto queue = index->searchKnn(queries.row(i).data(), kNeighbours);
        auto& ids = found.emplace_back();
        for (; !queue.empty(); queue.pop()) ids.push_back(static_cast<std::uint32_t>(queue.top().second));
      }
    };
    subjects.push_back({fmt::format("hnswlib, ef {}", ef), seconds, search, false, {}, {}});
  }
}
#else
void add_hnswlib(const Problem&, std::vector<Subject>&) {
  fmt::print("Built without hnswlib.\n\n");
}
#endif

void run(const Problem& problem) {
  std::vector<Subject> subjects;
  add_ours(problem, subjects);
  add_hnswlib(problem, subjects);
  Found truth;  // the first looks at every vector as it is
  measure(subjects.front().search, problem.queries, kBlock, truth);
  for (int round = 0; round < kRounds; ++round) {
    for (Subject& subject : subjects) {
      Found found;
      subject.alone.push_back(measure(subject.search, problem.queries, 1, found));
      subject.recall = recall(found, truth, problem);
      if (subject.has_blocks) subject.in_blocks.push_back(measure(subject.search, problem.queries, kBlock, found));
    }
  }
  fmt::print("{} vectors of {} dimensions\n\n", problem.vectors.rows(), problem.vectors.cols());
  fmt::print("| | recall@{} | ms a query | {} at once | building, s |\n|---|--:|--:|--:|--:|\n", kNeighbours, kBlock);
  for (const Subject& subject : subjects) {
    const std::string blocks = subject.has_blocks ? fmt::format("{:.4f}", median(subject.in_blocks)) : "";
    fmt::print("| {} | {:.3f} | {:.4f} | {} | {:.1f} |\n", subject.name, subject.recall, median(subject.alone), blocks,
               subject.build_seconds);
  }
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const Matrix vectors = argc > 1 ? embedded_rows(argv[1]) : clustered(100'000 + kQueries, 200);
    with_threads(1, [&] { run(split(vectors)); });
  } catch (const std::exception& error) {
    fmt::print(stderr, "neighbour_bench: {}\n", error.what());
    return 1;
  }
  return 0;
}
