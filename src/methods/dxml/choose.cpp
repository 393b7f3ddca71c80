// SPDX-License-Identifier: Apache-2.0
#include "methods/dxml/choose.h"

#include <algorithm>
#include <cmath>

#include "core/parallel.h"
#include "learn/neighbour_index.h"
#include "methods/dxml/own_cosines.h"
#include "methods/dxml/votes.h"
#include "xylem/metrics.h"

namespace xylem::dxml {
namespace {

using Eigen::Index;
constexpr std::size_t kCandidatesForK[] = {1, 3, 5, 10, 15, 20, 30, 40, 60, 80, 120};
constexpr double kCandidatesForBlend[] = {0, 0.2, 0.4, 0.6, 0.8};
constexpr std::size_t kDepth = 5;
constexpr const char* kFigure = "nDCG@5";
constexpr std::size_t kGrain = 64;

struct Neighbour {
  std::uint32_t id;  // a place in LearnerData::rows
  float embedded, own;
};
using Neighbours = std::vector<std::vector<Neighbour>>;     // of each validation row
using ScoredNeighbours = std::vector<std::vector<Scored>>;  // the nearest first

Neighbours find_neighbours(const NeighbourIndex& index, const Matrix& queries, std::size_t depth, std::size_t probes,
                           const LearnerData& data, const Run& run) {
  Neighbours neighbours(static_cast<std::size_t>(queries.rows()));
  struct Buffers {
    NeighbourScratch search;
    SpreadRow query;
  };
  PerWorker<Buffers> workers;
  const SparseMatrix& rows = data.train.features;
  parallel_for(neighbours.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    run.check();
    Buffers& buffers = workers.local();
    index.search(queries.middleRows(static_cast<Index>(begin), static_cast<Index>(end - begin)), depth, probes,
                 buffers.search);
    for (std::size_t row = begin; row < end; ++row) {
      buffers.query.assign(data.valid->features[row], rows.n_columns);
      for (const Scored& found : buffers.search.best[row - begin].sorted()) {
        neighbours[row].push_back({found.id, found.score, buffers.query.product(rows[data.rows[found.id]])});
      }
    }
  });
  return neighbours;
}

ScoredNeighbours blend_scores(const Neighbours& neighbours, double blend) {
  ScoredNeighbours result(neighbours.size());
  parallel_for(neighbours.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t row = begin; row < end; ++row) {
      for (const auto& [id, embedded, own] : neighbours[row])
        result[row].push_back({blended(embedded, own, blend), id});
      std::ranges::sort(result[row], better);
    }
  });
  return result;
}

// Where the first k of them vote.
double figure_of(const ScoredNeighbours& neighbours, std::size_t k, const LearnerData& data, double vote_power) {
  Votes votes(data.train.n_labels);
  TopLabels predictions;
  for (const std::vector<Scored>& found : neighbours) {
    for (const Scored& neighbour : std::span(found).first(std::min(k, found.size()))) {
      votes.add(neighbour, vote_power, data.train.labels[data.rows[neighbour.id]]);
    }
    votes.finish(kDepth, predictions);
  }
  const EvalOptions at_depth{.ks = {kDepth}, .bootstrap = 0};
  return evaluate(data.valid->labels, predictions, {}, at_depth).figure(kFigure).value;
}

}  // namespace

VoteChoice choose_votes(const Net& net, const LearnerData& data, const DxmlOptions& options, const Run& run) {
  std::vector<std::size_t> ks(std::begin(kCandidatesForK), std::end(kCandidatesForK));
  if (options.k > 0) ks = {static_cast<std::size_t>(options.k)};
  std::vector<double> blends(std::begin(kCandidatesForBlend), std::end(kCandidatesForBlend));
  if (options.blend >= 0) blends = {options.blend};
  const NeighbourIndex index(embed_rows(net, data.train.features.rows(), data.rows, run), {}, Random(0, {}), run);
  const Matrix queries = embed_rows(net, data.valid->features.rows(), run);
  const auto candidates = static_cast<std::size_t>(options.candidates);
  const std::size_t depth = search_depth(std::ranges::max(ks), candidates, std::ranges::max(blends), data.rows.size());
  const Neighbours neighbours = find_neighbours(index, queries, depth, 1, data, run);
  VoteChoice best;
  for (const double blend : blends) {
    const ScoredNeighbours scored = blend_scores(neighbours, blend);
    std::vector<double> figures(ks.size());
    parallel_for(ks.size(), 1,
                 [&](std::size_t i, std::size_t) { figures[i] = figure_of(scored, ks[i], data, options.vote_power); });
    for (std::size_t i = 0; i < ks.size(); ++i) {
      if (figures[i] > best.figure) best = {figures[i], ks[i], blend};
    }
  }
  return best;
}

std::size_t cluster_count(const DxmlOptions& options, std::size_t n_rows) {
  constexpr std::size_t kFewRows = 10'000;  // a query multiplies with so many in a third of a millisecond
  if (options.clusters > 0) return static_cast<std::size_t>(options.clusters);
  return n_rows < kFewRows ? 1 : static_cast<std::size_t>(std::sqrt(static_cast<double>(n_rows)));
}

CellChoice choose_cells(const Net& net, const LearnerData& data, const DxmlOptions& options, Random random,
                        const Run& run) {
  constexpr double kNearlyAsGood = 0.1;
  const bool can_choose = data.valid != nullptr;
  const std::size_t clusters =
      can_choose ? cluster_count(options, data.rows.size()) : static_cast<std::size_t>(std::max(options.clusters, 1));
  if (clusters == 1 || options.probes > 0 || !can_choose) {
    return {clusters, static_cast<std::size_t>(std::max(options.probes, 1))};
  }
  const NeighbourIndex index(embed_rows(net, data.train.features.rows(), data.rows, run),
                             {clusters, Nearness::kCosine, options.precision}, random, run);
  const Matrix queries = embed_rows(net, data.valid->features.rows(), run);
  const auto figure_with = [&](std::size_t n_probes) {
    const auto k = static_cast<std::size_t>(options.k);
    const std::size_t depth =
        search_depth(k, static_cast<std::size_t>(options.candidates), options.blend, data.rows.size());
    const Neighbours neighbours = find_neighbours(index, queries, depth, n_probes, data, run);
    return figure_of(blend_scores(neighbours, options.blend), k, data, options.vote_power);
  };
  const double exact = figure_with(clusters);
  for (std::size_t few = 1; few < clusters; few *= 2) {
    if (figure_with(few) >= exact - kNearlyAsGood) return {clusters, few};
  }
  return {clusters, clusters};
}

}  // namespace xylem::dxml
