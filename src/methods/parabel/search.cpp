// SPDX-License-Identifier: Apache-2.0
#include "methods/parabel/search.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <utility>

#include "core/dense.h"

namespace xylem::parabel {
namespace {

// Features that training never saw have no rank and are left out.
void look_up_ranks(const Forest& forest, SparseRow row, SearchScratch& scratch) {
  const Array<std::uint32_t>& rank_of = forest.classifiers.rank_of();
  scratch.ranks.clear();
  scratch.values.clear();
  for (std::size_t i = 0; i < row.size() && row.ids[i] < rank_of.size(); ++i) {
    if (rank_of[row.ids[i]] == kNoRank) continue;
    scratch.ranks.push_back(rank_of[row.ids[i]]);
    scratch.values.push_back(row.values[i]);
  }
}

constexpr float kNoCandidate = -1;  // in SearchScratch::sums

// Fills scratch.scores with those of a node's children: logarithms, none above that of the node.
void score_children(const Forest& forest, const SearchOptions& options, Scored node, SearchScratch& scratch) {
  const std::uint64_t first = forest.child_offsets[node.id];
  const std::uint64_t n_children = forest.child_offsets[node.id + 1] - first;
  scratch.scores.assign(forest.biases.data() + first, forest.biases.data() + first + n_children);
  forest.classifiers.add_scores(node.id, scratch.ranks, scratch.values, scratch.scores.data());
  // Eigen's max has no branch; what most models have is worth the three lines.
  Eigen::Map<Eigen::ArrayXf> scores(scratch.scores.data(), static_cast<Eigen::Index>(n_children));
  const auto missing = (1 - scores).max(0.0f);
  const bool is_hinge = options.loss == Loss::kSquaredHinge;
  if (is_hinge && options.score_power == 2) {
    scores = node.score - missing.square();
  } else if (is_hinge && options.score_power == 3) {
    scores = node.score - missing.cube();
  } else {
    for (float& score : scratch.scores)
      score = node.score - static_cast<float>(lost_score(options, static_cast<double>(score)));
  }
}

// Moves scratch.level from nodes of a tree to the best of their children, and adds the leaves among them to
// scratch.leaves. Nodes are visited from the best on, and one that is worse than a full beam of children cannot change
// it any more.
void go_down(const Forest& forest, const SearchOptions& options, SearchScratch& scratch) {
  scratch.beam.reset(static_cast<std::size_t>(options.beam_width));
  for (const Scored& node : scratch.level) {
    if (forest.is_leaf[node.id] != 0) {
      constexpr float kLeast = std::numeric_limits<float>::lowest();  // infinity times a weight of 0 is no number
      const auto weight = static_cast<float>(options.path_weight);
      scratch.leaves.push_back({weight * std::max(node.score, kLeast), node.id});
      continue;
    }
    if (node.score < scratch.beam.threshold()) continue;
    score_children(forest, options, node, scratch);
    const auto children = forest.children_of(node.id);
    for (std::size_t i = 0; i < children.size(); ++i) scratch.beam.offer(scratch.scores[i], children[i]);
  }
  const auto best = scratch.beam.sorted();
  scratch.level.assign(best.begin(), best.end());
}

// Fills scratch.leaves with those that the row reaches.
void find_leaves(const Forest& forest, const SearchOptions& options, SearchScratch& scratch) {
  scratch.leaves.clear();
  for (const std::uint32_t root : forest.roots) {
    scratch.level.assign(1, {0.0f, root});
    while (!scratch.level.empty()) go_down(forest, options, scratch);
  }
}

// Scores of labels are sums over the trees, and a sum is at most n_trees times its largest part. So a label that has no
// part of at least this logarithm is not among the best k, where the parts found so far are `best_parts`, the best
// k * n_trees: they belong to k labels or more.
float least_part(const TopK& best_parts, std::size_t n_trees) {
  constexpr float kRoundings = 1e-3f;  // of exp and sums, with much to spare
  constexpr float kVague = -80;        // below, exp has few digits or none
  const float threshold = best_parts.threshold();
  if (threshold < kVague) return -std::numeric_limits<float>::infinity();
  return threshold - std::log(static_cast<float>(n_trees)) - kRoundings;
}

// Visits leaves from the best on until no label of the others can have a part that makes it a candidate. Returns how
// many these are, and leaves the parts of their labels in scratch.parts: with one tree those that may be among the
// best, with more of them all, as small parts of candidates count too.
std::size_t find_parts(const Forest& forest, const SearchOptions& options, std::size_t k, SearchScratch& scratch) {
  const std::vector<Scored>& leaves = scratch.leaves;
  const std::size_t n_trees = forest.roots.size();
  scratch.parts.clear();
  scratch.best_parts.reset(k * n_trees);
  float least = least_part(scratch.best_parts, n_trees);
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    if (leaves[i].score < least) return i;
    score_children(forest, options, leaves[i], scratch);
    const auto labels = forest.children_of(leaves[i].id);
    const std::span<const float> scores = scratch.scores;
    for (std::size_t child = 0; child < scores.size(); ++child) {
      const float score = scores[child];
      if (score < least && n_trees == 1) continue;
      scratch.parts.push_back({score, labels[child]});
      if (score <= scratch.best_parts.threshold()) continue;
      scratch.best_parts.offer(score, labels[child]);
      least = least_part(scratch.best_parts, n_trees);
    }
  }
  return leaves.size();
}

// Adds up the parts of each candidate; leaves that were not visited yet are if they have one.
void add_up(const Forest& forest, const SearchOptions& options, std::span<const Scored> unvisited,
            SearchScratch& scratch) {
  const std::size_t n_trees = forest.roots.size();
  const float least = least_part(scratch.best_parts, n_trees);
  const auto is_candidate = [&](Label label) { return scratch.sums[label] >= 0; };
  const auto add = [&](Label label, float score) {
    if (is_candidate(label)) scratch.sums[label] += std::exp(score);
  };
  scratch.candidates.clear();
  for (const Scored& part : scratch.parts) {
    if (part.score < least || is_candidate(part.id)) continue;
    scratch.sums[part.id] = 0;
    scratch.candidates.push_back(part.id);
  }
  for (const Scored& part : scratch.parts) add(part.id, part.score);
  for (const Scored& leaf : unvisited) {
    const auto labels = forest.children_of(leaf.id);
    if (std::ranges::none_of(labels, is_candidate)) continue;
    score_children(forest, options, leaf, scratch);
    for (std::size_t i = 0; i < labels.size(); ++i) add(labels[i], scratch.scores[i]);
  }
  for (const Label label : scratch.candidates) {
    const float sum = std::exchange(scratch.sums[label], kNoCandidate);
    if (sum > 0) scratch.best.offer(sum / static_cast<float>(n_trees), label);
  }
}

// Leaves the k best labels of the row in scratch.best.
void rank_labels(const Forest& forest, const SearchOptions& options, std::size_t k, SearchScratch& scratch) {
  std::ranges::sort(scratch.leaves, better);
  const std::size_t n_visited = find_parts(forest, options, k, scratch);
  scratch.best.reset(k);
  if (forest.roots.size() > 1) {
    add_up(forest, options, std::span(scratch.leaves).subspan(n_visited), scratch);
    return;
  }
  const float least = least_part(scratch.best_parts, 1);
  for (const Scored& part : scratch.parts) {
    const float score = part.score < least ? 0 : std::exp(part.score);
    if (score > 0) scratch.best.offer(score, part.id);
  }
}

}  // namespace

