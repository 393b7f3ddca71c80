// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "algorithms/lane_solver.h"
#include "core/aligned.h"
#include "core/parallel.h"
#include "methods/parabel/classifiers.h"
#include "methods/parabel/node_problem.h"
#include "methods/parabel/pack_node.h"

namespace xylem::parabel {

struct TrainedNode {
  PackedNode classifiers;
  std::vector<float> biases;  // of the children
};

// Learns the classifiers of nodes. Any number of threads may call train() at once; the classifiers of a node are shared
// out among idle threads, sixteen children each.
class NodeTrainer {
 public:
  struct Options {
    LinearOptions linear;
    float prune;                         // weights closer to 0 are dropped
    std::span<const float> label_costs;  // what a positive of each label costs in a leaf; none: 1
  };
  // All must outlive it. `run` can stop it anywhere.
  NodeTrainer(const RankedData& data, const Options& options, const Run& run)
      : data_(data), options_(options), run_(run) {}

  // `more_rows` are negatives for all classifiers of the first node, besides the rows that reach it.
  std::vector<TrainedNode> train(const LabelTree& tree, std::span<const TaskNode> nodes,
                                 std::span<const std::uint32_t> more_rows, std::uint64_t seed);

 private:
  struct LaneBuffers {
    LaneScratch scratch;
    AlignedVector<float> weights;
    std::vector<LaneBits> members, positives;
  };
  // Children of all nodes are counted on; node_of says whose they are.
  void train_lanes(const NodeProblem& problem, std::span<const std::uint32_t> children,
                   std::span<const std::size_t> node_of, std::span<const float> costs, std::uint64_t seed,
                   Weights& weights, std::vector<float>& biases);

  const RankedData& data_;
  Options options_;
  const Run& run_;
  PerWorker<ProblemScratch> problem_scratch_;
  PerWorker<LaneBuffers> lane_buffers_;
};

}  // namespace xylem::parabel
