// SPDX-License-Identifier: Apache-2.0
// Parabel (Prabhu et al., WWW 2018) with the parallelism of PParabel (Lu et al., NPC 2019). Labels are clustered into a
// tree by the mean of their rows; each node has a linear classifier for each child, trained on the rows that have a
// label below the node; a row walks down with the best few nodes of each level, and a label's score is the product of
// the classifiers' scores on its path. So a row costs a few hundred classifiers instead of one for each label.
//
// We differ in the shape (one wide tree by default; the paper's three binary ones are a preset), in that nodes also
// learn from the rows that the search sends to them by mistake, which makes the path count less in a label's score, in
// the solver (sixteen classifiers over the same rows in lock step, see lane_solver.h), and in that all nodes of all
// trees are tasks, inside of which children are tasks again.
//
// Cost: every row is visited on each level once for each node that it reaches and each sixteen of its children, times
// the passes. Memory: see memory_plan.cpp.
#include "methods/parabel/parabel.h"

#include <utility>

#include "algorithms/explain.h"
#include "methods/parabel/explain.h"
#include "methods/parabel/memory_plan.h"
#include "methods/parabel/train_forest.h"
#include "methods/typed.h"
#include "model_file/saved_options.h"

namespace xylem {
namespace {

using namespace parabel;  // NOLINT: this file is the method

ParabelOptions preset_options(ParabelPreset preset) {
  ParabelOptions options;
  options.preset = preset;
  if (preset == ParabelPreset::kPaper) {
    options.trees = 3;
    options.tree.arity = 2;
    options.tree.max_leaf = 100;
    options.linear.tolerance = 0.1;
    options.prune = 0.05;
    options.negatives = Negatives::kNode;
    options.tail = 0;
    options.search.beam_width = 10;
    options.search.score_power = 2;
  } else if (preset == ParabelPreset::kAccurate) {
    options.trees = 3;
    options.tree.max_leaf = 300;
    options.linear.tolerance = 0.1;
    options.negatives_beam = 10;
    options.search.beam_width = 20;
  }
  return options;
}

ParabelOptions parse(const Settings& settings) {
  ParabelOptions options = preset_options(parse_options<ParabelOptions>(settings).preset);
  assign_options(option_fields(options), settings);
  // A classifier that has seen the rows that come by mistake knows by itself what the nodes above say.
  double& weight = options.search.path_weight;
  if (weight == 0) weight = options.negatives == Negatives::kNode ? 1 : 0.3;
  return options;
}

class ParabelModel : public Model {
 public:
  ParabelModel(Forest forest, const SearchOptions& options, const ModelShape& shape)
      : forest_(std::move(forest)), options_(options), shape_(shape) {}

  void predict(const RowBlock& block, std::size_t k, Scratch& scratch, TopLabels& out) const override {
    search(forest_, options_, shape_, block.rows, k, scratch.as<SearchScratch>(), out);
  }

  Explanation explain(const RowBlock& row, Label label, Scratch& scratch) const override {
    Explanation result = place_label(*this, row, label, scratch);
    explain_paths(forest_, options_, shape_, row.rows[0], scratch.as<SearchScratch>(), result);
    return result;
  }

  void save(ModelWriter& out) const override {
    save_options(out, "parabel.", options_);
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

Trained train(const TrainingData& training, const ParabelOptions& options, const Run& run) {
  const Dataset& data = training.train;
  TrainingTimes times;  // for those who measure
  return {std::make_unique<ParabelModel>(train_forest(data, options, run, times), options.search,
                                         ModelShape{data.features.n_columns, data.n_labels}),
          {}};
}

std::unique_ptr<Model> load(ModelReader& in, const ModelShape& shape) {
  const auto options = load_options<SearchOptions>(in, "parabel.");
  return std::make_unique<ParabelModel>(load_forest(in, shape), options, shape);
}

}  // namespace

const Method parabel_method = {
    .name = "parabel",
    .summary = "trees of labels with linear classifiers in their nodes",
    .options = describe_options<ParabelOptions>,
    .parse = typed<parse>,
    .plan = typed<plan_memory>,
    .train = typed<train>,
    .load = load,
};

}  // namespace xylem
