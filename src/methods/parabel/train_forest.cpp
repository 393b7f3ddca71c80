// SPDX-License-Identifier: Apache-2.0
#include "methods/parabel/train_forest.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/parallel.h"
#include "core/progress.h"
#include "core/stopwatch.h"
#include "methods/parabel/merge_forest.h"
#include "methods/parabel/node_checkpoints.h"
#include "methods/parabel/node_options.h"
#include "methods/parabel/node_problem.h"
#include "methods/parabel/node_tasks.h"
#include "methods/parabel/ranked_rows.h"
#include "methods/parabel/routing.h"
#include "methods/parabel/train_node.h"

namespace xylem::parabel {
namespace {

std::vector<Label> labels_with_rows(std::span<const std::uint32_t> label_counts) {
  std::vector<Label> labels;
  for (std::size_t label = 0; label < label_counts.size(); ++label) {
    if (label_counts[label] > 0) labels.push_back(static_cast<Label>(label));
  }
  return labels;
}

// Of the bundles of a checkpoint: about half a CPU second each, and a thousand of them at most.
std::uint64_t bundle_cost(std::span<const NodeTask> tasks, std::uint64_t nonzeros_a_row, int passes) {
  constexpr std::uint64_t kMostBundles = 1000;
  constexpr std::uint64_t kVisitsABundle = 250'000'000;  // of a non-zero by a pass; eurlex57k made 5e8 a CPU second
  const std::uint64_t visits_a_cost = nonzeros_a_row * static_cast<std::uint64_t>(passes);
  return std::max(total_cost(tasks) / kMostBundles, kVisitsABundle / visits_a_cost);
}

std::vector<LabelTree> build_trees(const RankedRows& ranked, std::span<const std::uint32_t> label_counts,
                                   const ParabelOptions& options, const Run& run, TrainingTimes& times) {
  Stopwatch watch(CLOCK_THREAD_CPUTIME_ID);
  const SparseMatrix vectors = label_vectors(ranked, run);
  times.label_vectors = watch.lap().cpu_seconds;
  const std::vector<Label> labels = labels_with_rows(label_counts);
  std::vector<LabelTree> trees;
  ProgressCounter progress(run, "cluster", "trees", static_cast<std::size_t>(options.trees));
  for (int tree = 0; tree < options.trees; ++tree) {
    trees.push_back(build_tree(vectors, labels, options.tree, static_cast<std::size_t>(tree), run));
    progress.add(1);
  }
  times.clustering = watch.lap().cpu_seconds;
  return trees;
}

// Trains the nodes of all trees: with negatives=node+predicted level by level, as those above send rows to those below.
class ForestTrainer {
 public:
  ForestTrainer(const RankedRows& ranked, const TrainingCounts& counts, const std::vector<LabelTree>& trees,
                const ParabelOptions& options, const Run& run, TrainingTimes& times)
      : ranked_(ranked),
        trees_(trees),
        options_(options),
        run_(run),
        times_(times),
        tasks_(list_tasks(trees, counts.labels, predicts() ? Share::kNothing : Share::kLanes)) {
    if (predicts()) std::ranges::stable_sort(tasks_, {}, &NodeTask::level);
    const std::uint64_t nonzeros_a_row = ranked.rows.ids.size() / std::max<std::size_t>(1, ranked.rows.size()) + 1;
    node_options_ = node_options(options, tasks_, counts, nonzeros_a_row);
    bundle_cost_ = bundle_cost(tasks_, nonzeros_a_row, node_options_.linear.passes);
    for (const LabelTree& tree : trees) n_nodes_ += tree.nodes.size();
    trained_.resize(n_nodes_);
  }

  std::vector<TrainedNode> train() {
    NodeCheckpoints saved(run_.checkpoints, tasks_, bundle_cost_, ranked_.rows.n_columns, trained_);
    if (saved.n_read() > 0) {
      run_.remark(fmt::format("resumed: {} of {} nodes were found in the checkpoint", saved.n_read(), n_nodes_));
    }
    times_.tasks.resize(tasks_.size());
    ProgressCounter progress(run_, "train", "nodes", n_nodes_);
    // Stretches of tasks that may be done in any order: all, or those of a level.
    for (std::size_t begin = 0, end = 0; begin < tasks_.size(); begin = end) {
      end = predicts() ? level_end(begin) : tasks_.size();
      LabelLists more_rows;
      if (predicts() && begin > 0 && !saved.has_all(begin, end)) more_rows = rows_sent(begin);
      parallel_in_order(end - begin, [&](std::size_t place) {
        const std::size_t number = begin + place;
        const NodeTask& task = tasks_[number];
        Stopwatch watch(CLOCK_THREAD_CPUTIME_ID);
        if (!saved.has(number)) {
          train_task(task, more_rows);
          saved.finished(number);
        }
        const TaskNode& first = task.nodes.front();
        times_.tasks[number] = {task.level, trees_[task.tree].nodes[first.node].is_leaf(), task.nodes.size(),
                                (first.n_children + kLanes - 1) / kLanes, watch.lap().cpu_seconds};
        progress.add(task.nodes.size());
      });
    }
    return std::move(trained_);
  }

