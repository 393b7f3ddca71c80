// SPDX-License-Identifier: Apache-2.0
#include "methods/parabel/classifiers.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <set>

#include "core/file.h"
#include "core/random.h"
#include "folder.h"
#include "model_surgery.h"

namespace xylem::parabel {
namespace {

constexpr double kPromise = 0.02;  // relative error of a weight between 0.1 and 10

using Node = std::vector<Weight>;

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

Classifiers pack(std::vector<Node> nodes, std::size_t n_features) {
  const FeatureHash hash(n_features);
  std::vector<PackedNode> packed;
  for (Node& node : nodes) packed.push_back(pack_node(node, hash));
  return {std::move(packed), n_features};
}

std::vector<float> scores_of(const Classifiers& classifiers, std::size_t node, std::size_t n_children,
                             const std::vector<Feature>& features, const std::vector<float>& values) {
  std::vector<std::uint32_t> hashes;
  for (const Feature feature : features) hashes.push_back(classifiers.hash()(feature));
  std::vector<float> scores(n_children, 0.0f);
  classifiers.add_scores(node, hashes, values, scores.data());
  return scores;
}

// Looks every weight up, one feature at a time, and features around them that have none.
void expect_weights(const Classifiers& classifiers, std::size_t number, const Node& node, const Shape& shape) {
  std::map<Feature, std::map<std::uint32_t, float>> expected;
  for (const Weight& weight : node) expected[weight.feature][weight.child] = weight.value;
  std::set<Feature> asked = {0, static_cast<Feature>(shape.n_features - 1)};
  for (const auto& [feature, ignored] : expected) {
    for (const std::uint64_t near : {std::uint64_t{feature}, std::uint64_t{feature} + 1,
                                     std::uint64_t{feature} ^ 0x10000, std::uint64_t{feature} ^ 0x80000000}) {
      if (near < shape.n_features) asked.insert(static_cast<Feature>(near));
    }
  }
  for (const Feature feature : asked) {
    const std::vector<float> found = scores_of(classifiers, number, shape.n_children, {feature}, {1});
    for (std::uint32_t child = 0; child < shape.n_children; ++child) {
      const auto at = expected.find(feature);
      const float value = at != expected.end() && at->second.contains(child) ? at->second.at(child) : 0;
      ASSERT_NEAR(found[child], value, kPromise * std::abs(value)) << "feature " << feature << ", child " << child;
    }
  }
}

TEST(FeatureHash, GivesEachFeatureAPlaceOfItsOwn) {
  for (const std::size_t n_features : {1u, 2u, 3u, 64u, 65u, 1000u, 100000u}) {
    const FeatureHash hash(n_features);
    EXPECT_GE(std::size_t{1} << hash.bits(), n_features);
    std::set<std::uint32_t> places;
    for (std::size_t feature = 0; feature < n_features; ++feature) places.insert(hash(static_cast<Feature>(feature)));
    EXPECT_EQ(places.size(), n_features);
    EXPECT_LT(*places.rbegin(), std::size_t{1} << hash.bits());
  }
  EXPECT_EQ(FeatureHash(0).bits(), 1);
  EXPECT_EQ(FeatureHash(std::size_t{1} << 32).bits(), 32);
  EXPECT_EQ(FeatureHash((std::size_t{1} << 20) + 1).bits(), 21);
}

TEST(Classifiers, HoldEveryWeightWithinTwoPercent) {
  constexpr std::size_t kAll = std::size_t{1} << 32;
  std::uint64_t seed = 1;
  for (const Shape& shape :
       {Shape{1, 1, 1}, Shape{1, 1, 300}, Shape{2, 2, 3}, Shape{3, 1, 2}, Shape{100, 100, 16}, Shape{1000, 30, 256},
        Shape{1000, 700, 257}, Shape{65536, 5000, 40}, Shape{65537, 5000, 40}, Shape{1 << 20, 3, 40},
        Shape{1 << 20, 20000, 32}, Shape{1 << 20, 5000, 1000}, Shape{kAll, 1, 2}, Shape{kAll, 3000, 20},
        Shape{kAll - 1, 300, 300}}) {
    const std::vector<Node> nodes = {random_node(shape, seed), {}, random_node(shape, seed + 1)};
    seed += 2;
    const Classifiers classifiers = pack(nodes, shape.n_features);
    for (std::size_t i = 0; i < nodes.size(); ++i) expect_weights(classifiers, i, nodes[i], shape);
  }
}

// All features of a small space in one node, and none of the rest of it in another: keys and buckets collide in every
// way they can.
TEST(Classifiers, TellEveryFeatureFromEveryOther) {
  for (const std::size_t n_features : {64u, 5000u, 70000u}) {
    Node every, odd;
    for (Feature feature = 0; feature < n_features; ++feature) {
      every.push_back({feature, feature % 7, 0.1f + 0.001f * static_cast<float>(feature % 1000)});
      if (feature % 16 == 3) odd.push_back({feature, 0, 1});
    }
    const Classifiers classifiers = pack({every, odd}, n_features);
    for (Feature feature = 0; feature < n_features; ++feature) {
      const float value = every[feature].value;
      const auto found = scores_of(classifiers, 0, 7, {feature}, {1});
      for (std::uint32_t child = 0; child < 7; ++child)
        ASSERT_NEAR(found[child], child == feature % 7 ? value : 0, kPromise * value) << feature;
      ASSERT_NEAR(scores_of(classifiers, 1, 1, {feature}, {1})[0], feature % 16 == 3 ? 1 : 0, kPromise) << feature;
    }
  }
}

TEST(Classifiers, AddUpWhatADenseProductAddsUp) {
  for (const std::size_t n_children : {16u, 400u}) {
    const Shape shape = {2000, 900, n_children};
    const Node node = random_node(shape, 77);
    const Classifiers classifiers = pack({node}, shape.n_features);
    std::vector<double> dense(shape.n_features * n_children, 0.0);
    for (const Weight& weight : node)
      dense[weight.feature * n_children + weight.child] = static_cast<double>(weight.value);
    Random random(78, {});
    for (int query = 0; query < 30; ++query) {
      std::set<Feature> ids;
      for (int i = 0; i < 100; ++i) ids.insert(static_cast<Feature>(random.below(shape.n_features)));
      const std::vector<Feature> features(ids.begin(), ids.end());
      std::vector<float> values;
      for (std::size_t i = 0; i < features.size(); ++i) values.push_back(static_cast<float>(random.normal()));
      const auto found = scores_of(classifiers, 0, n_children, features, values);
      for (std::size_t child = 0; child < n_children; ++child) {
        double expected = 0, sizes = 0;
        for (std::size_t i = 0; i < features.size(); ++i) {
          const double part = static_cast<double>(values[i]) * dense[features[i] * n_children + child];
          expected += part;
          sizes += std::abs(part);
        }
        EXPECT_NEAR(found[child], expected, kPromise * sizes + 1e-5);
      }
    }
  }
}

TEST(Classifiers, AddToWhatIsThere) {
  const Classifiers classifiers = pack({{{5, 1, 2.0f}}}, 10);
  std::vector<float> scores = {7, 8};
  const std::vector<std::uint32_t> hashes = {classifiers.hash()(5)};
  const std::vector<float> values = {3};
  classifiers.add_scores(0, hashes, values, scores.data());
  EXPECT_EQ(scores, (std::vector<float>{7, 14}));  // a weight alone is exact
  classifiers.add_scores(0, {}, {}, scores.data());
  EXPECT_EQ(scores, (std::vector<float>{7, 14}));
}

// Without pruning weights may be tiny; they may become larger, but not than a 65536th of the largest.
TEST(Classifiers, TinyWeightsStayTiny) {
  Node node;
  for (Feature feature = 0; feature < 50; ++feature)
    node.push_back({feature, 0, std::pow(0.1f, static_cast<float>(feature))});
  const Classifiers classifiers = pack({node}, 50);
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
    const Classifiers classifiers = pack({node}, 9);
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
  Classifiers load(std::vector<std::uint64_t> child_offsets, std::size_t n_features) const {
    return {ModelReader(path_), Array(std::move(child_offsets)), n_features};
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
    const Classifiers saved = pack(nodes, shape.n_features);
    save(saved);
    const std::string bytes = read_whole_file(path_);
    const Classifiers loaded = load({0, n_children, n_children, n_children + 1, 2 * n_children + 1}, shape.n_features);
    std::vector<Feature> features;
    for (const Node& node : nodes)
      for (const Weight& weight : node) features.push_back(weight.feature);
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
  save(pack({{}, {}}, 1000));
  const Classifiers loaded = load({0, 3, 5}, 1000);
  EXPECT_EQ(scores_of(loaded, 1, 2, {0, 999}, {1, 1}), (std::vector<float>{0, 0}));
}

// One place at a time is wrong; the message names the node and what it is about.
TEST_F(ClassifiersFile, WhatDoesNotFitTogetherIsRefused) {
  // Sixteen features of 64, two weights each: four buckets.
  Node node;
  for (Feature feature = 0; feature < 16; ++feature) {
    node.push_back({feature, 0, 1});
    node.push_back({feature, 1, 1});
  }
  const auto message = [&](const auto& damage) -> std::string {
    save(pack({{}, node}, 64));
    damage();
    try {
      load({0, 1, 3}, 64);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kModel);
      return error.what();
    }
    return "";
  };
  const auto expect = [&](const std::string& what, const auto& damage) {
    EXPECT_EQ(message(damage), path_ + ": damaged: the classifiers of node 1: " + what);
  };
  EXPECT_EQ(message([] {}), "");
  // Buckets 0 to 1 of the borders belong to the empty node.
  expect("number of buckets", [&] { forge("parabel.bucket_bits", 1, std::uint8_t{7}); });
  expect("borders of buckets", [&] { forge("parabel.bucket_bits", 1, std::uint8_t{3}); });
  expect("ends of buckets", [&] { forge("parabel.bucket_keys", 2, std::uint32_t{1}); });
  expect("ends of buckets", [&] { forge("parabel.bucket_keys", 6, std::uint32_t{15}); });
  expect("ends of buckets", [&] { forge("parabel.bucket_weights", 2, std::uint32_t{1}); });
  expect("ends of buckets", [&] { forge("parabel.bucket_weights", 6, std::uint32_t{33}); });
  expect("order of buckets", [&] { forge("parabel.bucket_keys", 3, std::uint32_t{17}); });
  expect("counts of weights", [&] { forge("parabel.bucket_weights", 4, std::uint32_t{3}); });
  expect("counts of weights", [&] { forge("parabel.counts", 5, std::uint8_t{2}); });
  expect("number of a child", [&] { forge("parabel.children", 5, std::uint8_t{2}); });
  // A space of features that is too large for keys of 16 bits.
  save(pack({{}}, 64));
  EXPECT_EQ(test::kind_of_error([&] { load({0, 1}, 1 << 17); }), ErrorKind::kModel);
}

}  // namespace
}  // namespace xylem::parabel
