// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "algorithms/lane_solver.h"
#include "methods/parabel/node_tasks.h"
#include "methods/parabel/parabel.h"
#include "xylem/metrics.h"

namespace xylem::parabel {

// What the training of every node has to know, beside its rows.
struct NodeOptions {
  LinearOptions linear;
  float prune = 0;                 // weights closer to 0 are dropped
  std::vector<float> label_costs;  // what a positive of each label costs in a leaf; none: 1
  std::size_t max_rows = 0;        // that a node learns from; 0: all
};

// `tasks` are all of the forest, and the counts those of all training rows.
NodeOptions node_options(const ParabelOptions& options, std::span<const NodeTask> tasks, const TrainingCounts& counts,
                         std::uint64_t nonzeros_a_row);

}  // namespace xylem::parabel
