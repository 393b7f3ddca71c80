// SPDX-License-Identifier: Apache-2.0
#include "methods/neighbours/choose.h"

#include <algorithm>
#include <cmath>

#include "core/parallel.h"
#include "methods/neighbours/choose_ridge.h"
#include "methods/neighbours/label_cosines.h"
#include "methods/neighbours/votes.h"

namespace xylem::neighbours {
namespace {

using Eigen::Index;
constexpr std::size_t kCandidatesForK[] = {1, 3, 5, 10, 15, 20, 30, 40, 60, 80, 120};
constexpr double kCandidatesForBlend[] = {0, 0.25, 0.5, 0.75, 1};
constexpr double kCandidatesForWeighting[] = {0, 0.5, 1};
constexpr double kCandidatesForPower[] = {4, 8};
constexpr double kCandidatesForShare[] = {0, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 1};
constexpr std::size_t kMostQueries = 5000;  // validation rows that are looked at: as many as are held out by default

void add_votes(std::span<const Scored> found, std::size_t k, const MemberData& data, double vote_power, Votes& votes) {
  for (const Scored& neighbour : found.first(std::min(k, found.size()))) {
    votes.add(vote_of(neighbour, vote_power), data.train.labels[data.rows[neighbour.id]]);
  }
}

// Where the cosines with the labels' vectors have this share beside the votes.
std::vector<double> figures_with_labels(const Neighbours& neighbours, const Matrix& queries,
                                        const Array<float>& vectors, const std::vector<double>& shares,
                                        const VoteOptions& options, const MemberData& data, const Run& run) {
  const std::size_t n_blocks = (neighbours.size() + kQueryGrain - 1) / kQueryGrain;
  std::vector<std::vector<TopLabels>> of_block(n_blocks, std::vector<TopLabels>(shares.size()));
  struct Buffers {
    LabelCosines cosines;
    Votes votes;
  };
  PerWorker<Buffers> workers;
  const LabelSpace labels({vectors.span(), static_cast<std::size_t>(queries.cols())}, data.train.n_labels);
  parallel_for(n_blocks, 1, [&](std::size_t block, std::size_t) {
    run.check();
    Buffers& buffers = workers.local();
    buffers.votes.resize(data.train.n_labels);
    const std::size_t begin = block * kQueryGrain, n = std::min(kQueryGrain, neighbours.size() - begin);
    buffers.cosines.begin(n, data.train.n_labels);
    buffers.cosines.add(queries.middleRows(static_cast<Index>(begin), static_cast<Index>(n)), labels);
    for (std::size_t row = 0; row < n; ++row) {
      for (std::size_t i = 0; i < shares.size(); ++i) {
        add_votes(neighbours[begin + row], static_cast<std::size_t>(options.k), data, options.vote_power,
                  buffers.votes);
        buffers.votes.finish(kFigureDepth, buffers.votes.all(), buffers.cosines[row], shares[i], of_block[block][i]);
      }
    }
  });
  std::vector<double> figures;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    TopLabels all;
    for (const std::vector<TopLabels>& part : of_block) all.append(part[i]);
    figures.push_back(validation_figure(data.valid->labels, all));
  }
  return figures;
}

std::vector<Blend> blends_to_try(const VoteOptions& options) {
  return blends_to_try(options, kCandidatesForWeighting, kCandidatesForBlend);
}

}  // namespace

double figure_of(const Neighbours& neighbours, std::size_t k, const MemberData& data, double vote_power) {
  Votes votes(data.train.n_labels);
  TopLabels predictions;
  for (const std::vector<Scored>& found : neighbours) {
    add_votes(found, k, data, vote_power, votes);
    votes.finish(kFigureDepth, votes.all(), predictions);
  }
  return validation_figure(data.valid->labels, predictions);
}

