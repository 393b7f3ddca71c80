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

}  // namespace

std::vector<TrainedNode> NodeTrainer::train(const LabelTree& tree, std::span<const TaskNode> nodes,
                                            std::span<const std::uint32_t> more_rows, std::uint64_t seed) {
  NodeProblem problem;
  make_problem(data_, tree, nodes, more_rows, problem_scratch_.local(), problem);
  const std::size_t n_children = problem.child_rows.size();
  // Children with about as many positives converge together.
  std::vector<std::uint32_t> order(n_children);
  std::iota(order.begin(), order.end(), 0u);
  std::ranges::stable_sort(order, [&](std::uint32_t a, std::uint32_t b) {
    return problem.child_rows[a].size() > problem.child_rows[b].size();
  });

  std::vector<std::size_t> node_of;
  std::vector<float> costs;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const TreeNode& node = tree.nodes[nodes[i].node];
    for (std::uint32_t child = 0; child < node.n_classifiers(); ++child) {
      node_of.push_back(i);
      const bool has_cost = node.is_leaf() && !options_.label_costs.empty();
      costs.push_back(has_cost ? options_.label_costs[tree.labels[node.begin + child]] : 1.0f);
    }
  }
  std::vector<float> biases(n_children);
  std::vector<Weights> groups((n_children + kLanes - 1) / kLanes);
  // Inner nodes have few groups: those of the same size end together. In leaves full ones took 5 % less time.
  const bool is_leaf = tree.nodes[nodes.front().node].is_leaf();
  const std::size_t group_size = is_leaf ? kLanes : (n_children + groups.size() - 1) / groups.size();
  parallel_in_order(groups.size(), [&](std::size_t group) {  // those with most positives start first
    const std::size_t begin = group * group_size;
    const auto children = std::span(order).subspan(begin, std::min(group_size, n_children - begin));
    train_lanes(problem, children, node_of, costs, Random(seed, {begin}).bits(), groups[group], biases);
  });

  std::vector<TrainedNode> result(nodes.size());
  std::uint32_t first_child = 0;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const auto end = static_cast<std::uint32_t>(first_child + nodes[i].n_children);
    result[i].biases.assign(biases.begin() + first_child, biases.begin() + end);
    if (nodes.size() == 1) {
      result[i].classifiers = pack_node(groups);
    } else {
      result[i].classifiers = pack_node(weights_of(groups, first_child, end));
    }
    first_child = end;
  }
  return result;
}

void NodeTrainer::train_lanes(const NodeProblem& problem, std::span<const std::uint32_t> children,
                              std::span<const std::size_t> node_of, std::span<const float> costs, std::uint64_t seed,
                              Weights& weights, std::vector<float>& biases) {
  LaneBuffers& buffers = lane_buffers_.local();
  const bool is_one_node = node_of.back() == 0;
  const auto all_lanes = static_cast<LaneBits>((1u << children.size()) - 1);
  buffers.members.assign(problem.rows.size(), is_one_node ? all_lanes : LaneBits{0});
  buffers.positives.assign(problem.rows.size(), 0);
  LaneProblem lanes{problem.rows, buffers.members, buffers.positives, {}};
  lanes.positive_cost.fill(1);
  for (std::size_t lane = 0; lane < children.size(); ++lane) {
    lanes.positive_cost[lane] = costs[children[lane]];
    for (const std::uint32_t row : problem.child_rows[children[lane]]) {
      buffers.positives[row] |= static_cast<LaneBits>(1u << lane);
    }
  }
  if (!is_one_node) find_members(children, node_of, buffers.positives, buffers.members);
  solve_lanes(lanes, options_.linear, seed, buffers.scratch, buffers.weights, run_);

  const std::size_t n_features = problem.ranks.size();
  for_each_large(buffers.weights, n_features, options_.prune, [&](std::size_t feature, std::size_t lane, float weight) {
    weights.push_back({problem.ranks[feature], children[lane], weight});
  });
  const float* solved_biases = buffers.weights.data() + n_features * kLanes;
  for (std::size_t lane = 0; lane < children.size(); ++lane) biases[children[lane]] = solved_biases[lane];
}

}  // namespace xylem::parabel
