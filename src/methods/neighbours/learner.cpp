// SPDX-License-Identifier: Apache-2.0
#include "methods/neighbours/learner.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/bytes.h"
#include "core/fail.h"
#include "core/interruption.h"
#include "methods/neighbours/choose.h"

namespace xylem::neighbours {
namespace {

constexpr std::uint64_t kOrderStream = 0x6f726472;
constexpr std::size_t kMostEpochs = 1000;

// Training after some epoch, and which of them was the best on the validation rows.
struct State {
  std::uint64_t epoch = 0, best_epoch = 0;
  VoteChoice best;
};

class Learner {
 public:
  Learner(const LearnerData& data, EncoderTrainer& trainer, const LearningOptions& learning, const VoteOptions& votes,
          std::uint64_t seed, const std::string& name, const Run& run)
      : data_(data), trainer_(trainer), learning_(learning), votes_(votes), seed_(seed), name_(name), run_(run) {}

  Learned train() {
    read_checkpoint();
    const bool interrupted = stopped_early(
        run_,
        [&] {
          while (!is_done(state_.epoch)) learn_epoch();
        },
        [&] { return kept_ != nullptr; });
    VoteChoice best = state_.best;
    if (leaves_open(votes_) && best.k == 0) best = choose_votes(*kept_, data_, votes_, run_.to_the_end());
    const std::size_t epochs = learning_.epochs > 0 ? state_.epoch : state_.best_epoch;
    return {std::move(kept_), epochs, leaves_open(votes_) ? best.applied_to(votes_) : votes_, interrupted};
  }

 private:
  std::size_t epochs() const { return learning_.epochs > 0 ? static_cast<std::size_t>(learning_.epochs) : kMostEpochs; }
  std::size_t last_without_gain() const {
    return std::min(epochs(), state_.best_epoch + static_cast<std::size_t>(learning_.patience));
  }
  bool is_done(std::size_t epoch) const { return epoch >= (learning_.epochs > 0 ? epochs() : last_without_gain()); }

  // Whoever stops it finds everything but trainer_ as it was after the epoch before.
  void learn_epoch() {
    run_.check();
    const std::uint64_t epoch = state_.epoch + 1;
    std::vector<std::uint32_t> order(data_.rows.begin(), data_.rows.end());
    Random(seed_, {kOrderStream, epoch}).shuffle(std::span(order));
    const auto on_rows = [&](std::size_t done) {
      run_.check();
      if (done < order.size()) report(static_cast<double>(done) / static_cast<double>(order.size()));
    };
    const double rate = rate_of_epoch(learning_.optimiser, epoch, epochs());
    loss_ = trainer_.epoch(order, epoch, rate, on_rows);
    std::unique_ptr<Encoder> encoder = trainer_.encoder();
    if (!std::isfinite(*loss_) || !encoder->is_finite()) {
      fail(ErrorKind::kUsage, "training diverged in epoch {}: try a rate below {}", epoch, learning_.optimiser.rate);
    }
    if (learning_.epochs == 0 || (leaves_open(votes_) && is_done(epoch))) {
      const VoteChoice votes = choose_votes(*encoder, data_, votes_, run_);
      figure_ = votes.figure;
      if (votes.figure > state_.best.figure) {
        state_.best = votes;
        state_.best_epoch = epoch;
        kept_ = std::move(encoder);
      }
    } else {
      kept_ = std::move(encoder);
    }
    state_.epoch = epoch;
    write_checkpoint();
    report(0);
  }

  // `part` of the epoch under way is done. Loss and figure are of the last whole one.
  void report(double part) const {
    Progress progress;
    progress.stage = name_;
    progress.unit = "epochs";
    progress.done = state_.epoch;
    progress.total = learning_.epochs > 0 ? epochs() : 0;
    progress.loss = loss_;
    progress.metric = figure_;
    progress.part = part;
    if (learning_.epochs == 0 && state_.epoch > 0) progress.left_without_gain = last_without_gain() - state_.epoch;
    run_.progress(progress);
  }

  void write_checkpoint() const {
    if (run_.checkpoints == nullptr) return;
    std::string bytes;
    append_bytes(bytes, std::span(&state_, 1));
    trainer_.save(bytes);
    if (state_.best_epoch > 0) kept_->save(bytes);
    run_.checkpoints->write(name_, bytes);
  }

  void read_checkpoint() {
    if (run_.checkpoints == nullptr) return;
    const std::optional<std::string> bytes = run_.checkpoints->read(name_);
    if (!bytes) return;
    std::string_view rest = *bytes;
    take_bytes(rest, std::span(&state_, 1));
    trainer_.load(rest);
    kept_ = state_.best_epoch > 0 ? trainer_.load_encoder(rest) : trainer_.encoder();
  }

  const LearnerData& data_;
  EncoderTrainer& trainer_;
  const LearningOptions& learning_;
  const VoteOptions& votes_;
  std::uint64_t seed_;
  const std::string& name_;
  const Run& run_;
  State state_;
  std::unique_ptr<Encoder> kept_;  // the best on the validation rows; that of the last epoch where none is to be chosen
  std::optional<double> loss_, figure_;
};

}  // namespace

std::vector<std::uint32_t> rows_with_labels(const Dataset& data) {
  std::vector<std::uint32_t> rows;
  for (std::uint32_t row = 0; row < data.size(); ++row) {
    if (!data.labels[row].empty()) rows.push_back(row);
  }
  return rows;
}

Learned train_learner(const LearnerData& data, EncoderTrainer& trainer, const LearningOptions& learning,
                      const VoteOptions& votes, std::uint64_t seed, const std::string& name, const Run& run) {
  return Learner(data, trainer, learning, votes, seed, name, run).train();
}

}  // namespace xylem::neighbours
