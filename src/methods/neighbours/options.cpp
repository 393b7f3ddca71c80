// SPDX-License-Identifier: Apache-2.0
#include "methods/neighbours/options.h"

#include "core/fail.h"

namespace xylem::neighbours {
namespace {

void check_chosen(std::string_view name, double value, double most) {
  if (value < 0 && value != -1) {
    fail(ErrorKind::kUsage, "{}={}: expected -1, or a number from 0 to {}", name, value, most);
  }
}

}  // namespace

void check_options(const TeamOptions& team, const VoteOptions& votes) {
  check_chosen("blend", votes.blend, 1);
  check_chosen("weighting", votes.weighting, 4);
  check_chosen("vote_power", votes.vote_power, 100);
  check_chosen("ridge", votes.ridge, 1000);
  check_chosen("label_share", votes.label_share, 1);
  if (votes.ridge > 0 && votes.k > kMostTogether) {
    fail(ErrorKind::kUsage, "ridge={} with k={}: expected a k up to {}, or ridge=0", votes.ridge, votes.k,
         kMostTogether);
  }
  check_epochs(team.training);
}

bool can_vote_together(const VoteOptions& votes) {
  return votes.ridge != 0 && votes.k <= kMostTogether && votes.label_share < 1;
}

bool leaves_open(const VoteOptions& votes) {
  return votes.k == 0 || votes.blend < 0 || (votes.blend != 0 && votes.weighting < 0) || votes.vote_power < 0 ||
         votes.ridge < 0 || votes.label_share < 0;
}

bool leaves_open(const TeamOptions& team, const VoteOptions& votes) {
  return team.training.epochs == 0 || leaves_open(votes);
}

}  // namespace xylem::neighbours
