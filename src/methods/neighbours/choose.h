// SPDX-License-Identifier: Apache-2.0
// What is chosen by nDCG@5 on the validation rows, at most the first 5,000 of them, by the votes of the nearest
// training rows.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/random.h"
#include "methods/neighbours/member.h"
#include "methods/neighbours/valid_neighbours.h"
#include "xylem/method.h"

namespace xylem::neighbours {

struct VoteChoice {
  double figure = -1;
  std::uint64_t k = 0;
  double blend = 0;
  double weighting = 0;
  double vote_power = 0;
  double label_share = 0;

  VoteOptions applied_to(VoteOptions options) const {
    options.k = static_cast<int>(k);
    options.blend = blend;
    options.weighting = weighting;
    options.vote_power = vote_power;
    options.label_share = label_share;
    return options;
  }
};
static_assert(sizeof(VoteChoice) == 6 * sizeof(std::uint64_t), "checkpoints hold its bytes: no holes");

// The best k, blend, weighting and vote power, and with these the best label share, the smallest of equals; those of
// the options where they are given. The search is exact.
VoteChoice choose_votes(const Encoder& encoder, const MemberData& data, const VoteOptions& options, const Run& run);

// What is often chosen, and what is given: for who has no time left.
VoteChoice usual_votes(const VoteOptions& options);

// nDCG where the first k of the validation rows' neighbours vote, each alone.
double figure_of(const Neighbours& neighbours, std::size_t k, const MemberData& data, double vote_power);

// Bytes that choosing needs beside the index and the embedded rows.
std::uint64_t choice_bytes(const VoteOptions& options, const DataShape& shape);

// options.clusters, or where that is 0 the root of the number of rows; few rows are searched as a whole.
std::size_t cluster_count(const VoteOptions& options, std::size_t n_rows);

struct CellChoice {
  std::size_t clusters, probes;
};

// What is given; else clusters by the number of rows, and the fewest probes with which the figure is nearly as good as
// with all. 1 of what is not given where there are no validation rows. Nothing else is left to choose.
CellChoice choose_cells(const Encoder& encoder, const MemberData& data, const VoteOptions& options, Random random,
                        const Run& run);

}  // namespace xylem::neighbours
