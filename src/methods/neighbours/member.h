// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/array.h"
#include "methods/neighbours/encoder.h"
#include "methods/neighbours/options.h"

namespace xylem::neighbours {

// What learners learn from.
struct MemberData {
  const Dataset& train;
  const Dataset* valid;                 // where something is left to choose
  std::span<const std::uint32_t> rows;  // those with labels: the others are neither learned from nor found
  // A vector for each label, where the encoders do not learn them.
  Array<float> label_vectors = {};
  std::vector<float> feature_weights = {};  // for the rows' own cosines, where they count (feature_weights.h)
};

struct TrainedMember {
  std::unique_ptr<Encoder> encoder;
  std::size_t epochs;  // as given, or as chosen
  VoteOptions votes;   // the same
  bool interrupted;    // fewer epochs than wanted: somebody asked to stop
};

// Trains an encoder as run_epochs() does, and gives what that keeps.
TrainedMember train_member(const MemberData& data, EncoderTrainer& trainer, const TeamOptions& team,
                           const VoteOptions& votes, std::uint64_t seed, const std::string& name, const Run& run);

}  // namespace xylem::neighbours
