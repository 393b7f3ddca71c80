// SPDX-License-Identifier: Apache-2.0
// What training would cost: memory and size of the model by the method's plan, time by training on some of the rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "xylem/corpus.h"
#include "xylem/dataset.h"
#include "xylem/method.h"
#include "xylem/run.h"

namespace xylem {

// For a method with its default settings, on all rows. All are estimates.
struct TrainingCost {
  const Method* method = nullptr;
  std::uint64_t memory = 0;       // most that the program holds at once, itself and the data included; 0: not known
  std::uint64_t model = 0;        // bytes of the model file; 0: not known
  std::optional<double> seconds;  // from data in memory to a model in memory; none where `problem` says why
  std::size_t measured_rows = 0;  // in the largest sample
  std::size_t labelled_rows = 0;  // that training would learn from
  std::string problem;            // a sentence
};

struct CostOptions {
  std::vector<const Method*> methods;
  double seconds = 8;  // that finding out may take, about
};

// Data that training would refuse is no Error here, but a `problem`. Throws kInterrupted.
std::vector<TrainingCost> estimate_costs(const Dataset& data, const CostOptions& options, const Run& run);
std::vector<TrainingCost> estimate_costs(const Corpus& corpus, const CostOptions& options, const Run& run);

}  // namespace xylem
