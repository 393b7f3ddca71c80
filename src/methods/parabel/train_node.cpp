// SPDX-License-Identifier: Apache-2.0
#include "methods/parabel/train_node.h"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/random.h"

namespace xylem::parabel {

TrainedNode NodeTrainer::train(const LabelTree& tree, const TreeNode& node, std::uint64_t seed) {
  NodeProblem problem;
  make_problem(data_, tree, node, problem_scratch_.local(), problem);
  const std::size_t n_children = problem.child_rows.size();
  // Children with about as many positives converge together.
  std::vector<std::uint32_t> order(n_children);
  std::iota(order.begin(), order.end(), 0u);
  std::ranges::stable_sort(order, [&](std::uint32_t a, std::uint32_t b) {
    return problem.child_rows[a].size() > problem.child_rows[b].size();
  });

  std::vector<float> costs(n_children, 1.0f);
  if (node.is_leaf() && !options_.label_costs.empty()) {
    for (std::size_t child = 0; child < n_children; ++child) {
      costs[child] = options_.label_costs[tree.labels[node.begin + child]];
    }
  }
  TrainedNode result;
  result.biases.resize(n_children);
  std::vector<std::vector<Weight>> weights((n_children + kLanes - 1) / kLanes);
  parallel_for(n_children, kLanes, [&](std::size_t begin, std::size_t end) {
    train_lanes(problem, std::span(order).subspan(begin, end - begin), costs, Random(seed, {begin}).bits(),
                weights[begin / kLanes], result.biases);
  });
  std::vector<Weight> all = std::move(weights[0]);
  for (std::size_t i = 1; i < weights.size(); ++i) all.insert(all.end(), weights[i].begin(), weights[i].end());
  result.classifiers = pack_node(all, data_.rank_of);
  return result;
}

void NodeTrainer::train_lanes(const NodeProblem& problem, std::span<const std::uint32_t> children,
                              std::span<const float> costs, std::uint64_t seed, std::vector<Weight>& weights,
                              std::vector<float>& biases) {
  LaneBuffers& buffers = lane_buffers_.local();
  buffers.members.assign(problem.rows.size(), static_cast<LaneBits>((1u << children.size()) - 1));
  buffers.positives.assign(problem.rows.size(), 0);
  LaneProblem lanes{problem.rows, buffers.members, buffers.positives, {}};
  lanes.positive_cost.fill(1);
  for (std::size_t lane = 0; lane < children.size(); ++lane) {
    lanes.positive_cost[lane] = costs[children[lane]];
    for (const std::uint32_t row : problem.child_rows[children[lane]]) {
      buffers.positives[row] |= static_cast<LaneBits>(1u << lane);
    }
  }
  solve_lanes(lanes, options_.linear, seed, buffers.scratch, buffers.weights);

  using Lanes = Eigen::Map<const Eigen::Array<float, kLanes, 1>, Eigen::Aligned32>;
  const float* solution = buffers.weights.data();
  for (std::size_t feature = 0; feature < problem.features.size(); ++feature, solution += kLanes) {
    if (Lanes(solution).abs().maxCoeff() < options_.prune) continue;  // as most are
    for (std::size_t lane = 0; lane < children.size(); ++lane) {
      // Not even without pruning is there a point in keeping zeros.
      if (std::abs(solution[lane]) < options_.prune || solution[lane] == 0) continue;
      weights.push_back({problem.features[feature], children[lane], solution[lane]});
    }
  }
  for (std::size_t lane = 0; lane < children.size(); ++lane) biases[children[lane]] = solution[lane];
}

}  // namespace xylem::parabel
