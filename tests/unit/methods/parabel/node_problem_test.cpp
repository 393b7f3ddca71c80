// SPDX-License-Identifier: Apache-2.0
#include "methods/parabel/node_problem.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <set>

#include "lane_problem.h"
#include "ranked_data.h"
#include "toy_data.h"

namespace xylem::parabel {
namespace {

using test::data_with_gaps, test::Features, test::features_of;

LabelTree tree_of(const Dataset& data, const TreeOptions& options) {
  const RankedRows ranked = test::ranked(data);
  std::vector<Label> labels;
  for (Label label = 0; label < data.n_labels; ++label) {
    if (!ranked.label_rows[label].empty()) labels.push_back(label);
  }
  return build_tree(label_vectors(ranked), labels, options, 0, {});
}

std::vector<TaskNode> task_of(const LabelTree& tree, const TreeNode& node) {
  return {{static_cast<std::size_t>(&node - tree.nodes.data()), 0, node.n_classifiers()}};
}

// For each child of the node its labels.
std::vector<std::set<Label>> labels_of_children(const LabelTree& tree, const TreeNode& node) {
  std::vector<std::set<Label>> result;
  if (node.is_leaf()) {
    for (std::uint32_t i = node.begin; i < node.end; ++i) result.push_back({tree.labels[i]});
  } else {
    for (std::uint32_t i = 0; i < node.n_children; ++i) {
      const TreeNode& child = tree.nodes[node.first_child + i];
      result.emplace_back(tree.labels.begin() + child.begin, tree.labels.begin() + child.end);
    }
  }
  return result;
}

// Looks at every row of the data and every child.
void expect_problem_of(const Dataset& data, const LabelTree& tree, const TreeNode& node, const NodeProblem& problem) {
  const auto children = labels_of_children(tree, node);
  ASSERT_EQ(problem.child_rows.size(), children.size());
  std::vector<std::vector<std::uint32_t>> positives(children.size());
  const FeatureRanks ranks = test::ranks(data);
  std::map<Feature, std::size_t> rows_of_feature;  // in the node
  std::uint32_t local = 0;
  for (std::size_t row = 0; row < data.size(); ++row) {
    bool reaches = false;
    for (std::size_t child = 0; child < children.size(); ++child) {
      const auto labels = data.labels[row];
      if (std::ranges::none_of(labels, [&](Label label) { return children[child].contains(label); })) continue;
      positives[child].push_back(local);
      reaches = true;
    }
    if (!reaches) continue;
    ASSERT_LT(local, problem.rows.size());
    const Features expected = features_of(data, row);
    const auto found = test::entries_of(problem.rows, local);
    EXPECT_EQ(found.size(), expected.size());
    for (const test::PlainEntry& entry : found) {
      const Feature feature = ranks.feature_of[problem.ranks.at(entry.id)];
      ASSERT_TRUE(expected.contains(feature));
      EXPECT_NEAR(entry.value, expected.at(feature), std::abs(expected.at(feature)) / 256);
      ++rows_of_feature[feature];
    }
    ++local;
  }
  EXPECT_EQ(problem.rows.size(), local);
  EXPECT_EQ(problem.rows.n_features(), problem.ranks.size());
  EXPECT_EQ(problem.ranks.size(), rows_of_feature.size());  // none without a row, none twice
  for (const std::uint32_t rank : problem.ranks) EXPECT_TRUE(rows_of_feature.contains(ranks.feature_of[rank]));
  for (std::size_t child = 0; child < children.size(); ++child) {
    const auto rows = problem.child_rows[child];
    std::vector<std::uint32_t> found(rows.begin(), rows.end());
    std::ranges::sort(found);
    EXPECT_EQ(found, positives[child]) << "child " << child;
  }
}

TEST(MakeProblem, HoldsTheRowsThatHaveALabelBelowTheNode) {
  const Dataset data = data_with_gaps();
  const RankedRows ranked = test::ranked(data);
  ProblemScratch scratch;  // the same for all
  NodeProblem problem;
  for (const TreeOptions& options :
       {TreeOptions{.arity = 2, .max_leaf = 1}, TreeOptions{.arity = 3, .balanced = false, .max_leaf = 4},
        TreeOptions{.arity = 16, .max_leaf = 1000}}) {
    const LabelTree tree = tree_of(data, options);
    for (const TreeNode& node : tree.nodes) {
      make_problem(ranked, tree, task_of(tree, node), {}, {}, scratch, problem);
      expect_problem_of(data, tree, node, problem);
    }
  }
}

TEST(MakeProblem, FrequentFeaturesHaveLowNumbers) {
  const Dataset data = data_with_gaps();
  const RankedRows ranked = test::ranked(data);
  const LabelTree tree = tree_of(data, {.arity = 2, .max_leaf = 5});
  ProblemScratch scratch;
  NodeProblem problem;
  for (const TreeNode& node : tree.nodes) {
    make_problem(ranked, tree, task_of(tree, node), {}, {}, scratch, problem);
    EXPECT_TRUE(std::ranges::is_sorted(problem.ranks, std::less_equal{}));
  }
}

TEST(MakeProblem, RowsWithoutFeaturesAreRowsToo) {
  Dataset data;
  data.n_labels = 2;
  for (int row = 0; row < 3; ++row) {
    data.features.push_back({});
    data.labels.push_back(std::vector<Label>{static_cast<Label>(row % 2)});
  }
  const RankedRows ranked = test::ranked(data);
  const LabelTree tree = tree_of(data, {});
  ProblemScratch scratch;
  NodeProblem problem;
  make_problem(ranked, tree, task_of(tree, tree.nodes[0]), {}, {}, scratch, problem);
  EXPECT_EQ(problem.rows.size(), 3u);
  EXPECT_EQ(problem.rows.n_features(), 0u);
  expect_problem_of(data, tree, tree.nodes[0], problem);
}

// What a sample must be, the slow way: of all rows of the node those that come first.
std::set<std::uint32_t> sampled_rows(const Dataset& data, const LabelTree& tree, const TreeNode& node,
                                     std::span<const std::uint32_t> more_rows, std::size_t most) {
  std::set<std::uint32_t> rows(more_rows.begin(), more_rows.end());
  for (const std::set<Label>& labels : labels_of_children(tree, node)) {
    for (std::uint32_t row = 0; row < data.size(); ++row) {
      if (std::ranges::any_of(data.labels[row], [&](Label label) { return labels.contains(label); })) rows.insert(row);
    }
  }
  while (rows.size() > most) rows.erase(std::prev(rows.end()));
  return rows;
}

TEST(MakeProblem, TakesASampleOfTheRows) {
  Dataset data = test::toy_data(3, {.rows = 200, .labels = 40});
  data.features.n_columns += data.size();
  for (std::size_t row = 0; row < data.size(); ++row) {  // a feature tells the row
    data.features.ids[data.features.offsets[row + 1] - 1] = static_cast<Feature>(data.features.n_columns - 1 - row);
  }
  const RankedRows ranked = test::ranked(data);
  const FeatureRanks ranks = test::ranks(data);
  const LabelTree tree = tree_of(data, {.arity = 3, .balanced = false, .max_leaf = 4});
  std::vector<std::uint32_t> more_rows;
  for (std::uint32_t row = 0; row < data.size(); row += 3) more_rows.push_back(row);
  ProblemScratch scratch;
  for (const TreeNode& node : tree.nodes) {
    NodeProblem whole, problem;
    make_problem(ranked, tree, task_of(tree, node), more_rows, {}, scratch, whole);
    for (const std::size_t most : {std::size_t{1}, std::size_t{20}, std::size_t{75}, whole.rows.size()}) {
      make_problem(ranked, tree, task_of(tree, node), more_rows, {.linear = {}, .label_costs = {}, .max_rows = most},
                   scratch, problem);
      EXPECT_EQ(problem.rows.size(), std::min(most, whole.rows.size()));
      std::vector<std::uint32_t> rows;  // by local number
      for (std::size_t local = 0; local < problem.rows.size(); ++local) {
        for (const test::PlainEntry& entry : test::entries_of(problem.rows, local)) {
          const Feature feature = ranks.feature_of[problem.ranks.at(entry.id)];
          if (feature >= data.features.n_columns - data.size())
            rows.push_back(static_cast<std::uint32_t>(data.features.n_columns - 1 - feature));
        }
      }
      const auto expected = sampled_rows(data, tree, node, more_rows, most);
      EXPECT_EQ(std::set<std::uint32_t>(rows.begin(), rows.end()), expected);
      const auto children = labels_of_children(tree, node);
      for (std::size_t child = 0; child < children.size(); ++child) {
        std::set<std::uint32_t> found, positives;
        for (const std::uint32_t local : problem.child_rows[child]) found.insert(rows.at(local));
        for (const std::uint32_t row : expected) {
          if (std::ranges::any_of(data.labels[row], [&](Label label) { return children[child].contains(label); }))
            positives.insert(row);
        }
        EXPECT_EQ(found, positives);
      }
    }
  }
}

}  // namespace
}  // namespace xylem::parabel
