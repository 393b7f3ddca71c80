// SPDX-License-Identifier: Apache-2.0
#include "methods/neighbours/team.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/interruption.h"
#include "methods/neighbours/choose.h"
#include "methods/neighbours/choose_ridge.h"
#include "methods/neighbours/feature_weights.h"
#include "methods/neighbours/own_cosines.h"

namespace xylem::neighbours {
namespace {

constexpr std::uint64_t kWeightStream = 0x77656967;
constexpr std::uint64_t kMemberStream = 0x6c656172;
constexpr std::uint64_t kIndexStream = 0x696e6465;

class TeamTraining {
 public:
  TeamTraining(const MemberData& data, const MakeTrainer& make_trainer, const TeamOptions& team,
               const VoteOptions& votes, const Run& run)
      : data_(data), make_trainer_(make_trainer), run_(run), wanted_(static_cast<std::size_t>(team.learners)) {
    team_.options = team;
    team_.votes = votes;
    team_.shares_label_vectors = data.label_vectors.size() > 0;
  }

  Team train() {
    if (team_.votes.blend != 0 && team_.votes.weighting != 0) {
      data_.feature_weights =
          fit_feature_weights(data_.train, data_.rows, Random(run_.seed, {kWeightStream}).bits(), run_);
    }
    const auto add_members = [&] {
      while (team_.members.size() < wanted_ && team_.interrupted.empty()) {
        run_.check();
        add_member();
      }
    };
    stopped_early(run_, add_members, [&] { return !team_.members.empty(); });
    if (team_.votes.blend > 0) {
      team_.metric.emplace(data_.feature_weights, team_.votes.weighting, data_.train.features.n_columns);
    } else {
      team_.votes.weighting = 0;
    }
    team_.chosen = {{"epochs", std::to_string(team_.options.training.epochs)},
                    {"k", std::to_string(team_.votes.k)},
                    {"blend", fmt::format("{}", team_.votes.blend)},
                    {"weighting", fmt::format("{}", team_.votes.weighting)},
                    {"vote_power", fmt::format("{}", team_.votes.vote_power)},
                    {"ridge", fmt::format("{}", team_.votes.ridge)},
                    {"label_share", fmt::format("{}", team_.votes.label_share)},
                    {"clusters", std::to_string(team_.votes.clusters)},
                    {"probes", std::to_string(team_.votes.probes)}};
    if (team_.members.size() < wanted_) {
      team_.options.learners = static_cast<int>(team_.members.size());
      team_.chosen["learners"] = std::to_string(team_.options.learners);
      team_.interrupted +=
          fmt::format("{}{} of {} learners", team_.interrupted.empty() ? "" : ", ", team_.members.size(), wanted_);
    }
    // What the number of rows has decided stays when rows are added.
    const VoteOptions& votes = team_.votes;
    const std::size_t depth = search_depth(static_cast<std::size_t>(votes.k),
                                           static_cast<std::size_t>(votes.candidates), votes.blend, data_.rows.size());
    team_.votes.candidates = std::min(static_cast<int>(depth), kMostCandidates);
    return std::move(team_);
  }

 private:
  // How the neighbours vote jointly, and how they are searched.
  void choose_rest(const Encoder& encoder, const VoteOptions& given, const Random& random, const Run& run) {
    if (leaves_open(given) && can_vote_together(given)) {
      team_.votes = choose_ridge(encoder, data_, given, team_.votes, run);
    }
    team_.votes.ridge = std::max(team_.votes.ridge, 0.0);
    if (team_.votes.clusters == 0 || team_.votes.probes == 0) {
      const CellChoice cells = choose_cells(encoder, data_, team_.votes, random, run);
      team_.votes.clusters = static_cast<int>(cells.clusters);
      team_.votes.probes = static_cast<int>(cells.probes);
    }
  }

  // Votes alone, and an exact search, unless something else is given.
  void leave_unchosen() {
    team_.votes.ridge = std::max(team_.votes.ridge, 0.0);
    team_.votes.clusters = std::max(team_.votes.clusters, 1);
    if (team_.votes.probes == 0) team_.votes.probes = team_.votes.clusters;
  }

  void add_member() {
    const std::size_t number = team_.members.size();
    const std::uint64_t seed = Random(run_.seed, {kMemberStream, number}).bits();
    const std::string name = wanted_ == 1 ? "train" : "train " + std::to_string(number + 1);
    Run run = run_;
    if (number > 0) run.keep_unfinished = false;  // the others do better without it
    const VoteOptions given = team_.votes;
    TrainedMember trained = train_member(data_, *make_trainer_(seed), team_.options, team_.votes, seed, name, run);
    team_.options.training.epochs = static_cast<int>(trained.epochs);
    team_.votes = trained.votes;
    if (trained.interrupted) team_.interrupted = "epoch " + std::to_string(trained.epochs);
    const Random random(seed, {kIndexStream});
    const auto choose = [&] { choose_rest(*trained.encoder, given, random, run); };
    if (trained.interrupted) {
      leave_unchosen();
    } else if (stopped_early(run, choose, [] { return true; })) {
      team_.interrupted = "all epochs, but not all settings of the votes were chosen";
      leave_unchosen();
    }
    const Run finishing = run.to_the_end();
    if (team_.options.table_precision != Precision::kFloat) {
      trained.encoder = trained.encoder->packed(team_.options.table_precision);
    }
    const NeighbourIndex::Options cells{static_cast<std::size_t>(team_.votes.clusters), Nearness::kCosine,
                                        team_.votes.precision};
    NeighbourIndex index(embed_rows(*trained.encoder, data_.train.features.rows(), data_.rows, finishing), cells,
                         random, finishing);
    if (!team_.shares_label_vectors) team_.label_vectors.push_back(trained.encoder->label_vectors());
    if (team_.shares_label_vectors && number == 0) team_.label_vectors.push_back(data_.label_vectors);
    team_.members.push_back({std::move(trained.encoder), std::move(index)});
  }

  MemberData data_;
  const MakeTrainer& make_trainer_;
  const Run& run_;
  std::size_t wanted_;
  Team team_;
};

}  // namespace

Team train_team(const MemberData& data, const MakeTrainer& make_trainer, const TeamOptions& team,
                const VoteOptions& votes, const Run& run) {
  return TeamTraining(data, make_trainer, team, votes, run).train();
}

}  // namespace xylem::neighbours
