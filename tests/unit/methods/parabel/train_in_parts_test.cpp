// SPDX-License-Identifier: Apache-2.0
// Training as machines that see only parts would do it: each has a block of rows or the rows of a node. What comes out
// must be, byte by byte, what one machine makes of everything.
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "core/file.h"
#include "folder.h"
#include "methods/parabel/merge_forest.h"
#include "methods/parabel/node_options.h"
#include "methods/parabel/node_problem.h"
#include "methods/parabel/node_tasks.h"
#include "methods/parabel/ranked_rows.h"
#include "methods/parabel/routing.h"
#include "methods/parabel/train_forest.h"
#include "methods/parabel/train_node.h"
#include "toy_data.h"

namespace xylem::parabel {
namespace {

constexpr std::uint64_t kSeed = 5;

// Rows with their features ranked, and where they have come to in each tree.
struct Block {
  std::vector<std::uint32_t> places;  // rising
  Dataset rows;                       // in the order of the places, features as they are in the data
  SparseMatrix ranked;
  std::vector<Routes> routes;
};

std::vector<Block> make_blocks(const Dataset& data, std::size_t n_blocks, const FeatureRanks& ranks) {
  const std::vector<std::uint32_t> order = solver_order(data.size(), kSeed);
  std::vector<Block> blocks(n_blocks);
  std::vector<std::vector<std::size_t>> rows(n_blocks);
  for (std::uint32_t place = 0; place < order.size(); ++place) {
    const std::size_t block = order[place] * n_blocks / data.size();
    blocks[block].places.push_back(place);
    rows[block].push_back(order[place]);
  }
  for (std::size_t i = 0; i < n_blocks; ++i) {
    blocks[i].rows = select_rows(data, rows[i]);
    std::vector<std::uint32_t> as_they_are;
    for (std::uint32_t row = 0; row < rows[i].size(); ++row) as_they_are.push_back(row);
    blocks[i].ranked = rank_rows(blocks[i].rows, as_they_are, ranks).rows;
  }
  return blocks;
}

bool is_below(const LabelTree& tree, std::size_t node, Label label) {
  const auto begin = tree.labels.begin();
  const auto end = begin + tree.nodes[node].end;
  return std::find(begin + tree.nodes[node].begin, end, label) != end;
}

// The rows of a task from all blocks: those with a label below it, and those sent to it.
RankedRows gather(const std::vector<Block>& blocks, const LabelTree& tree, const NodeTask& task, std::size_t n_labels) {
  const TaskNode& node = task.nodes.front();
  std::map<std::uint32_t, std::pair<const Block*, std::size_t>> found;  // by place
  for (const Block& block : blocks) {
    for (std::size_t row = 0; row < block.places.size(); ++row) {
      bool reaches = false;
      for (const Label label : block.rows.labels[row]) reaches |= is_below(tree, node.node, label);
      if (!block.routes.empty() && task.level > 0) {
        for (const Scored& at : block.routes[task.tree].of(row)) reaches |= at.id == node.place;
      }
      if (reaches) found[block.places[row]] = {&block, row};
    }
  }
  RankedRows part;
  part.rows.n_columns = blocks.front().ranked.n_columns;
  std::vector<std::vector<std::uint32_t>> label_rows(n_labels);
  for (const auto& [place, at] : found) {
    for (const Label label : at.first->rows.labels[at.second])
      label_rows[label].push_back(static_cast<std::uint32_t>(part.rows.size()));
    part.rows.push_back(at.first->ranked[at.second]);
  }
  for (const auto& rows : label_rows) part.label_rows.push_back(rows);
  return part;
}

std::vector<TrainedNode> train_part(const RankedRows& part, const LabelTree& tree, const NodeTask& task,
                                    const NodeOptions& options) {
  std::vector<std::uint32_t> all_rows;
  for (std::uint32_t row = 0; row < part.rows.size(); ++row) all_rows.push_back(row);
  ProblemScratch scratch;
  NodeProblem problem;
  make_problem(part, tree, task.nodes, all_rows, options, scratch, problem);
  PerWorker<SolverScratch> solver_scratch;
  return train_nodes(problem, options, task_seed(kSeed, task), solver_scratch, {});
}

Forest train_in_parts(const Dataset& data, const ParabelOptions& options, std::size_t n_blocks) {
  const FeatureRanks ranks = rank_features(feature_counts(data.features));
  std::vector<Block> blocks = make_blocks(data, n_blocks, ranks);
  const TrainingCounts counts{data.size(), label_counts(data)};

  xylem::Run run;
  run.seed = kSeed;
  const RankedRows all = rank_rows(data, solver_order(data.size(), kSeed), ranks);
  const SparseMatrix vectors = label_vectors(all);
  std::vector<Label> labels;
  for (Label label = 0; label < data.n_labels; ++label) {
    if (counts.labels[label] > 0) labels.push_back(label);
  }
  std::vector<LabelTree> trees;
  std::vector<std::uint32_t> roots{0};
  for (int tree = 0; tree < options.trees; ++tree) {
    trees.push_back(build_tree(vectors, labels, options.tree, static_cast<std::size_t>(tree), run));
    roots.push_back(roots.back() + static_cast<std::uint32_t>(trees.back().nodes.size()));
  }

  const bool predicts = options.negatives == Negatives::kNodeAndPredicted;
  std::vector<NodeTask> tasks = list_tasks(trees, counts.labels, predicts ? Share::kNothing : Share::kLanes);
  std::ranges::stable_sort(tasks, {}, &NodeTask::level);
  const NodeOptions node = node_options(options, tasks, counts, data.features.ids.size() / data.size() + 1);
  std::vector<TrainedNode> trained(roots.back());
  for (std::size_t begin = 0, end = 0; begin < tasks.size(); begin = end) {
    while (end < tasks.size() && tasks[end].level == tasks[begin].level) ++end;
    const std::span<const NodeTask> level = std::span(tasks).subspan(begin, end - begin);
    for (const NodeTask& task : level) {
      const LabelTree& tree = trees[task.tree];
      const auto nodes = train_part(gather(blocks, tree, task, data.n_labels), tree, task, node);
      for (std::size_t i = 0; i < nodes.size(); ++i) trained[task.nodes[i].place] = nodes[i];
    }
    if (!predicts) continue;
    const Forest above = level_forest(trees, level, trained, ranks.feature_of.size());
    for (Block& block : blocks) {
      for (std::size_t tree = 0; tree < trees.size(); ++tree) {
        if (level.front().level == 0) {
          block.routes.push_back(routes_at_root(trees[tree], roots[tree], block.places.size(), options.negatives_beam));
        }
        route(above, options.search, block.ranked.rows(), block.routes[tree], {});
      }
    }
  }
  return merge_forest(trees, trained, ranks.rank_of);
}

std::string bytes_of(const Forest& forest) {
  const test::Folder folder;
  ModelWriter out;
  out.array("roots", forest.roots);
  out.array("is_leaf", forest.is_leaf);
  out.array("child_offsets", forest.child_offsets);
  out.array("children", forest.children);
  out.array("biases", forest.biases);
  forest.classifiers.save(out);
  out.write(folder / "forest", IfExists::kFail);
  return read_whole_file(folder / "forest");
}

TEST(TrainInParts, GivesTheBytesOfTheWholeRun) {
  const Dataset data = test::toy_data(1, {.rows = 600, .labels = 60});
  ParabelOptions wide, binary, mixed, sampled;
  wide.tree = {.arity = 4, .max_leaf = 3};
  wide.trees = 2;
  wide.negatives_beam = 3;
  binary.tree = {.arity = 2, .max_leaf = 2};
  binary.negatives = Negatives::kNode;
  mixed.tree = {.arity = 3, .balanced = false, .max_leaf = 4};  // leaves on several levels
  mixed.negatives_beam = 2;
  sampled = wide;
  sampled.max_node_rows = 100;
  for (const ParabelOptions& options : {wide, binary, mixed, sampled}) {
    xylem::Run run;
    run.seed = kSeed;
    TrainingTimes times;
    const std::string whole = bytes_of(train_forest(data, options, run, times));
    for (const std::size_t n_blocks : {1u, 2u, 5u}) {
      EXPECT_EQ(bytes_of(train_in_parts(data, options, n_blocks)), whole) << n_blocks << " blocks";
    }
  }
}

}  // namespace
}  // namespace xylem::parabel
