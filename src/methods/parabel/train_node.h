// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "algorithms/lane_solver.h"
#include "core/aligned.h"
#include "core/parallel.h"
#include "methods/parabel/node_problem.h"
#include "methods/parabel/pack_node.h"

namespace xylem::parabel {

struct TrainedNode {
  PackedNode classifiers;
  std::vector<float> biases;  // of the children
};

// Buffers of a thread for solving problems, to reuse.
struct SolverScratch {
  LaneScratch lanes;
  AlignedVector<float> weights;
  std::vector<LaneBits> members, positives;
};

// Learns the classifiers of the nodes of a problem. They are shared out among idle threads, sixteen children each; any
// number of threads may call it at once with the same scratch. `run` can stop it anywhere.
std::vector<TrainedNode> train_nodes(const NodeProblem& problem, const NodeOptions& options, std::uint64_t seed,
                                     PerWorker<SolverScratch>& scratch, const Run& run);

}  // namespace xylem::parabel
