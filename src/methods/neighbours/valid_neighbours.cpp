// SPDX-License-Identifier: Apache-2.0
#include "methods/neighbours/valid_neighbours.h"

#include <algorithm>

#include "core/parallel.h"

namespace xylem::neighbours {

using Eigen::Index;

OwnRows::OwnRows(const MemberData& data, double weighting)
    : data_(data), metric_(data.feature_weights, weighting, data.train.features.n_columns) {
  for (const std::uint32_t row : data.rows) {
    inverse_lengths_.push_back(metric_.inverse_length(data.train.features[row]));
  }
}

std::vector<Blend> blends_to_try(const VoteOptions& options, std::span<const double> weightings,
                                 std::span<const double> blends) {
  if (options.weighting >= 0) weightings = std::span(&options.weighting, 1);
  if (options.blend >= 0) blends = std::span(&options.blend, 1);
  std::vector<Blend> result;
  for (const double weighting : weightings) {
    for (const double blend : blends) {
      if (blend > 0 || weighting == weightings.front()) result.push_back({weighting, blend});
    }
  }
  return result;
}

Matrix embed_queries(const Encoder& encoder, const MemberData& data, std::size_t most, const Run& run) {
  const SparseRows rows = data.valid->features.rows();
  return embed_rows(encoder, rows.slice(0, std::min(rows.size(), most)), run);
}

std::vector<Neighbours> find_neighbours(const NeighbourIndex& index, const Matrix& queries, const Search& search,
                                        const std::vector<Blend>& blends, const MemberData& data, const Run& run) {
  std::vector<Neighbours> result(blends.size(), Neighbours(static_cast<std::size_t>(queries.rows())));
  std::vector<OwnRows> own_rows;  // of each weighting
  std::vector<std::size_t> own_rows_of;
  for (std::size_t i = 0; i < blends.size(); ++i) {
    if (i == 0 || blends[i].weighting != blends[i - 1].weighting) own_rows.emplace_back(data, blends[i].weighting);
    own_rows_of.push_back(own_rows.size() - 1);
  }
  struct Buffers {
    NeighbourScratch search;
    SpreadRow query;
    std::vector<float> own;
    TopK best;
  };
  PerWorker<Buffers> workers;
  parallel_for(static_cast<std::size_t>(queries.rows()), kQueryGrain, [&](std::size_t begin, std::size_t end) {
    run.check();
    Buffers& buffers = workers.local();
    index.search(queries.middleRows(static_cast<Index>(begin), static_cast<Index>(end - begin)), search.depth,
                 search.probes, buffers.search);
    for (std::size_t row = begin; row < end; ++row) {
      const auto found = buffers.search.best[row - begin].sorted();
      buffers.own.clear();
      for (std::size_t i = 0; i < blends.size(); ++i) {
        if (blends[i].blend > 0 && (i == 0 || own_rows_of[i] != own_rows_of[i - 1] || buffers.own.empty())) {
          const OwnRows& own = own_rows[own_rows_of[i]];
          buffers.query.assign(data.valid->features[row], own.metric());
          buffers.own.clear();
          for (const Scored& candidate : found) {
            buffers.own.push_back(buffers.query.cosine(own.features(candidate.id), own.inverse_length(candidate.id)));
          }
        }
        buffers.best.reset(search.most);
        for (std::size_t j = 0; j < found.size(); ++j) {
          const float own = blends[i].blend > 0 ? buffers.own[j] : 0;
          buffers.best.offer(blended(found[j].score, own, blends[i].blend), found[j].id);
        }
        const auto best = buffers.best.sorted();
        result[i][row].assign(best.begin(), best.end());
      }
    }
  });
  return result;
}

}  // namespace xylem::neighbours
