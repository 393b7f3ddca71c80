// SPDX-License-Identifier: Apache-2.0
#include "algorithms/epochs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/bytes.h"
#include "core/fail.h"
#include "core/interruption.h"
#include "core/random.h"

namespace xylem {
namespace {

constexpr std::uint64_t kOrderStream = 0x6f726472, kStepStream = 0x73746570;
constexpr std::size_t kMostEpochs = 1000;

// After some epoch, and which of them was the best on the validation rows; 0 where none was looked at.
struct State {
  std::uint64_t epoch = 0, best_epoch = 0;
  double best_figure = -1;
};
static_assert(sizeof(State) == 3 * sizeof(std::uint64_t), "written as bytes: no holes");

class EpochLoop {
 public:
  EpochLoop(EpochTrainer& learner, std::span<const std::uint32_t> rows, const EpochOptions& options, bool has_choice,
            std::uint64_t seed, const std::string& name, const Run& run)
      : learner_(learner),
        rows_(rows),
        options_(options),
        has_choice_(has_choice),
        seed_(seed),
        name_(name),
        run_(run) {}

  EpochsDone learn() {
    read_checkpoint();
    const auto learn_all = [&] {
      while (!is_done(state_.epoch)) learn_epoch();
    };
    const bool interrupted = stopped_early(run_, learn_all, [&] { return state_.epoch > 0; });
    return {is_given() ? state_.epoch : state_.best_epoch, interrupted};
  }

 private:
  bool is_given() const { return options_.epochs > 0; }
  std::size_t epochs() const { return is_given() ? static_cast<std::size_t>(options_.epochs) : kMostEpochs; }
  std::size_t last_without_gain() const {
    return std::min(epochs(), state_.best_epoch + static_cast<std::size_t>(options_.patience));
  }
  bool is_done(std::size_t epoch) const { return epoch >= (is_given() ? epochs() : last_without_gain()); }

  // Whoever stops it finds what is kept, and state_, as they were after the epoch before.
  void learn_epoch() {
    run_.check();
    const std::uint64_t epoch = state_.epoch + 1;
    std::vector<std::uint32_t> order(rows_.begin(), rows_.end());
    Random(seed_, {kOrderStream, epoch}).shuffle(std::span(order));
    const auto on_rows = [&](std::size_t done) {
      run_.check();
      if (done < order.size()) report(static_cast<double>(done) / static_cast<double>(order.size()));
    };
    loss_ = learner_.epoch(order, epoch, rate_of_epoch(options_.optimiser, epoch, epochs()), on_rows);
    if (!learner_.make_candidate() || !std::isfinite(*loss_)) {
      fail(ErrorKind::kUsage, "training diverged in epoch {}: try a rate below {}", epoch, options_.optimiser.rate);
    }
    if (!is_given() || (has_choice_ && is_done(epoch))) {
      figure_ = learner_.figure_of_candidate();
      if (*figure_ > state_.best_figure) {
        state_.best_figure = *figure_;
        state_.best_epoch = epoch;
        learner_.keep_candidate();
      }
    } else {
      learner_.keep_candidate();
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
    progress.total = is_given() ? epochs() : 0;
    progress.loss = loss_;
    progress.metric = figure_;
    progress.part = part;
    if (!is_given() && state_.epoch > 0) progress.left_without_gain = last_without_gain() - state_.epoch;
    run_.progress(progress);
  }

  void write_checkpoint() const {
    if (run_.checkpoints == nullptr) return;
    std::string bytes;
    append_bytes(bytes, std::span(&state_, 1));
    learner_.save(bytes, state_.best_epoch > 0);
    run_.checkpoints->write(name_, bytes);
  }

  void read_checkpoint() {
    if (run_.checkpoints == nullptr) return;
    const std::optional<std::string> bytes = run_.checkpoints->read(name_);
    if (!bytes) return;
    std::string_view rest = *bytes;
    take_bytes(rest, std::span(&state_, 1));
    if (state_.epoch == 0 || state_.epoch > epochs() || state_.best_epoch > state_.epoch) fail_foreign_checkpoint();
    learner_.load(rest, state_.best_epoch > 0);
    if (!rest.empty()) fail_foreign_checkpoint();
    run_.remark(fmt::format("goes on from the checkpoint, after epoch {}", state_.epoch));
  }

  EpochTrainer& learner_;
  std::span<const std::uint32_t> rows_;
  const EpochOptions& options_;
  bool has_choice_;
  std::uint64_t seed_;
  const std::string& name_;
  const Run& run_;
  State state_;
  std::optional<double> loss_, figure_;
};

}  // namespace

void check_epochs(const EpochOptions& options) {
  const Schedule schedule = options.optimiser.schedule;
  if (options.epochs == 0 && (schedule == Schedule::kLinear || schedule == Schedule::kCosine)) {
    fail(ErrorKind::kUsage, "schedule={} needs epochs=N, because it falls to 0 with the last of them",
         choice_names(schedule)[static_cast<std::size_t>(schedule)]);
  }
}

EpochsDone run_epochs(EpochTrainer& learner, std::span<const std::uint32_t> rows, const EpochOptions& options,
                      bool has_choice, std::uint64_t seed, const std::string& name, const Run& run) {
  return EpochLoop(learner, rows, options, has_choice, seed, name, run).learn();
}

std::size_t count_batches(std::size_t n_rows, std::size_t batch) {
  return (n_rows + batch - 1) / batch;
}

double for_batches(std::span<const std::uint32_t> order, std::size_t batch, std::uint64_t seed, std::size_t epoch,
                   const std::function<void(std::size_t)>& on_rows,
                   const std::function<double(std::span<const std::uint32_t>, std::uint64_t)>& step) {
  double loss = 0;
  for (std::size_t begin = 0; begin < order.size(); begin += batch) {
    const auto rows = order.subspan(begin, std::min(batch, order.size() - begin));
    loss += step(rows, Random(seed, {kStepStream, epoch, begin}).bits()) * static_cast<double>(rows.size());
    if (on_rows) on_rows(begin + rows.size());
  }
  return loss / static_cast<double>(std::max<std::size_t>(1, order.size()));
}

std::vector<std::uint32_t> rows_with_labels(const Dataset& data) {
  std::vector<std::uint32_t> rows;
  for (std::uint32_t row = 0; row < data.size(); ++row) {
    if (!data.labels[row].empty()) rows.push_back(row);
  }
  return rows;
}

}  // namespace xylem
