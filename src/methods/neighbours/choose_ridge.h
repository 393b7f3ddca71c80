// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "methods/neighbours/member.h"
#include "methods/neighbours/valid_neighbours.h"

namespace xylem::neighbours {

// How the k nearest of a row vote together (kernel_votes.h).
struct KernelSetting {
  std::size_t k;
  double power, ridge;
};

// nDCG on the validation rows whose neighbours these are, with each of the settings.
std::vector<double> kernel_figures(const Neighbours& neighbours, const NeighbourIndex& index, const Blend& blend,
                                   const std::vector<KernelSetting>& settings, const MemberData& data, const Run& run);

// `chosen` is the best of votes alone, made of `given`. Whatever `given` leaves open is chosen anew for neighbours that
// know of each other; where that is no better, and the ridge is open, `chosen` stays, with a ridge of 0. On the first
// 2,000 validation rows; the search is exact.
VoteOptions choose_ridge(const Encoder& encoder, const MemberData& data, const VoteOptions& given,
                         const VoteOptions& chosen, const Run& run);

}  // namespace xylem::neighbours
