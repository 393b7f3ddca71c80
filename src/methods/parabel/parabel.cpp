// SPDX-License-Identifier: Apache-2.0
// Parabel (Prabhu et al., WWW 2018) with the parallelism of PParabel (Lu et al., NPC 2019). Labels are clustered into a
// tree by the mean of their rows; each node has a linear classifier for each child, trained on the rows that have a
// label below the node; a row walks down with the best few nodes of each level, and a label's score is the product of
// the classifiers' scores on its path. So a row costs a few hundred classifiers instead of one for each label.
//
// We differ in the shape (one wide tree by default; the paper's three binary ones are a preset), in the solver (sixteen
// classifiers over the same rows in lock step, see lane_solver.h), and in that all nodes of all trees are tasks, inside
// of which children are tasks again.
//
// Cost: every row is visited on each level once for each node that it reaches and each sixteen of its children, times
// the passes. Memory: see memory_plan.cpp.
#include "methods/parabel/parabel.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <numeric>
#include <utility>

#include "core/numbers.h"
#include "core/parallel.h"
#include "core/progress.h"
#include "core/random.h"
#include "learn/explain.h"
#include "methods/parabel/explain.h"
#include "methods/parabel/memory_plan.h"
#include "methods/parabel/node_checkpoints.h"
#include "methods/parabel/node_problem.h"
#include "methods/parabel/node_tasks.h"
#include "methods/parabel/train_node.h"
#include "metrics/propensity.h"

namespace xylem {
namespace {

using namespace parabel;  // NOLINT: this file is the method

constexpr std::uint64_t kSolveStream = 0x736f6c76;

ParabelOptions options_of(const Settings& settings) {
  ParabelOptions options = parse_options<ParabelOptions>(settings);
  if (options.preset == ParabelPreset::kFast) return options;
  const ParabelPreset preset = options.preset;
  options = {};
  options.preset = preset;
  if (preset == ParabelPreset::kPaper) {
    options.trees = 3;
    options.tree.arity = 2;
    options.tree.max_leaf = 100;
    options.linear.passes = 20;
    options.search.score_power = 2;
  } else {
    options.trees = 3;
    options.tree.balanced = false;
    options.tree.arity = 100;
    options.tree.max_leaf = 100;
    options.tree.max_depth = 2;
    options.linear.passes = 20;
  }
  assign_options(option_fields(options), settings);
  return options;
}

class ParabelModel : public Model {
 public:
  ParabelModel(Forest forest, const SearchOptions& options, const ModelShape& shape)
      : forest_(std::move(forest)), options_(options), shape_(shape) {}

  void predict(SparseRows block, std::size_t k, Scratch& scratch, TopLabels& out) const override {
    search(forest_, options_, shape_, block, k, scratch.as<SearchScratch>(), out);
  }

  Explanation explain(SparseRow row, Label label, Scratch& scratch) const override {
    Explanation result = place_label(*this, row, label, scratch);
    explain_paths(forest_, options_, shape_, row, scratch.as<SearchScratch>(), result);
    return result;
  }

  void save(ModelWriter& out) const override {
    for (const auto& [name, value] : option_values(options_)) out.text("parabel." + name, value);
    out.array("parabel.roots", forest_.roots);
    out.array("parabel.is_leaf", forest_.is_leaf);
    out.array("parabel.child_offsets", forest_.child_offsets);
    out.array("parabel.child_ids", forest_.children);
    out.array("parabel.biases", forest_.biases);
    forest_.classifiers.save(out);
  }

 private:
  Forest forest_;
  SearchOptions options_;
  ModelShape shape_;
};

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

// Of the bundles of a checkpoint: about half a CPU second each, and a thousand of them at most.
std::uint64_t bundle_cost(const std::vector<NodeTask>& tasks, const Dataset& data, const LinearOptions& options) {
  constexpr std::uint64_t kMostBundles = 1000;
  constexpr std::uint64_t kVisitsABundle = 250'000'000;  // of a non-zero by a pass; eurlex57k made 5e8 a CPU second
  std::uint64_t all = 0;
  for (const NodeTask& task : tasks) all += task.cost;
  const std::uint64_t nonzeros_a_row = data.features.ids.size() / std::max<std::size_t>(1, data.size()) + 1;
  return std::max(all / kMostBundles, kVisitsABundle / (nonzeros_a_row * static_cast<std::uint64_t>(options.passes)));
}

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
      TrainedNode& learned = trained[is_leaf.size()];
      is_leaf.push_back(node.is_leaf());
      for (std::uint32_t i = 0; i < learned.biases.size(); ++i) {
        children.push_back(node.is_leaf() ? tree.labels[node.begin + i] : root + node.first_child + i);
      }
      child_offsets.push_back(children.size());
      biases.insert(biases.end(), learned.biases.begin(), learned.biases.end());
      classifiers.push_back(std::move(learned.classifiers));
    }
  }
  Classifiers packed(std::move(classifiers), child_offsets, std::move(rank_of));
  return {std::move(roots),    std::move(is_leaf), std::move(child_offsets),
          std::move(children), std::move(biases),  std::move(packed)};
}

