// SPDX-License-Identifier: Apache-2.0
#include "methods/parabel/search.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

namespace xylem::parabel {
namespace {

// Features that training never saw have no rank and are left out.
void look_up_ranks(const Forest& forest, SparseRows block, SearchScratch& scratch) {
  const Array<std::uint32_t>& rank_of = forest.classifiers.rank_of();
  scratch.ranks.clear();
  scratch.values.clear();
  scratch.row_offsets.assign(1, 0);
  for (std::size_t row = 0; row < block.size(); ++row) {
    const SparseRow source = block[row];
    for (std::size_t i = 0; i < source.size() && source.ids[i] < rank_of.size(); ++i) {
      if (rank_of[source.ids[i]] == kNoRank) continue;
      scratch.ranks.push_back(rank_of[source.ids[i]]);
      scratch.values.push_back(source.values[i]);
    }
    scratch.row_offsets.push_back(scratch.ranks.size());
  }
}

float log_score(float margin, float power) {
  const float missing = std::max(0.0f, 1 - margin);
  return power == 2 ? -missing * missing : -std::pow(missing, power);
}

// Keeps the best visits of each row; equal ones by the node. Leaves them sorted by node.
void keep_best(std::size_t beam_width, std::vector<Visit>& visits) {
  std::ranges::sort(visits, [](const Visit& a, const Visit& b) {
    if (a.row != b.row) return a.row < b.row;
    return a.log_score != b.log_score ? a.log_score > b.log_score : a.node < b.node;
  });
  std::size_t n_kept = 0;
  std::size_t of_row = 0;
  for (std::size_t i = 0; i < visits.size(); ++i) {
    of_row = i > 0 && visits[i].row == visits[i - 1].row ? of_row + 1 : 0;
    if (of_row < beam_width) visits[n_kept++] = visits[i];
  }
  visits.resize(n_kept);
  std::ranges::sort(visits,
                    [](const Visit& a, const Visit& b) { return a.node != b.node ? a.node < b.node : a.row < b.row; });
}

void answer(const Forest& forest, const SearchOptions& options, const Visit& visit, SearchScratch& scratch) {
  const std::uint64_t first = forest.child_offsets[visit.node];
  const std::uint64_t n_children = forest.child_offsets[visit.node + 1] - first;
  scratch.scores.assign(forest.biases.data() + first, forest.biases.data() + first + n_children);
  const std::uint64_t begin = scratch.row_offsets[visit.row];
  const std::uint64_t length = scratch.row_offsets[visit.row + 1] - begin;
  forest.classifiers.add_scores(visit.node, {scratch.ranks.data() + begin, length},
                                {scratch.values.data() + begin, length}, scratch.scores.data());
  const auto power = static_cast<float>(options.score_power);
  for (std::uint64_t child = 0; child < n_children; ++child) {
    const float score = visit.log_score + log_score(scratch.scores[child], power);
    const std::uint32_t id = forest.children[first + child];
    if (forest.is_leaf[visit.node] != 0) {
      scratch.labels[visit.row].push_back({std::exp(score), id});
    } else {
      scratch.found.push_back({id, visit.row, score});
    }
  }
}

void add_up(std::size_t k, std::size_t n_trees, std::vector<Scored>& labels, SearchScratch& scratch, TopLabels& out) {
  for (const Scored& label : labels) scratch.sums[label.id] += label.score;
  scratch.best.reset(k);
  for (const Scored& label : labels) {
    const float sum = std::exchange(scratch.sums[label.id], 0.0f);
    if (sum > 0) scratch.best.offer(sum / static_cast<float>(n_trees), label.id);
  }
  for (const Scored& best : scratch.best.sorted()) out.push_back(best.id, best.score);
  out.end_row();
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
  std::vector<bool> has_parent(n_nodes, false);
  const auto give_parent = [&](std::uint32_t node) {
    if (has_parent[node]) in.damaged("damaged: the nodes are no trees");
    has_parent[node] = true;
  };
  for (const std::uint32_t root : forest.roots) give_parent(root);
  for (std::uint64_t node = 0; node < n_nodes; ++node) {
    for (std::uint64_t i = forest.child_offsets[node]; i < forest.child_offsets[node + 1]; ++i) {
      const std::uint32_t child = forest.children[i];
      if (forest.is_leaf[node] != 0) {
        if (child >= shape.labels) in.damaged("damaged: a leaf has a label that there is not");
      } else {
        if (child <= node || child >= n_nodes) in.damaged("damaged: the nodes are no trees");
        give_parent(child);
      }
    }
  }
  if (!std::ranges::all_of(has_parent, std::identity())) in.damaged("damaged: the nodes are no trees");
  return forest;
}

void search(const Forest& forest, const SearchOptions& options, const ModelShape& shape, SparseRows block,
            std::size_t k, SearchScratch& scratch, TopLabels& out) {
  look_up_ranks(forest, block, scratch);
  scratch.sums.resize(shape.labels);
  scratch.labels.resize(std::max(scratch.labels.size(), block.size()));
  for (std::size_t row = 0; row < block.size(); ++row) scratch.labels[row].clear();
  for (const std::uint32_t root : forest.roots) {
    scratch.visits.clear();
    for (std::uint32_t row = 0; row < block.size(); ++row) scratch.visits.push_back({root, row, 0});
    while (!scratch.visits.empty()) {
      scratch.found.clear();
      for (const Visit& visit : scratch.visits) answer(forest, options, visit, scratch);
      keep_best(static_cast<std::size_t>(options.beam_width), scratch.found);
      std::swap(scratch.visits, scratch.found);
    }
  }
  for (std::size_t row = 0; row < block.size(); ++row) {
    add_up(k, forest.roots.size(), scratch.labels[row], scratch, out);
  }
}

}  // namespace xylem::parabel
