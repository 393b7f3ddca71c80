// SPDX-License-Identifier: Apache-2.0
#include "methods/parabel/routing.h"

#include <algorithm>
#include <numeric>

#include "core/parallel.h"
#include "methods/parabel/merge_forest.h"

namespace xylem::parabel {
namespace {

// The children of a level's nodes lie together.
std::size_t widest_level(const LabelTree& tree) {
  std::size_t widest = 1;
  for (std::size_t begin = 0, end = 1; begin < end;) {
    std::size_t width = 0;
    for (std::size_t node = begin; node < end; ++node) width += tree.nodes[node].n_children;
    widest = std::max(widest, width);
    begin = end;
    end += width;
  }
  return widest;
}

void visit_routes(std::span<const Routes> trees, auto&& use) {
  for (const Routes& routes : trees) {
    for (std::size_t row = 0; row < routes.n_rows(); ++row) {
      for (const Scored& node : routes.of(row)) {
        if (node.id == Routes::kNone) break;
        use(node.id, static_cast<std::uint32_t>(row));
      }
    }
  }
}

}  // namespace

Routes routes_at_root(const LabelTree& tree, std::uint32_t root, std::size_t n_rows, int beam_width) {
  Routes routes{std::min(static_cast<std::size_t>(beam_width), widest_level(tree)), {}};
  routes.nodes.assign(n_rows * routes.width, {0.0f, Routes::kNone});
  for (std::size_t row = 0; row < n_rows; ++row) routes.of(row).front().id = root;
  return routes;
}

Forest level_forest(const std::vector<LabelTree>& trees, std::span<const NodeTask> level,
                    const std::vector<TrainedNode>& trained, std::size_t n_ranks) {
  std::vector<TrainedNode> inner(trained.size());
  for (const NodeTask& task : level) {
    for (const TaskNode& node : task.nodes) {
      if (!trees[task.tree].nodes[node.node].is_leaf()) inner[node.place] = trained[node.place];
    }
  }
  std::vector<std::uint32_t> ranks(n_ranks);
  std::iota(ranks.begin(), ranks.end(), 0u);
  return merge_forest(trees, std::move(inner), std::move(ranks));
}

void route(const Forest& level, const SearchOptions& options, SparseRows rows, Routes& routes, const Run& run) {
  SearchOptions search = options;
  search.beam_width = static_cast<int>(routes.width);
  constexpr std::size_t kGrain = 256;
  PerWorker<SearchScratch> scratch;
  parallel_for(rows.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    run.check();
    for (std::size_t row = begin; row < end; ++row) {
      const std::span<Scored> nodes = routes.of(row);
      const auto last = std::ranges::find(nodes, Routes::kNone, &Scored::id);
      const auto below = nodes_below(level, search, rows[row], {nodes.begin(), last}, scratch.local());
      std::ranges::fill(std::ranges::copy(below, nodes.begin()).out, nodes.end(), Scored{0.0f, Routes::kNone});
    }
  });
}

LabelLists rows_of_nodes(std::span<const Routes> trees, std::size_t n_nodes) {
  LabelLists result;
  result.offsets.assign(n_nodes + 1, 0);
  visit_routes(trees, [&](std::uint32_t node, std::uint32_t) { ++result.offsets[node + 1]; });
  std::partial_sum(result.offsets.begin(), result.offsets.end(), result.offsets.begin());
  result.ids.resize(result.offsets.back());
  std::vector<std::uint64_t> next(result.offsets.begin(), result.offsets.end() - 1);
  visit_routes(trees, [&](std::uint32_t node, std::uint32_t row) { result.ids[next[node]++] = row; });
  return result;
}

}  // namespace xylem::parabel
