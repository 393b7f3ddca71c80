// SPDX-License-Identifier: Apache-2.0
#include "methods/parabel/train_node.h"

#include <algorithm>
#include <numeric>

#include "core/random.h"

namespace xylem::parabel {
namespace {

// A row is part of a lane's problem if it reaches the lane's node: if it is a positive of one of the node's children.
void find_members(std::span<const std::uint32_t> children, std::span<const std::size_t> node_of,
                  std::span<const LaneBits> positives, std::span<LaneBits> members) {
  std::vector<LaneBits> lanes_of(node_of.back() + 1, 0);
  for (std::size_t lane = 0; lane < children.size(); ++lane) {
    lanes_of[node_of[children[lane]]] |= static_cast<LaneBits>(1u << lane);
  }
  for (std::size_t row = 0; row < members.size(); ++row) {
    for (const LaneBits lanes : lanes_of) members[row] |= (positives[row] & lanes) != 0 ? lanes : LaneBits{0};
  }
}

// The weights of a node whose children were counted from `begin` on.
std::vector<Weights> weights_of(const std::vector<Weights>& groups, std::uint32_t begin, std::uint32_t end) {
  std::vector<Weights> result(groups.size());
  for (std::size_t group = 0; group < groups.size(); ++group) {
    for (const Weight& weight : groups[group]) {
      if (weight.child < begin || weight.child >= end) continue;
      result[group].push_back({weight.rank, weight.child - begin, weight.value});
    }
  }
  return result;
}

// Children of all nodes are counted on.
void train_lanes(const NodeProblem& problem, std::span<const std::uint32_t> children, const NodeOptions& options,
                 std::uint64_t seed, SolverScratch& scratch, const Run& run, Weights& weights,
                 std::vector<float>& biases) {
  const bool is_one_node = problem.n_nodes == 1;
  const auto all_lanes = static_cast<LaneBits>((1u << children.size()) - 1);
  scratch.members.assign(problem.rows.size(), is_one_node ? all_lanes : LaneBits{0});
  scratch.positives.assign(problem.rows.size(), 0);
  LaneProblem lanes{problem.rows, scratch.members, scratch.positives, {}};
  lanes.positive_cost.fill(1);
  for (std::size_t lane = 0; lane < children.size(); ++lane) {
    lanes.positive_cost[lane] = problem.positive_costs[children[lane]];
    for (const std::uint32_t row : problem.child_rows[children[lane]]) {
      scratch.positives[row] |= static_cast<LaneBits>(1u << lane);
    }
  }
  if (!is_one_node) find_members(children, problem.node_of, scratch.positives, scratch.members);
  solve_lanes(lanes, options.linear, seed, scratch.lanes, scratch.weights, run);

  const std::size_t n_features = problem.ranks.size();
  for_each_large(scratch.weights, n_features, options.prune, [&](std::size_t feature, std::size_t lane, float weight) {
    weights.push_back({problem.ranks[feature], children[lane], weight});
  });
  const float* solved_biases = scratch.weights.data() + n_features * kLanes;
  for (std::size_t lane = 0; lane < children.size(); ++lane) biases[children[lane]] = solved_biases[lane];
}

}  // namespace

std::vector<TrainedNode> train_nodes(const NodeProblem& problem, const NodeOptions& options, std::uint64_t seed,
                                     PerWorker<SolverScratch>& scratch, const Run& run) {
  const std::size_t n_children = problem.child_rows.size();
  // Children with about as many positives converge together.
  std::vector<std::uint32_t> order(n_children);
  std::iota(order.begin(), order.end(), 0u);
  std::ranges::stable_sort(order, [&](std::uint32_t a, std::uint32_t b) {
    return problem.child_rows[a].size() > problem.child_rows[b].size();
  });

  std::vector<float> biases(n_children);
  std::vector<Weights> groups((n_children + kLanes - 1) / kLanes);
  // Inner nodes have few groups: those of the same size end together. In leaves full ones took 5 % less time.
  const std::size_t group_size = problem.is_leaf ? kLanes : (n_children + groups.size() - 1) / groups.size();
  parallel_in_order(groups.size(), [&](std::size_t group) {  // those with most positives start first
    const std::size_t begin = group * group_size;
    const auto children = std::span(order).subspan(begin, std::min(group_size, n_children - begin));
    train_lanes(problem, children, options, Random(seed, {begin}).bits(), scratch.local(), run, groups[group], biases);
  });

  std::vector<TrainedNode> result(problem.n_nodes);
  std::uint32_t begin = 0;
  for (std::size_t node = 0; node < result.size(); ++node) {
    const auto end =
        static_cast<std::uint32_t>(std::ranges::upper_bound(problem.node_of, node) - problem.node_of.begin());
    result[node].biases.assign(biases.begin() + begin, biases.begin() + end);
    result[node].classifiers = pack_node(result.size() == 1 ? groups : weights_of(groups, begin, end));
    begin = end;
  }
  return result;
}

}  // namespace xylem::parabel
