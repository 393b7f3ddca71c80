// SPDX-License-Identifier: Apache-2.0
#include "methods/neighbours/choose_ridge.h"

#include <algorithm>

#include "core/parallel.h"
#include "methods/neighbours/choose.h"
#include "methods/neighbours/kernel_votes.h"
#include "methods/neighbours/votes.h"

namespace xylem::neighbours {
namespace {

constexpr std::size_t kMostRidgeQueries = 2000;
constexpr double kNearlyAsGood = 0.15;  // in percent: less than the figure varies with the seed
constexpr std::size_t kRidgeCandidatesForK[] = {30, 60, 120, kMostChosenTogether};
constexpr std::size_t kManyRows = 20'000;  // fewer are not worth the time that the last of these takes
constexpr double kRidgeCandidatesForPower[] = {1, 2, 4};
constexpr double kCandidatesForRidge[] = {0.2, 0.5, 1, 3};
// Blends are compared with these few, which were good ones on all data that were tried.
constexpr double kRidgeCandidatesForWeighting[] = {0, 1}, kRidgeCandidatesForBlend[] = {0, 0.25, 0.5, 0.75, 1};
constexpr std::size_t kUsualK[] = {60};
constexpr double kUsualPowers[] = {1, 2}, kUsualRidges[] = {0.3, 1};

std::vector<KernelSetting> settings_to_try(const VoteOptions& given, std::span<const std::size_t> ks,
                                           std::span<const double> powers, std::span<const double> ridges) {
  const std::size_t given_k[] = {static_cast<std::size_t>(given.k)};
  if (given.k > 0) ks = given_k;
  if (given.vote_power >= 0) powers = std::span(&given.vote_power, 1);
  if (given.ridge >= 0) ridges = std::span(&given.ridge, 1);
  std::vector<KernelSetting> settings;
  for (const std::size_t k : ks) {
    for (const double power : powers) {
      for (const double ridge : ridges) settings.push_back({k, power, ridge});
    }
  }
  return settings;
}

// Of those that are nearly as good as the best: the smallest k, because time grows with its square, and then the
// largest ridge: on eurlex57k it has the better first label.
std::size_t simplest_good(const std::vector<KernelSetting>& settings, const std::vector<double>& figures) {
  const double enough = std::ranges::max(figures) - kNearlyAsGood;
  std::size_t result = settings.size();
  for (std::size_t i = 0; i < settings.size(); ++i) {
    if (figures[i] < enough) continue;
    const bool is_first = result == settings.size();
    if (is_first || (settings[i].k == settings[result].k && settings[i].ridge > settings[result].ridge)) result = i;
  }
  return result;
}

}  // namespace

std::vector<double> kernel_figures(const Neighbours& neighbours, const NeighbourIndex& index, const Blend& blend,
                                   const std::vector<KernelSetting>& settings, const MemberData& data, const Run& run) {
  const OwnRows rows(data, blend.weighting);
  const std::size_t n_blocks = (neighbours.size() + kQueryGrain - 1) / kQueryGrain;
  std::vector<std::vector<TopLabels>> of_block(n_blocks, std::vector<TopLabels>(settings.size()));
  struct Buffers {
    KernelVotes kernel;
    Votes votes;
  };
  PerWorker<Buffers> workers;
  parallel_for(n_blocks, 1, [&](std::size_t block, std::size_t) {
    Buffers& buffers = workers.local();
    buffers.votes.resize(data.train.n_labels);
    const std::size_t end = std::min(neighbours.size(), (block + 1) * kQueryGrain);
    for (std::size_t row = block * kQueryGrain; row < end; ++row) {
      run.check();  // all settings of a row take a hundredth of a second or more
      const std::span<const Scored> found = neighbours[row];
      buffers.kernel.assign(found, index, rows, blend.blend);
      for (std::size_t i = 0; i < settings.size(); ++i) {
        const auto first = found.first(std::min(settings[i].k, found.size()));
        const auto votes = buffers.kernel.votes(first, settings[i].power, settings[i].ridge);
        for (std::size_t j = 0; j < votes.size(); ++j) {
          buffers.votes.add(votes[j], data.train.labels[data.rows[first[j].id]]);
        }
        buffers.votes.finish(kFigureDepth, 1, of_block[block][i]);
      }
    }
  });
  std::vector<double> figures;
  for (std::size_t i = 0; i < settings.size(); ++i) {
    TopLabels all;
    for (const std::vector<TopLabels>& part : of_block) all.append(part[i]);
    figures.push_back(validation_figure(data.valid->labels, all));
  }
  return figures;
}

VoteOptions choose_ridge(const Encoder& encoder, const MemberData& data, const VoteOptions& given,
                         const VoteOptions& chosen, const Run& run) {
  const std::span<const std::size_t> ks(kRidgeCandidatesForK,
                                        std::size(kRidgeCandidatesForK) - (data.rows.size() < kManyRows));
  const std::vector<KernelSetting> settings = settings_to_try(given, ks, kRidgeCandidatesForPower, kCandidatesForRidge);
  const std::vector<Blend> blends = blends_to_try(given, kRidgeCandidatesForWeighting, kRidgeCandidatesForBlend);
  const NeighbourIndex index(embed_rows(encoder, data.train.features.rows(), data.rows, run), {}, Random(0, {}), run);
  const Matrix queries = embed_queries(encoder, data, kMostRidgeQueries, run);
  const auto neighbours_with = [&](const std::vector<Blend>& of, std::size_t k) {
    const double largest = std::ranges::max(of, {}, &Blend::blend).blend;
    const std::size_t depth = search_depth(k, static_cast<std::size_t>(given.candidates), largest, data.rows.size());
    return find_neighbours(index, queries, {depth, 1, k}, of, data, run);
  };
  const auto best_of = [](const std::vector<double>& figures) {
    return static_cast<std::size_t>(std::ranges::max_element(figures) - figures.begin());
  };

  Blend best_blend = blends.front();
  if (blends.size() > 1) {
    const std::vector<KernelSetting> usual = settings_to_try(given, kUsualK, kUsualPowers, kUsualRidges);
    const std::vector<Neighbours> neighbours = neighbours_with(blends, usual.front().k);
    std::vector<double> figures;
    for (std::size_t i = 0; i < blends.size(); ++i) {
      figures.push_back(std::ranges::max(kernel_figures(neighbours[i], index, blends[i], usual, data, run)));
    }
    best_blend = blends[best_of(figures)];
  }

  const Neighbours neighbours = neighbours_with({best_blend}, settings.back().k).front();
  const std::vector<double> figures = kernel_figures(neighbours, index, best_blend, settings, data, run);
  const std::size_t place = simplest_good(settings, figures);
  VoteOptions result = chosen;
  result.ridge = 0;
  if (given.ridge < 0) {
    const std::vector<Blend> blend{{chosen.weighting, chosen.blend}};
    const auto k = static_cast<std::size_t>(chosen.k);
    if (figure_of(neighbours_with(blend, k).front(), k, data, chosen.vote_power) >= figures[place]) return result;
  }
  result.k = static_cast<int>(settings[place].k);
  result.blend = best_blend.blend;
  result.weighting = best_blend.weighting;
  result.vote_power = settings[place].power;
  result.ridge = settings[place].ridge;
  return result;
}

}  // namespace xylem::neighbours