 private:
  bool predicts() const { return options_.negatives == Negatives::kNodeAndPredicted; }

  std::size_t level_end(std::size_t begin) const {
    std::size_t end = begin;
    while (end < tasks_.size() && tasks_[end].level == tasks_[begin].level) ++end;
    return end;
  }

  // To the nodes of the level whose tasks begin at `task`. Rows of levels that a checkpoint had are sent only now.
  LabelLists rows_sent(std::size_t task) {
    Stopwatch watch(CLOCK_THREAD_CPUTIME_ID);
    SearchOptions search = options_.search;
    search.beam_width = options_.negatives_beam;
    if (routes_.empty()) {
      std::uint32_t root = 0;
      for (const LabelTree& tree : trees_) {
        routes_.push_back(routes_at_root(tree, root, ranked_.rows.size(), search.beam_width));
        root += static_cast<std::uint32_t>(tree.nodes.size());
      }
    }
    while (n_routed_ < task) {
      const std::size_t end = level_end(n_routed_);
      const Forest level =
          level_forest(trees_, std::span(tasks_).subspan(n_routed_, end - n_routed_), trained_, ranked_.rows.n_columns);
      for (Routes& routes : routes_) route(level, search, ranked_.rows.rows(), routes, run_);
      n_routed_ = end;
    }
    LabelLists rows = rows_of_nodes(routes_, n_nodes_);
    times_.sending += watch.lap().cpu_seconds;
    return rows;
  }

  void train_task(const NodeTask& task, const LabelLists& more_rows) {
    const std::size_t first = task.nodes.front().place;
    NodeProblem problem;
    make_problem(ranked_, trees_[task.tree], task.nodes,
                 more_rows.size() > 0 ? more_rows[first] : std::span<const std::uint32_t>(), node_options_,
                 problem_scratch_.local(), problem);
    std::vector<TrainedNode> nodes =
        train_nodes(problem, node_options_, task_seed(run_.seed, task), solver_scratch_, run_);
    for (std::size_t i = 0; i < nodes.size(); ++i) trained_[task.nodes[i].place] = std::move(nodes[i]);
  }

  const RankedRows& ranked_;
  const std::vector<LabelTree>& trees_;
  const ParabelOptions& options_;
  const Run& run_;
  TrainingTimes& times_;
  std::vector<NodeTask> tasks_;
  NodeOptions node_options_;
  std::uint64_t bundle_cost_ = 0;
  std::size_t n_nodes_ = 0;
  std::vector<TrainedNode> trained_;
  std::vector<Routes> routes_;  // of each tree
  std::size_t n_routed_ = 0;    // tasks whose nodes have sent their rows on
  PerWorker<ProblemScratch> problem_scratch_;
  PerWorker<SolverScratch> solver_scratch_;
};

}  // namespace

Forest train_forest(const Dataset& data, const ParabelOptions& options, const Run& run, TrainingTimes& times) {
  std::vector<LabelTree> trees;
  std::vector<TrainedNode> trained;
  FeatureRanks ranks;
  {
    Stopwatch watch(CLOCK_THREAD_CPUTIME_ID);
    ranks = rank_features(feature_counts(data.features));
    const RankedRows ranked = rank_rows(data, solver_order(data.size(), run.seed), ranks);
    times.ranking = watch.lap().cpu_seconds;
    const TrainingCounts counts{data.size(), label_counts(data)};
    trees = build_trees(ranked, counts.labels, options, run, times);
    trained = ForestTrainer(ranked, counts, trees, options, run, times).train();
  }
  // The copy of the rows is gone when the model is put together.
  Stopwatch watch(CLOCK_THREAD_CPUTIME_ID);
  Forest forest = merge_forest(trees, std::move(trained), std::move(ranks.rank_of));
  times.assembling = watch.lap().cpu_seconds;
  return forest;
}

}  // namespace xylem::parabel
