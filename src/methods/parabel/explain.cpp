// SPDX-License-Identifier: Apache-2.0
#include "methods/parabel/explain.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "algorithms/explain.h"

namespace xylem::parabel {
namespace {

// A child in its parent's list.
struct Branch {
  std::uint32_t node = 0;   // the parent
  std::uint64_t place = 0;  // of the child in Forest::children
};

// The way from a root to a leaf's label.
using Way = std::vector<Branch>;

std::vector<Way> ways_to(const Forest& forest, Label label) {
  const auto n_nodes = static_cast<std::uint32_t>(forest.is_leaf.size());
  std::vector<Branch> above(n_nodes);
  std::vector<Way> ways;
  for (std::uint32_t node = 0; node < n_nodes; ++node) {
    for (std::uint64_t place = forest.child_offsets[node]; place < forest.child_offsets[node + 1]; ++place) {
      const Branch branch{node, place};
      if (forest.is_leaf[node] == 0) {
        above[forest.children[place]] = branch;
      } else if (forest.children[place] == label) {
        ways.push_back({branch});
      }
    }
  }
  for (Way& way : ways) {
    while (std::ranges::find(forest.roots, way.back().node) == forest.roots.end()) {
      way.push_back(above[way.back().node]);
    }
    std::ranges::reverse(way);
  }
  return ways;
}

std::vector<Label> labels_below(const Forest& forest, const Branch& branch) {
  std::vector<Label> labels;
  std::vector<Branch> open = {branch};
  while (!open.empty()) {
    const Branch at = open.back();
    open.pop_back();
    const std::uint32_t child = forest.children[at.place];
    if (forest.is_leaf[at.node] != 0) {
      labels.push_back(child);
      continue;
    }
    for (std::uint64_t place = forest.child_offsets[child]; place < forest.child_offsets[child + 1]; ++place) {
      open.push_back({child, place});
    }
  }
  std::ranges::sort(labels);
  return labels;
}

PathStep explain_step(const Forest& forest, const SearchOptions& options, SparseRow row, const Branch& branch) {
  PathStep step;
  step.labels = labels_below(forest, branch);
  step.bias = static_cast<double>(forest.biases[branch.place]);
  step.margin = step.bias;
  const std::uint64_t first = forest.child_offsets[branch.node];
  std::vector<float> weights(forest.child_offsets[branch.node + 1] - first);
  float& weight = weights[branch.place - first];
  const Array<std::uint32_t>& rank_of = forest.classifiers.rank_of();
  for (std::size_t i = 0; i < row.size() && row.ids[i] < rank_of.size(); ++i) {
    const std::array<std::uint32_t, 1> rank = {rank_of[row.ids[i]]};
    const std::array<float, 1> one = {1};
    weight = 0;  // those of the other children may add up to anything
    if (rank[0] != kNoRank) forest.classifiers.add_scores(branch.node, rank, one, weights.data());
    const double part = static_cast<double>(weight) * static_cast<double>(row.values[i]);
    step.margin += part;
    step.evidence.push_back({row.ids[i], part});
  }
  order_evidence(step.evidence);
  step.score = std::exp(-lost_score(options, step.margin));
  return step;
}

// Whether the search in this tree alone comes to the label.
bool reaches(const Forest& forest, std::uint32_t root, const SearchOptions& options, const ModelShape& shape,
             SparseRow row, Label label, SearchScratch& scratch) {
  Forest tree = forest;
  tree.roots = std::vector<std::uint32_t>{root};
  const std::array<std::uint64_t, 2> offsets = {0, row.size()};
  TopLabels top;
  search(tree, options, shape, SparseRows(offsets, row.ids.data(), row.values.data()), shape.labels, scratch, top);
  return std::ranges::find(top.labels, label) != top.labels.end();
}

}  // namespace

void explain_paths(const Forest& forest, const SearchOptions& options, const ModelShape& shape, SparseRow row,
                   SearchScratch& scratch, Explanation& explanation) {
  const auto n_trees = static_cast<double>(forest.roots.size());
  std::map<Feature, double> totals;
  double score = 0;
  for (const Way& way : ways_to(forest, explanation.label)) {
    const std::uint32_t root = way.front().node;
    TreePath path;
    path.tree = static_cast<std::size_t>(std::ranges::find(forest.roots, root) - forest.roots.begin());
    path.score = 1;
    path.reached = reaches(forest, root, options, shape, row, explanation.label, scratch);
    for (const Branch& branch : way) {
      PathStep& step = path.steps.emplace_back(explain_step(forest, options, row, branch));
      const double weight = forest.is_leaf[branch.node] != 0 ? 1 : options.path_weight;
      path.score *= std::exp(-weight * lost_score(options, step.margin));
      explanation.bias += step.bias / n_trees;
      for (const Contribution& part : step.evidence) totals[part.feature] += part.value / n_trees;
    }
    score += path.score / n_trees;
    explanation.paths.push_back(std::move(path));
  }
  if (!explanation.rank) explanation.score = score;
  for (const auto& [feature, value] : totals) explanation.evidence.push_back({feature, value});
  order_evidence(explanation.evidence);
  explanation.basis = "what is added to the margins of the classifiers on the label's path";
  if (forest.roots.size() > 1) explanation.basis += ", averaged over the trees";
  if (explanation.paths.empty()) explanation.basis = kNoTrainingRow;
}

}  // namespace xylem::parabel
