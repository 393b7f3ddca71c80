// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "methods/parabel/parabel.h"
#include "methods/parabel/search.h"
#include "xylem/dataset.h"
#include "xylem/run.h"

namespace xylem::parabel {

// Where the time goes, in CPU seconds of the threads that were asked to do it: all of it if there is one thread.
struct TrainingTimes {
  struct Task {
    std::size_t level;
    bool is_leaf;
    std::size_t n_nodes, n_groups;  // nodes that were trained together, groups of lanes that may be shared out
    double seconds;
  };
  double ranking = 0, label_vectors = 0, clustering = 0, sending = 0, assembling = 0;
  std::vector<Task> tasks;  // of nodes
};

// Grows the trees and trains the classifiers of all their nodes. Throws kInterrupted.
Forest train_forest(const Dataset& data, const ParabelOptions& options, const Run& run, TrainingTimes& times);

}  // namespace xylem::parabel
