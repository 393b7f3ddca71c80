// SPDX-License-Identifier: Apache-2.0
#include "methods/parabel/search.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include "core/random.h"
#include "folder.h"
#include "model_surgery.h"
#include "packed_node.h"

namespace xylem::parabel {
namespace {

// A forest with its weights spelled out. All have the size 0.5, which is then exact in the packed ones, but for
// roundings.
struct PlainNode {
  bool is_leaf = false;
  std::vector<std::uint32_t> children;
  std::vector<float> biases;
  std::vector<std::map<Feature, float>> weights;  // of each child
};
struct PlainForest {
  ModelShape shape;
  std::vector<std::uint32_t> roots;
  std::vector<PlainNode> nodes;

  Forest pack() const {
    std::vector<std::uint8_t> is_leaf;
    std::vector<std::uint64_t> child_offsets{0};
    std::vector<std::uint32_t> children;
    std::vector<float> biases;
    std::vector<PackedNode> packed;
    std::vector<std::uint32_t> rank_of(shape.features);
    std::iota(rank_of.rbegin(), rank_of.rend(), 0u);
    for (const PlainNode& node : nodes) {
      is_leaf.push_back(node.is_leaf);
      children.insert(children.end(), node.children.begin(), node.children.end());
      biases.insert(biases.end(), node.biases.begin(), node.biases.end());
      child_offsets.push_back(children.size());
      std::vector<test::FeatureWeight> weights;
      for (std::uint32_t child = 0; child < node.weights.size(); ++child) {
        for (const auto& [feature, value] : node.weights[child]) weights.push_back({feature, child, value});
      }
      packed.push_back(test::pack_node(weights, rank_of));
    }
    Classifiers classifiers(std::move(packed), child_offsets, std::move(rank_of));
    return {roots, std::move(is_leaf), std::move(child_offsets), children, std::move(biases), std::move(classifiers)};
  }
};

PlainNode random_children(std::size_t n, std::size_t n_features, Random& random) {
  PlainNode node;
  for (std::size_t child = 0; child < n; ++child) {
    node.biases.push_back(static_cast<float>(random.uniform() - 0.5));
    std::map<Feature, float>& weights = node.weights.emplace_back();
    for (int i = 0; i < 10; ++i)
      weights[static_cast<Feature>(random.below(n_features))] = random.below(2) != 0 ? 0.5f : -0.5f;
  }
  return node;
}

// Trees of two levels of inner nodes and leaves on both; each tree has every label once.
PlainForest random_forest(std::size_t n_trees, std::size_t n_labels, std::uint64_t seed) {
  constexpr std::size_t kFeatures = 40;
  PlainForest forest;
  forest.shape = {kFeatures, n_labels};
  Random random(seed, {});
  for (std::size_t tree = 0; tree < n_trees; ++tree) {
    std::vector<std::uint32_t> labels(n_labels);
    for (std::uint32_t i = 0; i < n_labels; ++i) labels[i] = i;
    random.shuffle(std::span(labels));
    const auto root = static_cast<std::uint32_t>(forest.nodes.size());
    forest.roots.push_back(root);
    forest.nodes.push_back(random_children(4, kFeatures, random));
    std::vector<std::uint32_t> leaves;
    for (std::uint32_t i = 0; i < 4; ++i) {
      forest.nodes[root].children.push_back(root + 1 + i);
      if (i == 3) {  // a leaf already
        leaves.push_back(root + 1 + i);
        forest.nodes.push_back({});
      } else {
        forest.nodes.push_back(random_children(3, kFeatures, random));
      }
    }
    for (std::uint32_t i = 0; i < 3; ++i) {
      for (int child = 0; child < 3; ++child) {
        const auto leaf = static_cast<std::uint32_t>(forest.nodes.size());
        forest.nodes[root + 1 + i].children.push_back(leaf);
        leaves.push_back(leaf);
        forest.nodes.push_back({});
      }
    }
    for (std::size_t i = 0; i < leaves.size(); ++i) {
      std::vector<std::uint32_t> part;
      for (std::size_t label = i; label < n_labels; label += leaves.size()) part.push_back(labels[label]);
      PlainNode& leaf = forest.nodes[leaves[i]];
      leaf = random_children(part.size(), kFeatures, random);
      leaf.is_leaf = true;
      leaf.children = part;
    }
  }
  return forest;
}

SparseMatrix random_rows(std::size_t n, std::size_t n_features, std::uint64_t seed) {
  SparseMatrix rows;
  rows.n_columns = n_features;
  Random random(seed, {});
  for (std::size_t row = 0; row < n; ++row) {
    std::set<Feature> ids;
    for (std::uint64_t i = random.below(12); i > 0; --i) ids.insert(static_cast<Feature>(random.below(n_features)));
    std::vector<float> values;
    for (std::size_t i = 0; i < ids.size(); ++i) values.push_back(static_cast<float>(random.normal()));
    rows.push_back({std::vector<Feature>(ids.begin(), ids.end()), values});
  }
  return rows;
}

// The scores of all labels that a beam reaches, label by label, one row and one level at a time.
std::map<Label, double> slow_twin(const PlainForest& forest, const SearchOptions& options, SparseRow row) {
  std::map<Label, double> result;
  for (const std::uint32_t root : forest.roots) {
    std::vector<std::pair<double, std::uint32_t>> level = {{1.0, root}};
    while (!level.empty()) {
      std::vector<std::pair<double, std::uint32_t>> next;
      for (const auto& [score, number] : level) {
        const PlainNode& node = forest.nodes[number];
        const double above = node.is_leaf ? std::pow(score, options.path_weight) : score;
        for (std::size_t child = 0; child < node.children.size(); ++child) {
          double margin = static_cast<double>(node.biases[child]);
          for (std::size_t i = 0; i < row.size(); ++i) {
            const auto at = node.weights[child].find(row.ids[i]);
            if (at != node.weights[child].end())
              margin += static_cast<double>(at->second) * static_cast<double>(row.values[i]);
          }
          const double below = above * std::exp(-std::pow(std::max(0.0, 1 - margin), options.score_power));
          if (node.is_leaf) {
            result[node.children[child]] += below / static_cast<double>(forest.roots.size());
          } else {
            next.emplace_back(below, node.children[child]);
          }
        }
      }
      std::ranges::sort(next, [](const auto& a, const auto& b) { return a.first > b.first; });
      next.resize(std::min(next.size(), static_cast<std::size_t>(options.beam_width)));
      level = next;
    }
  }
  return result;
}

TopLabels search_all(const PlainForest& forest, const SearchOptions& options, SparseRows rows, std::size_t k) {
  SearchScratch scratch;
  TopLabels top;
  search(forest.pack(), options, forest.shape, rows, k, scratch, top);
  return top;
}

void expect_scores_of_twin(const PlainForest& forest, const SearchOptions& options, std::size_t k) {
  const SparseMatrix rows = random_rows(60, forest.shape.features + 10, 4);  // some features are unseen
  const TopLabels top = search_all(forest, options, rows.rows(), k);
  ASSERT_EQ(top.size(), rows.size());
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const auto expected = slow_twin(forest, options, rows[row]);
    std::vector<double> scores;
    for (const auto& [label, score] : expected) scores.push_back(score);
    std::ranges::sort(scores, std::greater());
    const auto labels = top.row_labels(row);
    const auto found = top.row_scores(row);
    ASSERT_EQ(labels.size(), std::min(k, expected.size()));
    EXPECT_EQ(std::set<Label>(labels.begin(), labels.end()).size(), labels.size());
    for (std::size_t i = 0; i < labels.size(); ++i) {
      EXPECT_NEAR(found[i], scores[i], 1e-4 * scores[i]);
      ASSERT_TRUE(expected.contains(labels[i]));
      EXPECT_NEAR(found[i], expected.at(labels[i]), 1e-4 * scores[i]);
    }
  }
}

TEST(Search, WideBeamScoresAllLabels) {
  for (const std::size_t n_trees : {1u, 3u}) {
    const PlainForest forest = random_forest(n_trees, 50, 1);
    for (const double power : {0.5, 1.0, 2.0, 3.0}) {
      for (const std::size_t k : {1u, 5u, 50u, 1000u})
        expect_scores_of_twin(forest, {.beam_width = 1000, .score_power = power, .path_weight = 1}, k);
    }
    // All of them, that is.
    const SparseMatrix rows = random_rows(20, 40, 5);
    const TopLabels top =
        search_all(forest, {.beam_width = 1000, .score_power = 2, .path_weight = 1}, rows.rows(), 1000);
    EXPECT_EQ(top.labels.size(), 20u * 50u);
  }
}

TEST(Search, ThePathCountsByItsWeight) {
  for (const std::size_t n_trees : {1u, 3u}) {
    const PlainForest forest = random_forest(n_trees, 200, 3);
    for (const double weight : {0.1, 0.3, 1.0}) {
      for (const std::size_t k : {1u, 5u, 200u}) {
        expect_scores_of_twin(forest, {.beam_width = 4, .path_weight = weight}, k);
      }
    }
  }
}

TEST(Search, NarrowBeamFollowsTheBestNodesOfEachLevel) {
  const PlainForest forest = random_forest(2, 200, 2);
  for (const int beam_width : {1, 2, 3, 5}) {
    expect_scores_of_twin(forest, {.beam_width = beam_width, .path_weight = 1}, 200);
  }
}

// Leaves that are left out because no label of theirs can be among the best k make no difference, to the last bit.
TEST(Search, FewerLabelsAreTheFirstOfMany) {
  for (const std::size_t n_trees : {1u, 2u, 5u}) {
    const PlainForest forest = random_forest(n_trees, 300, 12);
    const SparseMatrix rows = random_rows(200, 45, 13);
    for (const double power : {1.0, 2.0, 3.0}) {
      const SearchOptions options = {.beam_width = 6, .score_power = power, .path_weight = 0.3};
      const TopLabels all = search_all(forest, options, rows.rows(), 300);
      for (const std::size_t k : {1u, 2u, 5u, 40u}) {
        const TopLabels top = search_all(forest, options, rows.rows(), k);
        for (std::size_t row = 0; row < rows.size(); ++row) {
          const std::size_t n = std::min(k, all.row_labels(row).size());
          ASSERT_TRUE(std::ranges::equal(top.row_labels(row), all.row_labels(row).first(n))) << row << ", k " << k;
          ASSERT_TRUE(std::ranges::equal(top.row_scores(row), all.row_scores(row).first(n))) << row << ", k " << k;
        }
      }
    }
  }
}

TEST(Search, BeamOfOneTakesTheGreedyPath) {
  const PlainForest forest = random_forest(1, 60, 3);
  const SparseMatrix rows = random_rows(40, 40, 6);
  const TopLabels top = search_all(forest, {.beam_width = 1, .score_power = 2, .path_weight = 1}, rows.rows(), 60);
  for (std::size_t row = 0; row < rows.size(); ++row) {
    std::uint32_t at = 0;
    while (!forest.nodes[at].is_leaf) {
      const PlainNode& node = forest.nodes[at];
      std::vector<double> margins;
      for (std::size_t child = 0; child < node.children.size(); ++child) {
        margins.push_back(static_cast<double>(node.biases[child]));
        for (std::size_t i = 0; i < rows[row].size(); ++i) {
          const auto weight = node.weights[child].find(rows[row].ids[i]);
          if (weight != node.weights[child].end())
            margins.back() += static_cast<double>(weight->second) * static_cast<double>(rows[row].values[i]);
        }
        margins.back() = std::min(margins.back(), 1.0);  // more than enough is as good as enough
      }
      at = node.children[static_cast<std::size_t>(std::ranges::max_element(margins) - margins.begin())];
    }
    const auto labels = top.row_labels(row);
    EXPECT_EQ(std::set<Label>(labels.begin(), labels.end()),
              std::set<Label>(forest.nodes[at].children.begin(), forest.nodes[at].children.end()));
  }
}

// A leaf of so many labels with these biases and no weights.
PlainNode leaf_of(std::vector<Label> labels, std::vector<float> biases) {
  PlainNode leaf{true, std::move(labels), std::move(biases), {}};
  leaf.weights.resize(leaf.children.size());
  return leaf;
}

TEST(Search, AveragesOverAllTreesEvenThoseThatMissALabel) {
  PlainForest forest;
  forest.shape = {5, 4};
  forest.roots = {0, 1};
  forest.nodes = {leaf_of({0, 1}, {1, 0}), leaf_of({3, 1}, {1, 1})};
  const SparseMatrix rows = random_rows(1, 5, 1);
  const TopLabels top = search_all(forest, {.path_weight = 1}, rows.rows(), 10);
  EXPECT_EQ(top.labels, (std::vector<Label>{1, 0, 3}));
  ASSERT_EQ(top.scores.size(), 3u);
  EXPECT_NEAR(top.scores[0], (std::exp(-1.0) + 1) / 2, 1e-6);
  EXPECT_EQ(top.scores[1], 0.5f);
  EXPECT_EQ(top.scores[2], 0.5f);
}

TEST(Search, LowerLabelsWinTies) {
  PlainForest forest;
  forest.shape = {5, 100};
  forest.roots = {0};
  forest.nodes = {leaf_of({99, 7, 50, 3, 20}, {0, 0, 0, 0, 0})};
  const TopLabels top = search_all(forest, {.path_weight = 1}, random_rows(1, 5, 1).rows(), 3);
  EXPECT_EQ(top.labels, (std::vector<Label>{3, 7, 20}));
}

TEST(Search, EarlierNodesWinTies) {
  PlainForest forest;
  forest.shape = {5, 3};
  forest.roots = {0};
  forest.nodes = {{false, {3, 1, 2}, {0, 0, 0}, {{}, {}, {}}}, leaf_of({2}, {1}), leaf_of({1}, {1}), leaf_of({0}, {1})};
  const TopLabels top =
      search_all(forest, {.beam_width = 2, .score_power = 2, .path_weight = 1}, random_rows(1, 5, 1).rows(), 3);
  EXPECT_EQ(top.labels, (std::vector<Label>{1, 2}));
}

TEST(Search, LabelsWhoseScoreIsZeroAreLeftOut) {
  PlainForest forest;
  forest.shape = {5, 3};
  forest.roots = {0};
  forest.nodes = {leaf_of({0, 1, 2}, {1, -50, -3e38f})};
  EXPECT_EQ(search_all(forest, {.path_weight = 1}, random_rows(1, 5, 1).rows(), 3).labels, std::vector<Label>{0});
}

TEST(Search, RowsDoNotDependOnTheirBlockNorOnWhatTheScratchHeld) {
  const PlainForest plain = random_forest(2, 80, 7);
  const Forest forest = plain.pack();
  const SparseMatrix rows = random_rows(50, 45, 8);
  const SearchOptions options = {.beam_width = 2, .score_power = 2, .path_weight = 0.5};
  const TopLabels together = search_all(plain, options, rows.rows(), 7);
  SearchScratch scratch;
  TopLabels apart;
  for (std::size_t row = 0; row < rows.size(); ++row)
    search(forest, options, plain.shape, rows.rows().slice(row, 1), 7, scratch, apart);
  EXPECT_EQ(apart.offsets, together.offsets);
  EXPECT_EQ(apart.labels, together.labels);
  EXPECT_EQ(apart.scores, together.scores);
}

TEST(Search, NoRowsAndNoLabelsAskedForAreFine) {
  const PlainForest forest = random_forest(1, 30, 9);
  EXPECT_EQ(search_all(forest, {.path_weight = 1}, {}, 5).size(), 0u);
  const TopLabels top = search_all(forest, {.path_weight = 1}, random_rows(3, 40, 1).rows(), 0);
  EXPECT_EQ(top.size(), 3u);
  EXPECT_TRUE(top.labels.empty());
}

class LoadForest : public ::testing::Test {
 protected:
  // What loading a forest says that was packed as it is, right or wrong.
  std::string complaint(const PlainForest& plain) const {
    const std::string path = folder_ / "m.xylem";
    const Forest forest = plain.pack();
    ModelWriter writer;
    writer.array("parabel.roots", forest.roots);
    writer.array("parabel.is_leaf", forest.is_leaf);
    writer.array("parabel.child_offsets", forest.child_offsets);
    writer.array("parabel.child_ids", forest.children);
    writer.array("parabel.biases", forest.biases);
    forest.classifiers.save(writer);
    writer.write(path, IfExists::kReplace);
    try {
      const Forest loaded = load_forest(ModelReader(path), plain.shape);
      SearchScratch scratch;
      TopLabels top;
      search(loaded, {.path_weight = 1}, plain.shape, random_rows(3, 40, 1).rows(), 5, scratch, top);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kModel);
      const std::string message = error.what();
      EXPECT_TRUE(message.starts_with(path + ": damaged: ")) << message;
      return message.substr((path + ": damaged: ").size());
    }
    return "";
  }