VoteChoice choose_votes(const Encoder& encoder, const MemberData& data, const VoteOptions& options, const Run& run) {
  std::vector<std::size_t> ks(std::begin(kCandidatesForK), std::end(kCandidatesForK));
  if (options.k > 0) ks = {static_cast<std::size_t>(options.k)};
  const std::vector<Blend> blends = blends_to_try(options);
  std::vector<double> powers(std::begin(kCandidatesForPower), std::end(kCandidatesForPower));
  if (options.vote_power >= 0) powers = {options.vote_power};
  const NeighbourIndex index(embed_rows(encoder, data.train.features.rows(), data.rows, run), {}, Random(0, {}), run);
  const Matrix queries = embed_queries(encoder, data, kMostQueries, run);
  const auto candidates = static_cast<std::size_t>(options.candidates);
  const std::size_t most = std::ranges::max(ks);
  const Search search{search_depth(most, candidates, blends.back().blend, data.rows.size()), 1, most};
  const std::vector<Neighbours> neighbours = find_neighbours(index, queries, search, blends, data, run);
  VoteChoice best;
  std::size_t best_neighbours = 0;
  for (std::size_t b = 0; b < blends.size(); ++b) {
    for (const double power : powers) {
      std::vector<double> figures(ks.size());
      parallel_for(ks.size(), 1,
                   [&](std::size_t i, std::size_t) { figures[i] = figure_of(neighbours[b], ks[i], data, power); });
      for (std::size_t i = 0; i < ks.size(); ++i) {
        if (figures[i] <= best.figure) continue;
        best = {figures[i], ks[i], blends[b].blend, blends[b].weighting, power, 0};
        best_neighbours = b;
      }
    }
  }
  if (options.label_share == 0) return best;
  std::vector<double> shares(std::begin(kCandidatesForShare), std::end(kCandidatesForShare));
  if (options.label_share > 0) shares = {options.label_share};
  const Array<float> vectors = data.label_vectors.size() > 0 ? data.label_vectors : encoder.label_vectors();
  const std::vector<double> figures =
      figures_with_labels(neighbours[best_neighbours], queries, vectors, shares, best.applied_to(options), data, run);
  best.figure = -1;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    if (figures[i] > best.figure) {
      best.figure = figures[i];
      best.label_share = shares[i];
    }
  }
  return best;
}

VoteChoice usual_votes(const VoteOptions& options) {
  const auto given_or = [](double given, double usual) { return given >= 0 ? given : usual; };
  return {.k = static_cast<std::uint64_t>(options.k > 0 ? options.k : 30),
          .blend = given_or(options.blend, 0.75),
          .weighting = given_or(options.weighting, 1),
          .vote_power = given_or(options.vote_power, 4),
          .label_share = given_or(options.label_share, 0)};
}

std::uint64_t choice_bytes(const VoteOptions& options, const DataShape& shape) {
  const std::uint64_t most = options.k > 0 ? static_cast<std::uint64_t>(options.k) : std::ranges::max(kCandidatesForK);
  const std::vector<Blend> blends = blends_to_try(options);
  const std::uint64_t metrics = options.blend != 0 ? std::size(kCandidatesForWeighting) : 0;
  return kMostQueries * blends.size() * std::min<std::uint64_t>(most, shape.rows) * sizeof(Scored) +
         metrics * (shape.features + shape.rows) * sizeof(float);
}

std::size_t cluster_count(const VoteOptions& options, std::size_t n_rows) {
  constexpr std::size_t kFewRows = 2'000;  // a query multiplies with so many in some 20 microseconds
  if (options.clusters > 0) return static_cast<std::size_t>(options.clusters);
  return n_rows < kFewRows ? 1 : static_cast<std::size_t>(std::sqrt(static_cast<double>(n_rows)));
}

CellChoice choose_cells(const Encoder& encoder, const MemberData& data, const VoteOptions& options, Random random,
                        const Run& run) {
  constexpr double kNearlyAsGood = 0.1;  // in percent: less than the figure varies with the seed
  const bool can_choose = data.valid != nullptr;
  const std::size_t clusters =
      can_choose ? cluster_count(options, data.rows.size()) : static_cast<std::size_t>(std::max(options.clusters, 1));
  if (clusters == 1 || options.probes > 0 || !can_choose) {
    return {clusters, static_cast<std::size_t>(std::max(options.probes, 1))};
  }
  const NeighbourIndex index(embed_rows(encoder, data.train.features.rows(), data.rows, run),
                             {clusters, Nearness::kCosine, options.precision}, random, run);
  const Matrix queries = embed_queries(encoder, data, kMostQueries, run);
  const auto figure_with = [&](std::size_t n_probes) {
    const auto k = static_cast<std::size_t>(options.k);
    const std::size_t depth =
        search_depth(k, static_cast<std::size_t>(options.candidates), options.blend, data.rows.size());
    const Blend blend{options.weighting, options.blend};
    const Neighbours found = find_neighbours(index, queries, {depth, n_probes, k}, {blend}, data, run).front();
    if (options.ridge == 0) return figure_of(found, k, data, options.vote_power);
    return kernel_figures(found, index, blend, {{k, options.vote_power, options.ridge}}, data, run).front();
  };
  const double exact = figure_with(clusters);
  for (std::size_t few = 1; few < clusters; few *= 2) {
    if (figure_with(few) >= exact - kNearlyAsGood) return {clusters, few};
  }
  return {clusters, clusters};
}

}  // namespace xylem::neighbours
