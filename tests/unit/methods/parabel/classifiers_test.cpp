// SPDX-License-Identifier: Apache-2.0
#include "methods/parabel/classifiers.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <numeric>
#include <set>

#include "core/file.h"
#include "core/random.h"
#include "folder.h"
#include "model_surgery.h"
#include "packed_node.h"

namespace xylem::parabel {
namespace {

constexpr double kPromise = 0.02;     // relative error of a weight between 0.1 and 10
constexpr double kDense = 1.0 / 240;  // error of a weight in a dense row, of the row's largest

using Node = std::vector<test::FeatureWeight>;

struct Shape {
  std::size_t n_features;
  std::size_t n_keys;  // features that have weights
  std::size_t n_children;
};

// Weights between 0.1 and 10, for some of the features and some of the children of each.
Node random_node(const Shape& shape, std::uint64_t seed) {
  Random random(seed, {});
  std::set<Feature> features;
  while (features.size() < shape.n_keys) features.insert(static_cast<Feature>(random.below(shape.n_features)));
  Node node;
  for (const Feature feature : features) {
    std::set<std::uint32_t> children;
    const std::uint64_t n = 1 + random.below(std::min<std::size_t>(shape.n_children, 5));
    while (children.size() < n) children.insert(static_cast<std::uint32_t>(random.below(shape.n_children)));
    for (const std::uint32_t child : children) {
      const double size = 0.1 * std::pow(100.0, random.uniform());
      node.push_back({feature, child, static_cast<float>(random.below(2) != 0 ? size : -size)});
    }
  }
  random.shuffle(std::span(node));
  return node;
}

// Ranks without any order.
std::vector<std::uint32_t> random_ranks(std::size_t n_features) {
  std::vector<std::uint32_t> rank_of(n_features);
  std::iota(rank_of.begin(), rank_of.end(), 0u);
  Random(99, {}).shuffle(std::span(rank_of));
  return rank_of;
}

std::vector<std::uint64_t> offsets_of(const std::vector<std::size_t>& sizes) {
  std::vector<std::uint64_t> offsets{0};
  for (const std::size_t size : sizes) offsets.push_back(offsets.back() + size);
  return offsets;
}

Classifiers pack(std::vector<Node> nodes, const std::vector<std::size_t>& n_children,
                 const std::vector<std::uint32_t>& rank_of) {
  std::vector<PackedNode> packed;
  for (Node& node : nodes) packed.push_back(test::pack_node(node, rank_of));
  return {std::move(packed), offsets_of(n_children), rank_of};
}

Classifiers pack(std::vector<Node> nodes, std::size_t n_children, std::size_t n_features) {
  const std::vector<std::size_t> sizes(nodes.size(), n_children);
  return pack(std::move(nodes), sizes, random_ranks(n_features));
}

std::vector<float> scores_of(const Classifiers& classifiers, std::size_t node, std::size_t n_children,
                             const std::vector<Feature>& features, const std::vector<float>& values) {
  std::vector<std::uint32_t> ranks;
  for (const Feature feature : features) ranks.push_back(classifiers.rank_of()[feature]);
  std::vector<float> scores(n_children, 0.0f);
  classifiers.add_scores(node, ranks, values, scores.data());
  return scores;
}

// Looks every weight up, one feature at a time, and features around them that have none.
void expect_weights(const Classifiers& classifiers, std::size_t number, const Node& node, const Shape& shape) {
  std::map<Feature, std::map<std::uint32_t, float>> expected;
  for (const test::FeatureWeight& weight : node) expected[weight.feature][weight.child] = weight.value;
  std::set<Feature> asked = {0, static_cast<Feature>(shape.n_features - 1)};
  for (const auto& [feature, ignored] : expected) {
    asked.insert(feature);
    if (feature + 1 < shape.n_features) asked.insert(feature + 1);
  }
  for (const Feature feature : asked) {
    const std::vector<float> found = scores_of(classifiers, number, shape.n_children, {feature}, {1});
    const auto& weights = expected[feature];
    float largest = 0;
    for (const auto& [child, value] : weights) largest = std::max(largest, std::abs(value));
    for (std::uint32_t child = 0; child < shape.n_children; ++child) {
      const float value = weights.contains(child) ? weights.at(child) : 0;
      const double error = value == 0 ? 0 : std::max(kPromise * std::abs(value), kDense * largest);
      ASSERT_NEAR(found[child], value, error) << "feature " << feature << ", child " << child;
    }
  }
}

TEST(Classifiers, HoldEveryWeight) {
  std::uint64_t seed = 1;
  for (const Shape& shape :
       {Shape{1, 1, 1}, Shape{1, 1, 300}, Shape{2, 2, 3}, Shape{3, 1, 2}, Shape{64, 64, 2}, Shape{65, 65, 16},
        Shape{100, 100, 17}, Shape{1000, 30, 256}, Shape{1000, 700, 257}, Shape{4096, 4096, 40}, Shape{4097, 4000, 40},
        Shape{65537, 5000, 31}, Shape{1 << 20, 3, 40}, Shape{1 << 20, 20000, 32}, Shape{1 << 20, 5000, 1000}}) {
    const std::vector<Node> nodes = {random_node(shape, seed), {}, random_node(shape, seed + 1)};
    seed += 2;
    const Classifiers classifiers = pack(nodes, shape.n_children, shape.n_features);
    for (std::size_t i = 0; i < nodes.size(); ++i) expect_weights(classifiers, i, nodes[i], shape);
  }
}

TEST(Classifiers, FeaturesWithoutARankAreNeverAskedFor) {
  std::vector<std::uint32_t> rank_of(5000, kNoRank);
  rank_of[4999] = 0;
  rank_of[7] = 1;
  const Classifiers classifiers = pack({{{7, 0, 2}, {4999, 1, 2}}}, {2}, rank_of);
  EXPECT_EQ(scores_of(classifiers, 0, 2, {4999}, {1}), (std::vector<float>{0, 2}));
  EXPECT_EQ(scores_of(classifiers, 0, 2, {7}, {1}), (std::vector<float>{2, 0}));
}

// All features of a small space in one node, and few of it in another.
TEST(Classifiers, TellEveryFeatureFromEveryOther) {
  for (const std::size_t n_features : {64u, 5000u, 70000u}) {
    Node every, odd;
    for (Feature feature = 0; feature < n_features; ++feature) {
      every.push_back({feature, feature % 7, 0.1f + 0.001f * static_cast<float>(feature % 1000)});
      if (feature % 16 == 3) odd.push_back({feature, 0, 1});
    }
    const Classifiers classifiers = pack({every, odd}, {7, 1}, random_ranks(n_features));
    for (Feature feature = 0; feature < n_features; ++feature) {
      const float value = every[feature].value;
      const auto found = scores_of(classifiers, 0, 7, {feature}, {1});
      for (std::uint32_t child = 0; child < 7; ++child)
        ASSERT_NEAR(found[child], child == feature % 7 ? value : 0, kPromise * value) << feature;
      ASSERT_NEAR(scores_of(classifiers, 1, 1, {feature}, {1})[0], feature % 16 == 3 ? 1 : 0, kPromise) << feature;
    }
  }
}

TEST(Classifiers, AddUpWhatSingleFeaturesBring) {
  for (const std::size_t n_children : {2u, 16u, 100u, 400u}) {
    const Shape shape = {2000, 900, n_children};
    const Classifiers classifiers = pack({random_node(shape, 77)}, n_children, shape.n_features);
    Random random(78, {});
    for (int query = 0; query < 30; ++query) {
      std::set<Feature> ids;
      for (int i = 0; i < 100; ++i) ids.insert(static_cast<Feature>(random.below(shape.n_features)));
      const std::vector<Feature> features(ids.begin(), ids.end());
      std::vector<float> values;
      std::vector<double> expected(n_children, 0.0), sizes(n_children, 0.0);
      for (const Feature feature : features) {
        values.push_back(static_cast<float>(random.normal()));
        const auto weights = scores_of(classifiers, 0, n_children, {feature}, {1});
        for (std::size_t child = 0; child < n_children; ++child) {
          const double part = static_cast<double>(values.back()) * static_cast<double>(weights[child]);
          expected[child] += part;
          sizes[child] += std::abs(part);
        }
      }
      const auto found = scores_of(classifiers, 0, n_children, features, values);
      for (std::size_t child = 0; child < n_children; ++child) {
        EXPECT_NEAR(found[child], expected[child], 1e-5 * sizes[child]);
      }
    }
  }
}

TEST(Classifiers, AddToWhatIsThere) {
  const Classifiers classifiers = pack({{{5, 1, 2.0f}}}, 2, 10);
  std::vector<float> scores = {7, 8};
  const std::vector<std::uint32_t> ranks = {classifiers.rank_of()[5]};
  const std::vector<float> values = {3};
  classifiers.add_scores(0, ranks, values, scores.data());
  EXPECT_EQ(scores, (std::vector<float>{7, 14}));  // a weight alone is exact
  classifiers.add_scores(0, {}, {}, scores.data());
  EXPECT_EQ(scores, (std::vector<float>{7, 14}));
}

// Without pruning weights may be tiny; they may become larger, but not than a 65536th of the largest.
TEST(Classifiers, TinyWeightsStayTiny) {
  Node node;
  for (Feature feature = 0; feature < 50; ++feature)
    node.push_back({feature, 0, std::pow(0.1f, static_cast<float>(feature))});
  const Classifiers classifiers = pack({node}, 1, 50);
  for (Feature feature = 0; feature < 50; ++feature) {
    const float value = node[feature].value;
    EXPECT_NEAR(scores_of(classifiers, 0, 1, {feature}, {1})[0], value, std::max(0.05f * value, 1.0f / 65536));
  }
}

TEST(Classifiers, OneFeatureMayHaveAWeightForEachOfTheMostChildren) {
  for (const std::uint32_t n_children : {256u, 65535u}) {
    Node node;
    for (std::uint32_t child = 0; child < n_children; ++child)
      node.push_back({3, child, 1 + static_cast<float>(child % 5)});
    node.push_back({4, n_children - 1, -2});
    const Classifiers classifiers = pack({node}, n_children, 9);
    const auto found = scores_of(classifiers, 0, n_children, {3, 4}, {1, 1});
    for (std::uint32_t child = 0; child < n_children; ++child) {
      const double expected = 1 + child % 5 - (child == n_children - 1 ? 2.0 : 0.0);
      ASSERT_NEAR(found[child], expected, kPromise * 7) << child;
    }
  }
}

class ClassifiersFile : public ::testing::Test {
 protected:
  void save(const Classifiers& classifiers) const {
    ModelWriter writer;
    classifiers.save(writer);
    writer.write(path_, IfExists::kReplace);
  }
  Classifiers load(const std::vector<std::uint64_t>& child_offsets, std::size_t n_features) const {
    return {ModelReader(path_), child_offsets, n_features};
  }
  // Sets an element of an array in the file.
  template <class T>
  void forge(const std::string& name, std::size_t i, T value) const {
    std::string bytes = read_whole_file(path_);
    const ModelReader reader(path_);
    const auto at = std::ranges::find(reader.arrays(), name, &ArrayInfo::name);
    ASSERT_NE(at, reader.arrays().end()) << name;
    ASSERT_EQ(dtype_size(at->dtype), sizeof(T));
    ASSERT_LT(i, at->size) << name;
    std::memcpy(bytes.data() + at->begin + i * sizeof(T), &value, sizeof(T));
    test::fix_checksum(bytes);
    test::write_plain(path_, bytes);
  }