bool chooses(const Settings& settings) {
  options_of(settings);
  return false;
}

Settings values(const Settings& settings) {
  return option_values(options_of(settings));
}

MemoryPlan plan(const DataShape& shape, const Settings& settings, std::size_t threads) {
  return plan_memory(shape, options_of(settings), threads);
}

std::vector<LabelTree> grow_trees(const RankedData& ranked, const ParabelOptions& options, const Run& run) {
  const SparseMatrix vectors = label_vectors(ranked.rows, ranked.label_rows);
  const std::vector<Label> labels = labels_with_rows(ranked.label_rows);
  std::vector<LabelTree> trees;
  ProgressCounter progress(run, "cluster", "trees", static_cast<std::size_t>(options.trees));
  for (int tree = 0; tree < options.trees; ++tree) {
    trees.push_back(grow_tree(vectors, labels, options.tree, static_cast<std::size_t>(tree), run));
    progress.add(1);
  }
  return trees;
}

std::vector<TrainedNode> train_nodes(const Dataset& data, const RankedData& ranked, const std::vector<LabelTree>& trees,
                                     const ParabelOptions& options, const Run& run) {
  const std::vector<NodeTask> tasks = list_tasks(trees, ranked.label_rows);
  const std::vector<float> costs = label_costs(data, options.tail);
  NodeTrainer trainer(ranked, {options.linear, static_cast<float>(options.prune), costs});
  std::vector<TrainedNode> trained(tasks.size());
  NodeCheckpoints saved(run.checkpoints, tasks, bundle_cost(tasks, data, options.linear), ranked.feature_of.size(),
                        trained);
  if (saved.n_read() > 0) {
    run.remark(fmt::format("resumed: {} of {} nodes were found in the checkpoint", saved.n_read(), tasks.size()));
  }
  std::atomic<std::size_t> next = 0;
  ProgressCounter progress(run, "train", "nodes", tasks.size());
  parallel_for(tasks.size(), 1, [&](std::size_t, std::size_t) {
    const std::size_t number = next++;
    const NodeTask& task = tasks[number];
    if (!saved.has(number)) {
      const LabelTree& tree = trees[task.tree];
      trained[task.place] =
          trainer.train(tree, tree.nodes[task.node], Random(run.seed, {kSolveStream, task.tree, task.node}).bits());
      saved.finished(number);
    }
    progress.add(1);
  });
  return trained;
}

Trained train(const TrainingData& training, const Settings& settings, const Run& run) {
  const ParabelOptions options = options_of(settings);
  const Dataset& data = training.train;
  std::vector<LabelTree> trees;
  std::vector<TrainedNode> trained;
  std::vector<std::uint32_t> rank_of;
  {
    RankedData ranked = rank_features(data);
    trees = grow_trees(ranked, options, run);
    trained = train_nodes(data, ranked, trees, options, run);
    rank_of = std::move(ranked.rank_of);
  }
  // The copy of the rows is gone when the model is put together.
  return {std::make_unique<ParabelModel>(assemble(trees, std::move(trained), std::move(rank_of)), options.search,
                                         ModelShape{data.features.n_columns, data.n_labels}),
          {}};
}

std::unique_ptr<Model> load(ModelReader& in, const ModelShape& shape) {
  SearchOptions options;
  for (const OptionField& field : option_fields(options)) {
    const std::string& text = in.text("parabel." + field.name);
    const auto value = parse_number<double>(text);
    if (!field.set(text) || !value || *value < field.range->low || *value > field.range->high) {
      in.damaged(fmt::format("damaged: parabel.{} is out of range", field.name));
    }
  }
  return std::make_unique<ParabelModel>(load_forest(in, shape), options, shape);
}

}  // namespace

const Method parabel_method = {
    .name = "parabel",
    .summary = "trees of labels with linear classifiers in their nodes",
    .options = describe_options<ParabelOptions>,
    .values = values,
    .chooses = chooses,
    .plan = plan,
    .train = train,
    .load = load,
};

}  // namespace xylem
