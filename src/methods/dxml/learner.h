// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "methods/dxml/dxml.h"
#include "xylem/dataset.h"
#include "xylem/run.h"

namespace xylem::dxml {

// What learners learn from.
struct LearnerData {
  const Dataset& train;
  const Dataset* valid;                 // where something is left to choose
  const Matrix& targets;                // of every training row
  std::span<const std::uint32_t> rows;  // those with labels: the others are neither learned from nor found
};

struct Learned {
  Net net;
  std::size_t epochs, k;  // as given, or as chosen
  double blend;           // the same
  bool interrupted;       // fewer epochs than wanted: somebody asked to stop
};

// Trains a network, for options.epochs, or until the validation rows gain nothing any more; then it is the best one.
// Writes checkpoints under `name`, and goes on from there. Asked to stop, it gives the best network so far, or that of
// the last epoch where none is chosen; throws kInterrupted where there is none yet.
Learned train_learner(const LearnerData& data, const DxmlOptions& options, std::uint64_t seed, const std::string& name,
                      const Run& run);

// The rows' vectors, a row for each. Throws kInterrupted.
Matrix embed_rows(const Net& net, SparseRows rows, const Run& run);
// Those of the rows named.
Matrix embed_rows(const Net& net, SparseRows rows, std::span<const std::uint32_t> which, const Run& run);

}  // namespace xylem::dxml