Forest load_forest(const ModelReader& in, const ModelShape& shape) {
  const std::uint64_t n_nodes = in.array<std::uint8_t>("parabel.is_leaf").size();
  const std::uint64_t n_children = in.array<std::uint32_t>("parabel.child_ids").size();
  const std::uint64_t n_roots = in.array<std::uint32_t>("parabel.roots").size();
  auto child_offsets = in.offsets("parabel.child_offsets", n_nodes, n_children);
  Classifiers classifiers(in, child_offsets.span(), shape.features);
  Forest forest{
      in.ids("parabel.roots", n_roots, n_nodes),    in.array<std::uint8_t>("parabel.is_leaf"), std::move(child_offsets),
      in.array<std::uint32_t>("parabel.child_ids"), in.finite("parabel.biases", n_children),   std::move(classifiers)};
  if (n_roots == 0) in.damaged("damaged: no tree");
  // A root is in a tree of its own, every other node in that of its parent. Trees count from 1; 0 is none.
  std::vector<std::uint32_t> tree_of(n_nodes, 0), tree_with_label(shape.labels, 0);
  const auto give_parent = [&](std::uint32_t node, std::uint32_t tree) {
    if (tree_of[node] != 0) in.damaged("damaged: the nodes are no trees");
    tree_of[node] = tree;
  };
  for (std::uint32_t tree = 0; tree < n_roots; ++tree) give_parent(forest.roots[tree], tree + 1);
  for (std::uint64_t node = 0; node < n_nodes; ++node) {
    const std::uint32_t tree = tree_of[node];
    if (tree == 0 || (node > 0 && tree < tree_of[node - 1])) in.damaged("damaged: the nodes are no trees");
    for (const std::uint32_t child : forest.children_of(node)) {
      if (forest.is_leaf[node] == 0) {
        if (child <= node || child >= n_nodes) in.damaged("damaged: the nodes are no trees");
        give_parent(child, tree);
      } else {
        if (child >= shape.labels) in.damaged("damaged: a leaf has a label that there is not");
        if (std::exchange(tree_with_label[child], tree) == tree) in.damaged("damaged: a tree has a label twice");
      }
    }
  }
  return forest;
}

double lost_score(const SearchOptions& options, double margin) {
  if (options.loss == Loss::kLogistic) return std::max(0.0, -margin) + std::log1p(std::exp(-std::abs(margin)));
  return std::pow(std::max(0.0, 1 - margin), options.score_power);
}

std::span<const Scored> nodes_below(const Forest& forest, const SearchOptions& options, SparseRow row,
                                    std::span<const Scored> nodes, SearchScratch& scratch) {
  look_up_ranks(forest, row, scratch);
  scratch.leaves.clear();
  scratch.level.assign(nodes.begin(), nodes.end());
  go_down(forest, options, scratch);
  return scratch.level;
}

void search(const Forest& forest, const SearchOptions& options, const ModelShape& shape, SparseRows block,
            std::size_t k, SearchScratch& scratch, TopLabels& out) {
  k = std::min(k, shape.labels);
  if (forest.roots.size() > 1) scratch.sums.resize(shape.labels, kNoCandidate);
  for (std::size_t row = 0; row < block.size(); ++row) {
    look_up_ranks(forest, block[row], scratch);
    find_leaves(forest, options, scratch);
    rank_labels(forest, options, k, scratch);
    for (const Scored& best : scratch.best.sorted()) out.push_back(best.id, best.score);
    out.end_row();
  }
}

}  // namespace xylem::parabel