  test::Folder folder_;
};

TEST_F(LoadForest, RefusesWhatIsNoForest) {
  const PlainForest good = random_forest(2, 30, 11);
  EXPECT_EQ(complaint(good), "");
  const std::uint32_t n_nodes = static_cast<std::uint32_t>(good.nodes.size());
  const auto with = [&](const auto& change) {
    PlainForest forest = good;
    change(forest);
    return complaint(forest);
  };
  EXPECT_EQ(with([](PlainForest& forest) { forest.roots.clear(); }), "no tree");
  EXPECT_NE(with([&](PlainForest& forest) { forest.roots[1] = n_nodes; }), "");
  EXPECT_EQ(with([](PlainForest& forest) { forest.roots[1] = 0; }), "the nodes are no trees");
  EXPECT_EQ(with([](PlainForest& forest) { forest.roots[1] = 1; }), "the nodes are no trees");
  EXPECT_EQ(with([](PlainForest& forest) { forest.nodes[0].children[1] = 0; }), "the nodes are no trees");
  EXPECT_EQ(with([](PlainForest& forest) { forest.nodes[0].children[1] = 1; }), "the nodes are no trees");
  EXPECT_EQ(with([](PlainForest& forest) { forest.nodes[1].children[0] = 1; }), "the nodes are no trees");
  EXPECT_EQ(with([&](PlainForest& forest) { forest.nodes[0].children[1] = n_nodes; }), "the nodes are no trees");
  EXPECT_EQ(with([](PlainForest& forest) { forest.nodes.back().children[0] = 30; }),
            "a leaf has a label that there is not");
  EXPECT_EQ(with([](PlainForest& forest) { forest.nodes[4].children[0] = forest.nodes[5].children[0]; }),
            "a tree has a label twice");
  EXPECT_NE(with([](PlainForest& forest) { forest.nodes[0].biases[0] = std::numeric_limits<float>::infinity(); }), "");
}

TEST_F(LoadForest, RefusesANodeThatIsNoNodesChild) {
  PlainForest forest = random_forest(2, 30, 11);
  forest.roots.pop_back();
  EXPECT_EQ(complaint(forest), "the nodes are no trees");
}

}  // namespace
}  // namespace xylem::parabel
