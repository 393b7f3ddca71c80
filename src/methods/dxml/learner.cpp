// SPDX-License-Identifier: Apache-2.0
#include "methods/dxml/learner.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/bytes.h"
#include "core/fail.h"
#include "core/hash.h"
#include "core/interruption.h"
#include "core/parallel.h"
#include "methods/dxml/choose.h"

namespace xylem::dxml {
namespace {

using Eigen::Index;

constexpr std::uint64_t kOrderStream = 0x6f726472;
constexpr std::size_t kMostEpochs = 1000;

// Training after some epoch, and which of them was the best on the validation rows.
struct State {
  std::uint64_t targets = 0;  // a hash: what labels' vectors come from may be a file, which may change
  std::uint64_t epoch = 0, best_epoch = 0;
  VoteChoice best;
};

std::uint64_t hash_of(const Matrix& matrix) {
  return hash_bytes(
      {reinterpret_cast<const char*>(matrix.data()), static_cast<std::size_t>(matrix.size()) * sizeof(float)});
}

class Learner {
 public:
  Learner(const LearnerData& data, const DxmlOptions& options, std::uint64_t seed, const std::string& name,
          const Run& run)
      : data_(data),
        options_(options),
        seed_(seed),
        name_(name),
        run_(run),
        trainer_(data.train.features.n_columns, options.net, seed) {}

  Learned train() {
    if (run_.checkpoints != nullptr) state_.targets = hash_of(data_.targets);
    read_checkpoint();
    const bool interrupted = stopped_early(
        run_,
        [&] {
          while (!is_done(state_.epoch)) learn_epoch();
        },
        [&] { return kept_.has_value(); });
    VoteChoice votes = state_.best;
    if (!leaves_votes_open()) {
      votes = {0, static_cast<std::size_t>(options_.k), options_.blend};
    } else if (votes.k == 0) {
      votes = choose_votes(*kept_, data_, options_, run_.to_the_end());  // nobody has looked yet
    }
    return {std::move(*kept_), options_.epochs > 0 ? state_.epoch : state_.best_epoch, votes.k, votes.blend,
            interrupted};
  }

 private:
  std::size_t epochs() const { return options_.epochs > 0 ? static_cast<std::size_t>(options_.epochs) : kMostEpochs; }
  std::size_t last_without_gain() const {
    return std::min(epochs(), state_.best_epoch + static_cast<std::size_t>(options_.patience));
  }
  bool leaves_votes_open() const { return options_.k == 0 || options_.blend < 0; }
  bool is_done(std::size_t epoch) const { return epoch >= (options_.epochs > 0 ? epochs() : last_without_gain()); }

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
    const double rate = rate_of_epoch(options_.net.optimiser, epoch, epochs());
    loss_ = trainer_.epoch(data_.train.features, data_.targets, order, epoch, rate, on_rows);
    Net net = trainer_.net();
    if (!std::isfinite(*loss_) || !net.is_finite()) {
      fail(ErrorKind::kUsage, "training diverged in epoch {}: try a rate below {}", epoch, options_.net.optimiser.rate);
    }
    if (options_.epochs == 0 || (leaves_votes_open() && is_done(epoch))) {
      const VoteChoice votes = choose_votes(net, data_, options_, run_);
      figure_ = votes.figure;
      if (votes.figure > state_.best.figure) {
        state_.best = votes;
        state_.best_epoch = epoch;
        kept_ = std::move(net);
      }
    } else {
      kept_ = std::move(net);
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
    progress.total = options_.epochs > 0 ? epochs() : 0;
    progress.loss = loss_;
    progress.metric = figure_;
    progress.part = part;
    if (options_.epochs == 0 && state_.epoch > 0) progress.left_without_gain = last_without_gain() - state_.epoch;
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
    if (state_.targets != hash_of(data_.targets)) {
      fail(ErrorKind::kUsage,
           "the checkpoint is of a run with other label vectors: has the file of label_graph changed?");
    }
    trainer_.load(rest);
    if (state_.best_epoch > 0) {
      kept_.emplace(rest, trainer_.net().shape(), options_.net.activation);
    } else {
      kept_ = trainer_.net();
    }
  }

  const LearnerData& data_;
  const DxmlOptions& options_;
  std::uint64_t seed_;
  const std::string& name_;
  const Run& run_;
  NetTrainer trainer_;
  State state_;
  std::optional<Net> kept_;  // the best on the validation rows; that of the last epoch where none is to be chosen
  std::optional<double> loss_, figure_;
};

}  // namespace

Learned train_learner(const LearnerData& data, const DxmlOptions& options, std::uint64_t seed, const std::string& name,
                      const Run& run) {
  return Learner(data, options, seed, name, run).train();
}

Matrix embed_rows(const Net& net, SparseRows rows, const Run& run) {
  std::vector<std::uint32_t> all(rows.size());
  for (std::uint32_t row = 0; row < rows.size(); ++row) all[row] = row;
  return embed_rows(net, rows, all, run);
}

Matrix embed_rows(const Net& net, SparseRows rows, std::span<const std::uint32_t> which, const Run& run) {
  constexpr std::size_t kGrain = 64;
  struct Buffers {
    SparseMatrix rows;
    Matrix hidden, embedded;
  };
  PerWorker<Buffers> workers;
  Matrix result(static_cast<Index>(which.size()), static_cast<Index>(net.shape().dim));
  parallel_for(which.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    run.check();
    Buffers& buffers = workers.local();
    buffers.rows = {};
    for (std::size_t i = begin; i < end; ++i) buffers.rows.push_back(rows[which[i]]);
    net.embed(buffers.rows.rows(), buffers.hidden, buffers.embedded);
    result.middleRows(static_cast<Index>(begin), static_cast<Index>(end - begin)) = buffers.embedded;
  });
  return result;
}

}  // namespace xylem::dxml
