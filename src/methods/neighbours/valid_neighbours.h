// SPDX-License-Identifier: Apache-2.0
// The nearest training rows of the validation rows, for choosing how they vote.
#pragma once

#include <span>
#include <vector>

#include "algorithms/neighbour_index.h"
#include "algorithms/validation.h"
#include "core/dense.h"
#include "core/top_k.h"
#include "methods/neighbours/member.h"
#include "methods/neighbours/own_cosines.h"

namespace xylem::neighbours {

inline constexpr std::size_t kQueryGrain = 64;  // validation rows that a thread looks at in one go

// The training rows as a metric sees them, by their numbers in an index.
class OwnRows {
 public:
  OwnRows(const MemberData& data, double weighting);

  const OwnMetric& metric() const { return metric_; }
  SparseRow features(std::uint32_t id) const { return data_.train.features[data_.rows[id]]; }
  float inverse_length(std::uint32_t id) const { return inverse_lengths_[id]; }

 private:
  const MemberData& data_;
  OwnMetric metric_;
  std::vector<float> inverse_lengths_;
};

using Neighbours = std::vector<std::vector<Scored>>;  // of each validation row, the nearest first

struct Search {
  std::size_t depth, probes;
  std::size_t most;  // neighbours to keep
};

// What makes neighbours of candidates.
struct Blend {
  double weighting, blend;
};

// All pairs of a weighting, or each of `weightings` where that is open, and likewise a blend, these rising for each
// weighting. Without a blend the weighting does not matter.
std::vector<Blend> blends_to_try(const VoteOptions& options, std::span<const double> weightings,
                                 std::span<const double> blends);

// At most the first so many validation rows.
Matrix embed_queries(const Encoder& encoder, const MemberData& data, std::size_t most, const Run& run);

// For each of these blends, of which those with the same weighting follow each other.
std::vector<Neighbours> find_neighbours(const NeighbourIndex& index, const Matrix& queries, const Search& search,
                                        const std::vector<Blend>& blends, const MemberData& data, const Run& run);

}  // namespace xylem::neighbours
