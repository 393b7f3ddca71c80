// SPDX-License-Identifier: Apache-2.0
// The loop around the epochs of whatever learns by passes over the rows: their order and rate, which one was the best
// on the validation rows, checkpoints, and what is left when somebody asks to stop.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "algorithms/optimiser.h"
#include "core/options.h"
#include "xylem/dataset.h"
#include "xylem/run.h"

namespace xylem {

struct EpochOptions {
  OptimiserOptions optimiser;
  int epochs = 0;
  int patience = 5;

  void fields(auto&& field) {
    optimiser.fields(field);
    field("epochs", epochs, "passes over the rows; 0: chosen on validation rows", Range{0, 100000});
    field("patience", patience, "epochs without gain on the validation rows before training stops", Range{1, 100000});
  }
};

// Throws kUsage where the schedule needs a number of epochs that is not given.
void check_epochs(const EpochOptions& options);

// What learns. Between epochs it has a candidate, what the last epoch has made of it, and keeps the best of them.
class EpochTrainer {
 public:
  virtual ~EpochTrainer() = default;

  // One pass over the rows named by `order`; on_rows hears how many are done, and may throw. Returns the mean loss.
  virtual double epoch(std::span<const std::uint32_t> order, std::size_t number, double rate,
                       const std::function<void(std::size_t)>& on_rows) = 0;
  // Makes the candidate. False where some number of it is not finite.
  virtual bool make_candidate() = 0;
  // The candidate's figure on the validation rows, in percent.
  virtual double figure_of_candidate() = 0;
  virtual void keep_candidate() = 0;

  // All that the next epoch depends on, and what is kept if `with_kept`; where it is not, it is what the last epoch has
  // made.
  virtual void save(std::string& bytes, bool with_kept) const = 0;
  virtual void load(std::string_view& bytes, bool with_kept) = 0;
};

struct EpochsDone {
  std::size_t epochs;  // of what is kept
  bool interrupted;    // somebody asked to stop before the last one
};

// Lets it learn for options.epochs, or until the validation rows gain nothing any more; what it then keeps is the best
// of its candidates. With `has_choice` the figure of the last of given epochs is asked for, too: something else is
// chosen with it. Writes checkpoints under `name`, and goes on from there. Asked to stop, it leaves what is kept;
// throws kInterrupted where there is nothing yet.
EpochsDone run_epochs(EpochTrainer& learner, std::span<const std::uint32_t> rows, const EpochOptions& options,
                      bool has_choice, std::uint64_t seed, const std::string& name, const Run& run);

// How many steps an epoch has.
std::size_t count_batches(std::size_t n_rows, std::size_t batch);

// One pass over the rows named by `order`, `batch` of them a step; on_rows as in EpochTrainer::epoch. step(rows, seed)
// returns the mean loss of its rows, and has a seed of its own. Returns the mean over all rows.
double for_batches(std::span<const std::uint32_t> order, std::size_t batch, std::uint64_t seed, std::size_t epoch,
                   const std::function<void(std::size_t)>& on_rows,
                   const std::function<double(std::span<const std::uint32_t>, std::uint64_t)>& step);

// The rows with labels: the others are not learned from.
std::vector<std::uint32_t> rows_with_labels(const Dataset& data);

}  // namespace xylem