  test::Folder folder_;
  std::string path_ = folder_ / "m.xylem";
};

TEST_F(ClassifiersFile, LoadedOnesScoreTheSame) {
  for (const std::size_t n_children : {20u, 300u}) {
    const Shape shape = {100000, 400, n_children};
    const std::vector<Node> nodes = {random_node(shape, 1), {}, random_node({100000, 1, 1}, 2), random_node(shape, 3)};
    const std::vector<std::size_t> sizes = {n_children, 0, 1, n_children};
    const Classifiers saved = pack(nodes, sizes, random_ranks(shape.n_features));
    save(saved);
    const std::string bytes = read_whole_file(path_);
    const Classifiers loaded = load(offsets_of(sizes), shape.n_features);
    std::vector<Feature> features;
    for (const Node& node : nodes)
      for (const test::FeatureWeight& weight : node) features.push_back(weight.feature);
    const std::vector<float> values(features.size(), 0.7f);
    for (std::size_t node = 0; node < nodes.size(); ++node) {
      EXPECT_EQ(scores_of(loaded, node, n_children, features, values),
                scores_of(saved, node, n_children, features, values));
    }
    save(loaded);
    EXPECT_EQ(read_whole_file(path_), bytes);
  }
}

TEST_F(ClassifiersFile, NodesWithoutWeightsAreSavedToo) {
  save(pack({{}, {}}, {3, 2}, random_ranks(1000)));
  const Classifiers loaded = load({0, 3, 5}, 1000);
  EXPECT_EQ(scores_of(loaded, 1, 2, {0, 999}, {1, 1}), (std::vector<float>{0, 0}));
}

// One place at a time is wrong; the message names the group and what it is about.
TEST_F(ClassifiersFile, WhatDoesNotFitTogetherIsRefused) {
  // Two blocks of two rows. In the first, of 33 and 4 bytes, a feature has weights for all of 20 children and another
  // for two of them; in the second both have two.
  std::vector<std::uint32_t> rank_of(100);
  std::iota(rank_of.begin(), rank_of.end(), 0u);
  Node node;
  for (std::uint32_t child = 0; child < 20; ++child) node.push_back({0, child, 1});
  for (const Feature feature : {1u, 70u, 71u}) {
    node.push_back({feature, 0, 1});
    node.push_back({feature, 1, 1});
  }
  const auto message = [&](const auto& damage) -> std::string {
    save(pack({{}, node}, {1, 20}, rank_of));
    damage();
    try {
      load({0, 1, 21}, 100);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kModel);
      return error.what();
    }
    return "";
  };
  const auto expect = [&](const std::string& what, const auto& damage) {
    EXPECT_EQ(message(damage), path_ + ": damaged: the weights of group 1: " + what);
  };
  const auto pair = [](std::uint64_t key, std::uint64_t row) { return key | row << 32; };
  EXPECT_EQ(message([] {}), "");
  // Elements 0 and 1 of regions and blocks belong to the empty group.
  expect("first block of a region", [&] { forge("parabel.regions", 3, std::uint64_t{1}); });
  expect("number of blocks", [&] { forge("parabel.regions", 2, std::uint64_t{7}); });
  expect("end of the blocks", [&] { forge("parabel.blocks", 7, pair(4, 44)); });
  expect("end of the blocks", [&] { forge("parabel.blocks", 7, pair(3, 45)); });
  expect("order of blocks", [&] { forge("parabel.blocks", 3, pair(1, 0)); });
  expect("order of blocks", [&] { forge("parabel.blocks", 3, pair(0, 2)); });
  expect("order of blocks", [&] { forge("parabel.blocks", 2, std::uint64_t{0}); });
  expect("order of blocks", [&] { forge("parabel.blocks", 2, std::uint64_t{31}); });
  expect("order of blocks", [&] { forge("parabel.blocks", 5, pair(2, 46)); });
  expect("order of blocks", [&] { forge("parabel.blocks", 5, pair(3, 37)); });
  expect("first row of a block", [&] { forge("parabel.row_begins", 0, std::uint16_t{2}); });
  expect("order of rows", [&] { forge("parabel.row_begins", 1, std::uint16_t{0}); });
  expect("order of rows", [&] { forge("parabel.row_begins", 1, std::uint16_t{38}); });
  expect("length of a row", [&] { forge("parabel.row_begins", 1, std::uint16_t{31}); });
  expect("number of a child", [&] { forge("parabel.rows", 33, std::uint8_t{20}); });
  expect("number of rows", [&] { forge("parabel.blocks", 4, std::uint64_t{64}); });
  EXPECT_EQ(message([&] { forge("parabel.rank_of", 3, std::uint32_t{4096}); }),
            path_ + ": damaged: a rank is too high");
  EXPECT_EQ(message([&] { forge("parabel.rank_of", 3, kNoRank); }), "");
}

}  // namespace
}  // namespace xylem::parabel
