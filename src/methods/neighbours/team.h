// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/neighbour_index.h"
#include "core/array.h"
#include "methods/neighbours/member.h"
#include "methods/neighbours/own_cosines.h"
#include "xylem/options.h"

namespace xylem::neighbours {

// An encoder, and the training rows where it takes them.
struct Member {
  std::shared_ptr<const Encoder> encoder;
  NeighbourIndex index;
};

struct Team {
  std::vector<Member> members;
  bool shares_label_vectors;
  std::vector<Array<float>> label_vectors;  // of each member, or one for all where these share it
  std::optional<OwnMetric> metric;          // where the rows' own cosines count
  TeamOptions options;                      // with what was chosen
  VoteOptions votes;
  Settings chosen;
  std::string interrupted;  // as in Trained
};

using MakeTrainer = std::function<std::unique_ptr<EncoderTrainer>(std::uint64_t seed)>;

// team.learners of them. What the first has chosen is for all.
Team train_team(const MemberData& data, const MakeTrainer& make_trainer, const TeamOptions& team,
                const VoteOptions& votes, const Run& run);

}  // namespace xylem::neighbours
