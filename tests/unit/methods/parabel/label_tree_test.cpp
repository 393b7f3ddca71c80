// SPDX-License-Identifier: Apache-2.0
#include "methods/parabel/label_tree.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include "core/parallel.h"
#include "core/random.h"
#include "core/row_blocks.h"
#include "methods/parabel/node_problem.h"
#include "ranked_data.h"
#include "toy_data.h"

namespace xylem::parabel {
namespace {

std::map<Feature, double> as_map(SparseRow row) {
  std::map<Feature, double> result;
  for (std::size_t i = 0; i < row.size(); ++i) {
    EXPECT_FALSE(result.contains(row.ids[i]));
    result[row.ids[i]] = static_cast<double>(row.values[i]);
  }
  return result;
}

// Unit vectors of labels in groups: those of group g have the column g and two of their own.
SparseMatrix vectors_in_groups(std::size_t n_labels, std::size_t n_groups, std::uint64_t seed) {
  SparseMatrix vectors;
  vectors.n_columns = n_groups + 50;
  Random random(seed, {});
  for (std::size_t label = 0; label < n_labels; ++label) {
    std::set<Feature> ids = {static_cast<Feature>(label % n_groups)};
    for (int i = 0; i < 2; ++i) ids.insert(static_cast<Feature>(n_groups + random.below(50)));
    const auto value = static_cast<float>(1 / std::sqrt(static_cast<double>(ids.size())));
    vectors.push_back({std::vector<Feature>(ids.begin(), ids.end()), std::vector<float>(ids.size(), value)});
  }
  return vectors;
}

std::vector<Label> first_labels(std::size_t n) {
  std::vector<Label> labels(n);
  std::iota(labels.begin(), labels.end(), 0u);
  return labels;
}

std::vector<int> depths(const LabelTree& tree) {
  std::vector<int> result(tree.nodes.size(), 0);
  for (std::size_t node = 0; node < tree.nodes.size(); ++node) {
    for (std::uint32_t i = 0; i < tree.nodes[node].n_children; ++i)
      result[tree.nodes[node].first_child + i] = result[node] + 1;
  }
  return result;
}

// What every tree of these labels promises, whatever the options.
void expect_tree_of(const LabelTree& tree, std::vector<Label> labels) {
  std::vector<Label> found = tree.labels;
  std::ranges::sort(found);
  std::ranges::sort(labels);
  EXPECT_EQ(found, labels);
  ASSERT_FALSE(tree.nodes.empty());
  EXPECT_EQ(tree.nodes[0].begin, 0u);
  EXPECT_EQ(tree.nodes[0].end, labels.size());
  std::uint32_t next_child = 1;  // children follow each other in the order of their parents
  std::size_t in_leaves = 0;
  for (const TreeNode& node : tree.nodes) {
    EXPECT_GT(node.n_labels(), 0u);
    if (node.is_leaf()) {
      in_leaves += node.n_labels();
      continue;
    }
    EXPECT_GE(node.n_children, 2u);
    EXPECT_EQ(node.first_child, next_child);
    std::uint32_t place = node.begin;
    for (std::uint32_t i = 0; i < node.n_children; ++i) {
      const TreeNode& child = tree.nodes.at(node.first_child + i);
      EXPECT_EQ(child.begin, place);
      place = child.end;
    }
    EXPECT_EQ(place, node.end);
    next_child += node.n_children;
  }
  EXPECT_EQ(next_child, tree.nodes.size());
  EXPECT_EQ(in_leaves, labels.size());
  EXPECT_TRUE(std::ranges::is_sorted(depths(tree)));
}

bool equal(const LabelTree& a, const LabelTree& b) {
  return a.labels == b.labels && std::ranges::equal(a.nodes, b.nodes, [](const TreeNode& x, const TreeNode& y) {
           return x.begin == y.begin && x.end == y.end && x.n_children == y.n_children &&
                  (x.is_leaf() || x.first_child == y.first_child);
         });
}

TEST(LabelVectors, AreTheSumsOfTheLabelsRowsScaledToLengthOne) {
  const RankedRows data = test::ranked(test::toy_data(1, {.rows = 500, .labels = 200}));
  const SparseMatrix vectors = label_vectors(data);
  ASSERT_EQ(vectors.size(), 200u);
  EXPECT_EQ(vectors.n_columns, data.rows.n_columns);
  for (std::size_t label = 0; label < vectors.size(); ++label) {
    std::vector<double> sum(data.rows.n_columns, 0.0);
    for (const std::uint32_t row : data.label_rows[label]) {
      const SparseRow source = data.rows[row];
      for (std::size_t i = 0; i < source.size(); ++i) sum[source.ids[i]] += static_cast<double>(source.values[i]);
    }
    const double length = std::sqrt(std::inner_product(sum.begin(), sum.end(), sum.begin(), 0.0));
    const auto found = as_map(vectors[label]);
    for (std::size_t column = 0; column < sum.size(); ++column) {
      const double expected = length > 0 ? sum[column] / length : 0;
      const auto at = found.find(static_cast<Feature>(column));
      if (at != found.end()) {
        EXPECT_NEAR(at->second, expected, 1e-5);
      } else {
        EXPECT_LT(std::abs(expected), 0.002 + 1e-5);
      }
    }
  }
  EXPECT_EQ(vectors[199].size(), 0u);  // never occurs
}

TEST(LabelVectors, DropsSmallEntriesAndValuesThatCancel) {
  SparseMatrix rows;
  rows.n_columns = 4;
  const std::vector<Feature> ids = {0, 1, 2, 3};
  rows.push_back({ids, std::vector<float>{1, 1, 0.003f, 1}});
  rows.push_back({ids, std::vector<float>{1, -1, 0, -1}});
  rows.push_back({ids, std::vector<float>{1, 0, 0, 2}});
  LabelLists label_rows;
  label_rows.push_back(std::vector<std::uint32_t>{0, 1, 2});
  label_rows.push_back(std::vector<std::uint32_t>{0, 1});
  label_rows.push_back(std::vector<std::uint32_t>{});
  const SparseMatrix vectors = label_vectors({rows, label_rows, {0, 1, 2}});
  const auto first = as_map(vectors[0]);  // (3, 0, 0.003, 2)
  EXPECT_EQ(first.size(), 2u);
  EXPECT_NEAR(first.at(0), 3 / std::sqrt(13.0), 1e-4);
  EXPECT_NEAR(first.at(3), 2 / std::sqrt(13.0), 1e-4);
  EXPECT_EQ(as_map(vectors[1]).size(), 1u);
  EXPECT_EQ(vectors[2].size(), 0u);
}

// As many machines would: each sums up some of the blocks, in any order, and somebody adds up the sums.
TEST(LabelVectors, AreMadeOfTheSumsOfBlocks) {
  const Dataset data = test::toy_data(1, {.rows = 3 * kBlockRows + 100, .labels = 200});
  const FeatureRanks ranks = test::ranks(data);
  const SparseMatrix whole = label_vectors(rank_rows(data, solver_order(data.size(), 1), ranks));
  SparseSum sum;
  sum.set_columns(ranks.feature_of.size());
  std::map<std::pair<Label, std::size_t>, SparseMatrix> sums;  // by label and block
  for (const std::size_t block : {2u, 0u, 3u, 1u}) {
    std::vector<std::size_t> rows;
    for (std::size_t row = block * kBlockRows; row < std::min((block + 1) * kBlockRows, data.size()); ++row)
      rows.push_back(row);
    const RankedRows part = [&] {
      const Dataset part_data = select_rows(data, rows);
      std::vector<std::uint32_t> order(rows.size());
      std::iota(order.begin(), order.end(), 0u);
      return rank_rows(part_data, order, ranks);
    }();
    for (Label label = 0; label < data.n_labels; ++label) {
      for (const std::uint32_t row : part.label_rows[label]) sum.add(part.rows[row]);
      SparseMatrix& entries = sums[{label, block}];
      sum.take([&](Feature column, float value) {
        entries.ids.push_back(column);
        entries.values.push_back(value);
      });
      entries.offsets.push_back(entries.ids.size());
    }
  }
  SparseMatrix merged;
  for (Label label = 0; label < data.n_labels; ++label) {
    for (std::size_t block = 0; block < 4; ++block) sum.add(sums[{label, block}][0]);
    take_label_vector(sum, merged);
  }
  EXPECT_EQ(merged.offsets, whole.offsets);
  EXPECT_EQ(merged.ids, whole.ids);
  EXPECT_EQ(merged.values, whole.values);
}

TEST(LabelVectors, AreTheSameForAnyNumberOfThreads) {
  const RankedRows data = test::ranked(test::toy_data(1, {.rows = 1000, .labels = 300}));
  std::vector<SparseMatrix> results;
  for (const int threads : {1, 2, 3}) with_threads(threads, [&] { results.push_back(label_vectors(data)); });
  for (const SparseMatrix& result : results) {
    EXPECT_EQ(result.offsets, results[0].offsets);
    EXPECT_EQ(result.ids, results[0].ids);
    EXPECT_EQ(result.values, results[0].values);
  }
}

struct TreeCase {
  std::size_t n_labels;
  int arity;
  int max_leaf;
};

class BuildTree : public ::testing::TestWithParam<TreeCase> {};

TEST_P(BuildTree, BalancedNodesHaveChildrenOfEqualSize) {
  const auto [n_labels, arity, max_leaf] = GetParam();
  const SparseMatrix vectors = vectors_in_groups(n_labels, 10, 1);
  const TreeOptions options = {.arity = arity, .max_leaf = max_leaf};
  const LabelTree tree = build_tree(vectors, first_labels(n_labels), options, 0, {});
  expect_tree_of(tree, first_labels(n_labels));
  for (const TreeNode& node : tree.nodes) {
    if (node.is_leaf()) {
      EXPECT_LE(node.n_labels(), static_cast<std::uint32_t>(max_leaf));
      continue;
    }
    EXPECT_GT(node.n_labels(), static_cast<std::uint32_t>(max_leaf));
    EXPECT_LE(node.n_children, static_cast<std::uint32_t>(arity));
    std::vector<std::uint32_t> sizes;
    for (std::uint32_t i = 0; i < node.n_children; ++i) sizes.push_back(tree.nodes[node.first_child + i].n_labels());
    EXPECT_LE(std::ranges::max(sizes) - std::ranges::min(sizes), 1u);
  }
  // No deeper than it must be: arity^depth leaves of max_leaf labels would hold them all.
  const std::vector<int> levels = depths(tree);
  const double needed = std::log(std::ceil(static_cast<double>(n_labels) / max_leaf)) / std::log(arity);
  EXPECT_LE(levels.back(), static_cast<int>(std::ceil(needed - 1e-9)));
}

TEST_P(BuildTree, FreeNodesKeepToArityAndLeafToo) {
  const auto [n_labels, arity, max_leaf] = GetParam();
  const SparseMatrix vectors = vectors_in_groups(n_labels, 10, 1);
  const TreeOptions options = {.arity = arity, .balanced = false, .max_leaf = max_leaf};
  const LabelTree tree = build_tree(vectors, first_labels(n_labels), options, 0, {});
  expect_tree_of(tree, first_labels(n_labels));
  for (const TreeNode& node : tree.nodes) {
    EXPECT_LE(node.n_children, static_cast<std::uint32_t>(arity));
    EXPECT_EQ(node.is_leaf(), node.n_labels() <= static_cast<std::uint32_t>(max_leaf));
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, BuildTree,
                         ::testing::Values(TreeCase{1, 2, 1}, TreeCase{2, 2, 1}, TreeCase{3, 2, 1}, TreeCase{7, 3, 1},
                                           TreeCase{9, 3, 1}, TreeCase{10, 3, 1}, TreeCase{32, 16, 32},
                                           TreeCase{33, 16, 32}, TreeCase{100, 2, 7}, TreeCase{513, 16, 32},
                                           TreeCase{1000, 16, 1}, TreeCase{1000, 1000, 1}, TreeCase{1000, 65535, 2},
                                           TreeCase{777, 5, 65535}, TreeCase{4097, 2, 1}));

TEST(BuildTreeOptions, MaxDepthLeavesLargeLeaves) {
  const SparseMatrix vectors = vectors_in_groups(300, 10, 1);
  for (const bool balanced : {true, false}) {
    for (const int max_depth : {0, 1, 2, 3}) {
      const TreeOptions options = {.arity = 3, .balanced = balanced, .max_leaf = 2, .max_depth = max_depth};
      const LabelTree tree = build_tree(vectors, first_labels(300), options, 0, {});
      expect_tree_of(tree, first_labels(300));
      EXPECT_EQ(depths(tree).back(), max_depth);
    }
  }
}

// The numbers of a node's children take 16 bits.
TEST(BuildTreeOptions, NoLeafHasMoreLabelsThanANodeMayHaveChildren) {
  const std::size_t n_labels = 3 * kMostChildren;
  const SparseMatrix vectors = vectors_in_groups(n_labels, 10, 1);
  for (const bool balanced : {true, false}) {
    const TreeOptions options = {.arity = 2, .balanced = balanced, .max_leaf = 10, .max_depth = 0};
    const LabelTree tree = build_tree(vectors, first_labels(n_labels), options, 0, {});
    expect_tree_of(tree, first_labels(n_labels));
    for (const TreeNode& node : tree.nodes) {
      EXPECT_EQ(node.is_leaf(), node.n_labels() <= static_cast<std::uint32_t>(kMostChildren));
    }
  }
}

TEST(BuildTreeOptions, LabelsThatAreNotGivenAreInNoLeaf) {
  const SparseMatrix vectors = vectors_in_groups(100, 10, 1);
  const std::vector<Label> labels = {3, 17, 18, 40, 99};
  expect_tree_of(build_tree(vectors, labels, {.arity = 2, .max_leaf = 1}, 0, {}), labels);
}

TEST(BuildTreeOptions, EqualAndEmptyVectorsAreSplitEvenly) {
  SparseMatrix vectors;
  vectors.n_columns = 2;
  for (int i = 0; i < 64; ++i) vectors.push_back({std::vector<Feature>{1}, std::vector<float>{1}});
  for (int i = 0; i < 64; ++i) vectors.push_back({});
  for (const bool balanced : {true, false}) {
    const LabelTree tree =
        build_tree(vectors, first_labels(128), {.arity = 4, .balanced = balanced, .max_leaf = 8}, 0, {});
    expect_tree_of(tree, first_labels(128));
    for (const TreeNode& node : tree.nodes) EXPECT_EQ(node.is_leaf(), node.n_labels() <= 8);
  }
}

TEST(BuildTreeOptions, LabelsOfAGroupShareALeaf) {
  // Eight groups of 16 labels that share nothing.
  SparseMatrix vectors;
  vectors.n_columns = 8;
  for (Feature label = 0; label < 128; ++label)
    vectors.push_back({std::vector<Feature>{label % 8}, std::vector<float>{1}});
  const LabelTree tree = build_tree(vectors, first_labels(128), {.arity = 8, .balanced = false, .max_leaf = 16}, 0, {});
  for (const TreeNode& node : tree.nodes) {
    if (!node.is_leaf()) continue;
    std::set<Label> groups;
    for (std::uint32_t i = node.begin; i < node.end; ++i) groups.insert(tree.labels[i] % 8);
    EXPECT_EQ(groups.size(), 1u);
  }
}

TEST(BuildTreeOptions, TreesDependOnSeedAndNumberButNotOnThreads) {
  const SparseMatrix vectors = vectors_in_groups(2000, 30, 1);
  const std::vector<Label> labels = first_labels(2000);
  xylem::Run run, other;
  run.seed = 5;
  other.seed = 6;
  for (const TreeOptions& options : {TreeOptions{.arity = 4, .max_leaf = 10}, TreeOptions{.arity = 64, .max_leaf = 2},
                                     TreeOptions{.arity = 4, .balanced = false, .max_leaf = 10}}) {
    std::vector<LabelTree> trees;
    for (const int threads : {1, 2, 3})
      with_threads(threads, [&] { trees.push_back(build_tree(vectors, labels, options, 1, run)); });
    EXPECT_TRUE(equal(trees[1], trees[0]));
    EXPECT_TRUE(equal(trees[2], trees[0]));
    EXPECT_FALSE(equal(build_tree(vectors, labels, options, 1, other), trees[0]));
    EXPECT_FALSE(equal(build_tree(vectors, labels, options, 2, run), trees[0]));
  }
}

}  // namespace
}  // namespace xylem::parabel
