// SPDX-License-Identifier: Apache-2.0
// The options that the methods share whose nearest training rows vote.
#pragma once

#include "algorithms/epochs.h"
#include "algorithms/packed_vectors.h"
#include "core/options.h"

namespace xylem::neighbours {

struct TeamOptions {
  EpochOptions training;
  int learners = 1;
  Precision table_precision = Precision::kFloat;

  void fields(auto&& field) {
    training.fields(field);
    field("learners", learners, "networks that vote together", Range{1, 1000});
    field("table_precision", table_precision, "of the features' vectors in the model");
  }
};

inline constexpr int kMostCandidates = 1'000'000;
// Neighbours that may know of each other, given and chosen: a row takes their cube.
inline constexpr int kMostTogether = 1000, kMostChosenTogether = 240;

struct VoteOptions {
  int k = 0;
  double blend = -1;
  double weighting = -1;
  int candidates = 0;
  double vote_power = -1;
  double ridge = -1;
  double label_share = 0;
  int clusters = 0;
  int probes = 0;
  Precision precision = Precision::kFloat;

  void fields(auto&& field) {
    field("k", k, "neighbours that vote; 0: chosen on validation rows", Range{0, 10000});
    field("blend", blend,
          "weight of the cosine of the rows as they are in a geometric mean with that of the embedded ones; -1: chosen",
          Range{-1, 1});
    field(
        "weighting", weighting,
        "power of the features' learned weights in the cosine of the rows as they are; 0: none are learned; -1: chosen",
        Range{-1, 4});
    field("candidates", candidates,
          "nearest embedded rows whose cosine as they are is looked at; 0: one in 40 of them, but at least 200",
          Range{0, kMostCandidates});
    field("vote_power", vote_power, "a neighbour's vote is its cosine to this power; -1: chosen on validation rows",
          Range{-1, 100});
    field("ridge", ridge,
          "how little the neighbours' nearness to each other counts in their votes; 0: each votes alone; -1: chosen",
          Range{-1, 1000});
    field("label_share", label_share,
          "weight of the cosine with a label's own vector in its score, beside the votes; 1: no votes; -1: chosen",
          Range{-1, 1});
    field(
        "clusters", clusters,
        "of the embedded training rows, by k-means; 0: chosen by their number where there are validation rows, else 1",
        Range{0, 1000000});
    field("probes", probes,
          "nearest clusters that a search looks into; 0: chosen on validation rows where there are some, else 1",
          Range{0, 1000000});
    field("precision", precision, "of the embedded training rows in the model");
  }
};

// Throws kUsage where values do not go together.
void check_options(const TeamOptions& team, const VoteOptions& votes);
// Whether a ridge may be of use.
bool can_vote_together(const VoteOptions& votes);
// Whether something is left to choose on validation rows.
bool leaves_open(const VoteOptions& votes);
bool leaves_open(const TeamOptions& team, const VoteOptions& votes);

}  // namespace xylem::neighbours
