// SPDX-License-Identifier: Apache-2.0
#include "methods/neighbours/member.h"

#include <utility>

#include "core/bytes.h"
#include "methods/neighbours/choose.h"

namespace xylem::neighbours {
namespace {

// An encoder as the loop over epochs sees it, with the votes that its rows' neighbours have.
class MemberTrainer final : public EpochTrainer {
 public:
  MemberTrainer(const MemberData& data, EncoderTrainer& trainer, const VoteOptions& votes, const Run& run)
      : data_(data), trainer_(trainer), votes_(votes), run_(run) {}

  double epoch(std::span<const std::uint32_t> order, std::size_t number, double rate,
               const std::function<void(std::size_t)>& on_rows) override {
    return trainer_.epoch(order, number, rate, on_rows);
  }
  bool make_candidate() override {
    candidate_ = {trainer_.encoder(), {}};
    return candidate_.encoder->is_finite();
  }
  double figure_of_candidate() override {
    candidate_.votes = choose_votes(*candidate_.encoder, data_, votes_, run_);
    return candidate_.votes.figure;
  }
  void keep_candidate() override { kept_ = std::move(candidate_); }

  void save(std::string& bytes, bool with_kept) const override {
    trainer_.save(bytes);
    if (!with_kept) return;
    append_bytes(bytes, std::span(&kept_.votes, 1));
    kept_.encoder->save(bytes);
  }
  void load(std::string_view& bytes, bool with_kept) override {
    trainer_.load(bytes);
    if (with_kept) {
      take_bytes(bytes, std::span(&kept_.votes, 1));
      kept_.encoder = trainer_.load_encoder(bytes);
    } else {
      kept_.encoder = trainer_.encoder();
    }
    if (!kept_.encoder->is_finite() || !are_possible(kept_.votes)) fail_foreign_checkpoint();
  }

  // What is kept, and the votes as given or chosen.
  TrainedMember finish(const EpochsDone& done) {
    VoteOptions votes = votes_;
    if (leaves_open(votes_)) {
      if (kept_.votes.k == 0)
        kept_.votes = usual_votes(votes_);  // stopped before the last epoch, nobody has chosen yet
      votes = kept_.votes.applied_to(votes_);
    }
    return {std::move(kept_.encoder), done.epochs, votes, done.interrupted};
  }

 private:
  bool are_possible(const VoteChoice& votes) const {
    try {
      parse_options<VoteOptions>(option_values(votes.applied_to(votes_)));
      return true;
    } catch (const Error&) {
      return false;
    }
  }

  struct Candidate {
    std::unique_ptr<Encoder> encoder;
    VoteChoice votes;  // k is 0 where none was made
  };

  const MemberData& data_;
  EncoderTrainer& trainer_;
  const VoteOptions& votes_;
  const Run& run_;
  Candidate candidate_, kept_;
};

}  // namespace

TrainedMember train_member(const MemberData& data, EncoderTrainer& trainer, const TeamOptions& team,
                           const VoteOptions& votes, std::uint64_t seed, const std::string& name, const Run& run) {
  MemberTrainer member(data, trainer, votes, run);
  const EpochsDone done = run_epochs(member, data.rows, team.training, leaves_open(votes), seed, name, run);
  return member.finish(done);
}

}  // namespace xylem::neighbours
