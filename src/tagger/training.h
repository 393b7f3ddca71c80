// SPDX-License-Identifier: Apache-2.0
// How every method is trained: what is held out, what is chosen on it, and what is trained again.
#pragma once

#include <memory>
#include <optional>

#include "tagger/card.h"
#include "tagger/settings.h"
#include "xylem/tagger.h"

namespace xylem {

// Throws kData if no row has labels. Returns how many have none.
std::size_t drop_rows_without_labels(Dataset& data);

struct TrainingResult {
  std::unique_ptr<Model> model;
  CheckedOptions options;  // with what was chosen
  Settings chosen;         // those of them that were chosen on the validation rows
  std::optional<Validation> validation;
  std::size_t held_out = 0;  // training rows that the model did not learn from
  std::string interrupted;   // as in Trained
};

// The program with its libraries: `xylem train` on ten rows.
inline constexpr std::uint64_t kProgramBytes = 16'000'000;

// What rows of this shape take.
std::uint64_t data_bytes(const DataShape& shape);

// What training takes beside them. First with rows held out, of which there are copies then; a second time on all rows,
// while the first model is kept in case somebody asks to stop.
struct TrainingStages {
  bool holds_out = false;
  bool refits = false;
};
std::uint64_t training_bytes(const MemoryPlan& plan, const DataShape& shape, TrainingStages stages);

// Throws kMemory if `work`, e.g. "training", needs more beside the data than there is; a `max_memory` of 0 is what
// the machine has, and no limit if it does not say how much that is.
void check_memory(std::string_view work, const Method& method, std::uint64_t needed, std::uint64_t data,
                  std::uint64_t max_memory);

// `data` and `options.valid` are scaled, and every row of `data` has labels. `fingerprint` is a line that names data,
// settings and seed: a checkpoint of another run counts as not written. Runs in the caller's arena. If somebody asks
// to stop, gives the best model so far; throws kInterrupted if there is none.
TrainingResult train_method(const TrainSettings& settings, const Dataset& data, const TrainOptions& options,
                            const std::string& fingerprint, const Run& run);

}  // namespace xylem
