// SPDX-License-Identifier: Apache-2.0
#include "methods/parabel/train_forest.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "core/parallel.h"
#include "core/progress.h"
#include "core/random.h"
#include "core/stopwatch.h"
#include "methods/parabel/node_checkpoints.h"
#include "methods/parabel/node_problem.h"
#include "methods/parabel/node_tasks.h"
#include "methods/parabel/train_node.h"
#include "metrics/propensity.h"

namespace xylem::parabel {
namespace {

constexpr std::uint64_t kSolveStream = 0x736f6c76;
constexpr std::uint64_t kOrderStream = 0x6f726472;

std::vector<Label> labels_with_rows(const LabelLists& label_rows) {
  std::vector<Label> labels;
  for (std::size_t label = 0; label < label_rows.size(); ++label) {
    if (!label_rows[label].empty()) labels.push_back(static_cast<Label>(label));
  }
  return labels;
}

std::vector<float> label_costs(const Dataset& data, double tail) {
  std::vector<float> costs;
  if (tail == 0) return costs;
  const InversePropensity worth({data.size(), label_counts(data)}, {});
  for (Label label = 0; label < data.n_labels; ++label) {
    costs.push_back(static_cast<float>(std::pow(worth[label], tail)));
  }
  return costs;
}

std::uint64_t total_cost(const std::vector<NodeTask>& tasks) {
  std::uint64_t sum = 0;
  for (const NodeTask& task : tasks) sum += task.cost;
  return sum;
}

std::uint64_t nonzeros_a_row(const Dataset& data) {
  return data.features.ids.size() / std::max<std::size_t>(1, data.size()) + 1;
}

// Where `passes` is not given. On eurlex57k and tibkat-gnd more passes than eight gain little, ten a tenth of a point,
// and on delicious, which is small, two points of P@1 and of P@5.
int default_passes(const std::vector<NodeTask>& tasks, const Dataset& data, double tolerance) {
  constexpr double kMost = 20;
  constexpr double kExact = 0.1;
  const double least = tolerance > kExact ? 8 : 10;
  constexpr double kSmall = 1e8;  // non-zeros visited in a pass: a quarter of a second
  const double visits = static_cast<double>(total_cost(tasks) * nonzeros_a_row(data) + 1);
  return static_cast<int>(std::clamp(kMost * kSmall / visits, least, kMost));
}

// Of the bundles of a checkpoint: about half a CPU second each, and a thousand of them at most.
std::uint64_t bundle_cost(const std::vector<NodeTask>& tasks, const Dataset& data, int passes) {
  constexpr std::uint64_t kMostBundles = 1000;
  constexpr std::uint64_t kVisitsABundle = 250'000'000;  // of a non-zero by a pass; eurlex57k made 5e8 a CPU second
  const std::uint64_t visits_a_cost = nonzeros_a_row(data) * static_cast<std::uint64_t>(passes);
  return std::max(total_cost(tasks) / kMostBundles, kVisitsABundle / visits_a_cost);
}

std::vector<LabelTree> build_trees(const RankedData& ranked, const ParabelOptions& options, const Run& run,
                                   TrainingTimes& times) {
  Stopwatch watch(CLOCK_THREAD_CPUTIME_ID);
  const SparseMatrix vectors = label_vectors(ranked.rows, ranked.label_rows, run);
  times.label_vectors = watch.lap().cpu_seconds;
  const std::vector<Label> labels = labels_with_rows(ranked.label_rows);
  std::vector<LabelTree> trees;
  ProgressCounter progress(run, "cluster", "trees", static_cast<std::size_t>(options.trees));
  for (int tree = 0; tree < options.trees; ++tree) {
    trees.push_back(build_tree(vectors, labels, options.tree, static_cast<std::size_t>(tree), run));
    progress.add(1);
  }
  times.clustering = watch.lap().cpu_seconds;
  return trees;
}

// Nodes that are not trained yet become leaves without labels.
Forest assemble(const std::vector<LabelTree>& trees, std::vector<TrainedNode> trained,
                std::vector<std::uint32_t> rank_of) {
  std::vector<std::uint32_t> roots, children;
  std::vector<std::uint8_t> is_leaf;
  std::vector<std::uint64_t> child_offsets{0};
  std::vector<float> biases;
  std::vector<PackedNode> classifiers;
  for (const LabelTree& tree : trees) {
    const auto root = static_cast<std::uint32_t>(is_leaf.size());
    roots.push_back(root);
    for (const TreeNode& node : tree.nodes) {
      TrainedNode& done = trained[is_leaf.size()];
      is_leaf.push_back(node.is_leaf() || done.biases.empty());
      for (std::uint32_t i = 0; i < done.biases.size(); ++i) {
        children.push_back(node.is_leaf() ? tree.labels[node.begin + i] : root + node.first_child + i);
      }
      child_offsets.push_back(children.size());
      biases.insert(biases.end(), done.biases.begin(), done.biases.end());
      classifiers.push_back(std::move(done.classifiers));
    }
  }
  Classifiers packed(std::move(classifiers), child_offsets, std::move(rank_of));
  return {std::move(roots),    std::move(is_leaf), std::move(child_offsets),
          std::move(children), std::move(biases),  std::move(packed)};
}

// For every node, by its place, the training rows that the search sends to it, where only the nodes `above` are taken
// as trained: a checkpoint may have others already.
LabelLists rows_sent(const RankedData& ranked, const std::vector<LabelTree>& trees, std::span<const NodeTask> above,
                     const std::vector<TrainedNode>& trained, const ParabelOptions& options, const Run& run) {
  SearchOptions search = options.search;
  search.beam_width = options.negatives_beam;
  std::vector<TrainedNode> inner(trained.size());
  for (const NodeTask& task : above) {
    for (const TaskNode& node : task.nodes) {
      if (!trees[task.tree].nodes[node.node].is_leaf()) inner[node.place] = trained[node.place];
    }
  }
  std::vector<std::uint32_t> ranks(ranked.feature_of.size());  // the rows name features by rank
  std::iota(ranks.begin(), ranks.end(), 0u);
  const Forest forest = assemble(trees, std::move(inner), std::move(ranks));

  struct Sent {
    std::uint32_t node, row;
  };
  constexpr std::size_t kGrain = 256;
  std::vector<std::vector<Sent>> chunks((ranked.rows.size() + kGrain - 1) / kGrain);
  PerWorker<SearchScratch> scratch;
  parallel_for(ranked.rows.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    run.check();
    for (std::size_t row = begin; row < end; ++row) {
      for (const Scored& leaf : reached_leaves(forest, search, ranked.rows[row], scratch.local())) {
        chunks[begin / kGrain].push_back({leaf.id, static_cast<std::uint32_t>(row)});
      }
    }
  });
  LabelLists result;
  result.offsets.assign(trained.size() + 1, 0);
  for (const auto& chunk : chunks) {
    for (const Sent& sent : chunk) ++result.offsets[sent.node + 1];
  }
  std::partial_sum(result.offsets.begin(), result.offsets.end(), result.offsets.begin());
  result.ids.resize(result.offsets.back());
  std::vector<std::uint64_t> next(result.offsets.begin(), result.offsets.end() - 1);
  for (const auto& chunk : chunks) {
    for (const Sent& sent : chunk) result.ids[next[sent.node]++] = sent.row;
  }
  return result;
}

std::vector<TrainedNode> train_nodes(const Dataset& data, const RankedData& ranked, const std::vector<LabelTree>& trees,
                                     const ParabelOptions& options, const Run& run, TrainingTimes& times) {
  const bool predicts = options.negatives == Negatives::kNodeAndPredicted;
  std::vector<NodeTask> tasks = list_tasks(trees, ranked.label_rows, predicts ? Share::kNothing : Share::kLanes);
  if (predicts) std::ranges::stable_sort(tasks, {}, &NodeTask::level);
  std::size_t n_nodes = 0;
  for (const LabelTree& tree : trees) n_nodes += tree.nodes.size();

  const std::vector<float> costs = label_costs(data, options.tail);
  LinearOptions linear = options.linear;
  linear.loss = options.search.loss;
  if (linear.passes == 0) linear.passes = default_passes(tasks, data, linear.tolerance);
  NodeTrainer trainer(ranked, {linear, static_cast<float>(options.prune), costs}, run);
  std::vector<TrainedNode> trained(n_nodes);
  NodeCheckpoints saved(run.checkpoints, tasks, bundle_cost(tasks, data, linear.passes), ranked.feature_of.size(),
                        trained);
  if (saved.n_read() > 0) {
    run.remark(fmt::format("resumed: {} of {} nodes were found in the checkpoint", saved.n_read(), n_nodes));
  }
  times.tasks.resize(tasks.size());
  ProgressCounter progress(run, "train", "nodes", n_nodes);
  // Stretches of tasks that may be done in any order: all, or those of a level.
  for (std::size_t begin = 0, end = 0; begin < tasks.size(); begin = end) {
    const std::size_t level = tasks[begin].level;
    while (end < tasks.size() && (!predicts || tasks[end].level == level)) ++end;
    LabelLists more_rows;
    if (level > 0 && predicts && !saved.has_all(begin, end)) {
      Stopwatch watch(CLOCK_THREAD_CPUTIME_ID);
      more_rows = rows_sent(ranked, trees, std::span(tasks).first(begin), trained, options, run);
      times.sending += watch.lap().cpu_seconds;
    }
    parallel_in_order(end - begin, [&](std::size_t place) {
      const std::size_t number = begin + place;
      const NodeTask& task = tasks[number];
      const TaskNode& first = task.nodes.front();
      Stopwatch watch(CLOCK_THREAD_CPUTIME_ID);
      if (!saved.has(number)) {
        const auto more = more_rows.size() > 0 ? more_rows[first.place] : std::span<const std::uint32_t>();
        const std::uint64_t seed = Random(run.seed, {kSolveStream, task.tree, first.node}).bits();
        std::vector<TrainedNode> nodes = trainer.train(trees[task.tree], task.nodes, more, seed);
        for (std::size_t i = 0; i < nodes.size(); ++i) trained[task.nodes[i].place] = std::move(nodes[i]);
        saved.finished(number);
      }
      times.tasks[number] = {task.level, trees[task.tree].nodes[first.node].is_leaf(), task.nodes.size(),
                             (first.n_children + kLanes - 1) / kLanes, watch.lap().cpu_seconds};
      progress.add(task.nodes.size());
    });
  }
  return trained;
}

}  // namespace

Forest train_forest(const Dataset& data, const ParabelOptions& options, const Run& run, TrainingTimes& times) {
  std::vector<LabelTree> trees;
  std::vector<TrainedNode> trained;
  std::vector<std::uint32_t> rank_of;
  {
    Stopwatch watch(CLOCK_THREAD_CPUTIME_ID);
    std::vector<std::uint32_t> order(data.size());
    std::iota(order.begin(), order.end(), 0u);
    Random(run.seed, {kOrderStream}).shuffle(std::span(order));  // as the solver wants it
    RankedData ranked = rank_features(data, order);
    times.ranking = watch.lap().cpu_seconds;
    trees = build_trees(ranked, options, run, times);
    trained = train_nodes(data, ranked, trees, options, run, times);
    rank_of = std::move(ranked.rank_of);
  }
  // The copy of the rows is gone when the model is put together.
  Stopwatch watch(CLOCK_THREAD_CPUTIME_ID);
  Forest forest = assemble(trees, std::move(trained), std::move(rank_of));
  times.assembling = watch.lap().cpu_seconds;
  return forest;
}

}  // namespace xylem::parabel
