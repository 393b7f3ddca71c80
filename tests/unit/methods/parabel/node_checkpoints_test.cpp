// SPDX-License-Identifier: Apache-2.0
#include "methods/parabel/node_checkpoints.h"

#include <gtest/gtest.h>

#include <limits>
#include <map>
#include <numeric>

#include "core/random.h"
#include "methods/parabel/classifiers.h"
#include "packed_node.h"
#include "xylem/error.h"

namespace xylem::parabel {
namespace {

constexpr std::size_t kFeatures = 70'000;

// Features are their own ranks.
std::vector<std::uint32_t> ranks() {
  std::vector<std::uint32_t> result(kFeatures);
  std::iota(result.begin(), result.end(), 0u);
  return result;
}

class MemoryCheckpoints : public Checkpoints {
 public:
  void write(std::string_view name, std::string_view bytes) override { files[std::string(name)] = bytes; }
  std::optional<std::string> read(std::string_view name) const override {
    const auto file = files.find(std::string(name));
    return file == files.end() ? std::nullopt : std::optional(file->second);
  }
  std::map<std::string, std::string> files;
};

TrainedNode make_node(std::uint64_t seed, std::size_t n_children) {
  Random random(seed, {});
  std::vector<test::FeatureWeight> weights;
  for (Feature feature = 0; feature < kFeatures; feature += 1 + static_cast<Feature>(random.below(8000))) {
    for (std::uint32_t child = 0; child < n_children; child += 1 + static_cast<std::uint32_t>(random.below(3))) {
      weights.push_back({feature, child, static_cast<float>(random.uniform()) - 0.5f});
    }
  }
  TrainedNode node;
  node.classifiers = test::pack_node(weights, ranks());
  for (std::size_t i = 0; i < n_children; ++i) node.biases.push_back(static_cast<float>(i) - 1);
  return node;
}

class NodeCheckpointsTest : public ::testing::Test {
 protected:
  // Nodes whose places are not the order of the tasks; the last has no weights.
  NodeCheckpointsTest() {
    for (const std::size_t n_children : {5u, 1u, 3u, 2u}) {
      tasks_.push_back({0, {{tasks_.size(), 3 - tasks_.size(), n_children}}, 0, 10 - tasks_.size()});
    }
    trained_.resize(tasks_.size());
    for (const NodeTask& task : tasks_)
      trained_[task.nodes[0].place] = make_node(task.nodes[0].node, task.nodes[0].n_children);
    trained_[0] = {.classifiers = {}, .biases = {1, 2}};
  }
  std::string bytes_of(const std::vector<TrainedNode>& nodes) const { return write_bundle(tasks_, nodes); }
  bool reads(std::string_view bytes) const {
    std::vector<TrainedNode> nodes(tasks_.size());
    return read_bundle(bytes, tasks_, kFeatures, nodes);
  }

  std::vector<NodeTask> tasks_;
  std::vector<TrainedNode> trained_;
};

TEST_F(NodeCheckpointsTest, ReadsBackWhatWasWritten) {
  std::vector<TrainedNode> read(tasks_.size());
  ASSERT_TRUE(read_bundle(bytes_of(trained_), tasks_, kFeatures, read));
  EXPECT_EQ(bytes_of(read), bytes_of(trained_));
  EXPECT_EQ(read[3].classifiers.values, trained_[3].classifiers.values);
  EXPECT_EQ(read[3].biases, trained_[3].biases);
}

TEST_F(NodeCheckpointsTest, RefusesWhatIsCutOrTooLong) {
  const std::string whole = bytes_of(trained_);
  for (std::size_t size = 0; size < whole.size(); ++size) EXPECT_FALSE(reads(whole.substr(0, size))) << size;
  EXPECT_FALSE(reads(whole + '\0'));
  EXPECT_TRUE(reads(whole));
}

TEST_F(NodeCheckpointsTest, RefusesNodesOfAnotherTree) {
  tasks_[1].nodes[0].n_children = 2;
  EXPECT_FALSE(reads(bytes_of(trained_)));
  tasks_[1].nodes[0].n_children = 1;
  EXPECT_TRUE(reads(bytes_of(trained_)));
  std::vector<TrainedNode> nodes(tasks_.size());
  EXPECT_FALSE(read_bundle(bytes_of(trained_), tasks_, 1000, nodes));
}

// Whatever is read can be used: every byte in turn is set to values that break assumptions.
TEST_F(NodeCheckpointsTest, WhatItReadsCanBeUsed) {
  const std::string whole = bytes_of(trained_);
  const std::vector<float> values(kFeatures, 1.0f);
  std::vector<std::uint64_t> child_offsets{0};
  for (const TrainedNode& node : trained_) child_offsets.push_back(child_offsets.back() + node.biases.size());
  std::size_t refused = 0;
  for (std::size_t i = 0; i < whole.size(); ++i) {
    for (const int value : {0, 1, 0x7f, 0xff}) {
      std::string forged = whole;
      forged[i] = static_cast<char>(value);
      std::vector<TrainedNode> nodes(tasks_.size());
      if (!read_bundle(forged, tasks_, kFeatures, nodes)) {
        ++refused;
        continue;
      }
      if (i % 16 != 0) continue;  // using it takes longer than reading it
      std::vector<PackedNode> packed;
      for (const TrainedNode& node : nodes) packed.push_back(node.classifiers);
      const Classifiers classifiers(std::move(packed), child_offsets, ranks());
      for (const NodeTask& task : tasks_) {
        std::vector<float> scores(task.nodes[0].n_children);
        classifiers.add_scores(task.nodes[0].place, ranks(), values, scores.data());
      }
    }
  }
  EXPECT_GT(refused, whole.size());
}

TEST_F(NodeCheckpointsTest, RefusesNumbersThatAreNone) {
  trained_[2].biases[0] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_FALSE(reads(bytes_of(trained_)));
  trained_[2].biases[0] = 0;
  trained_[3].classifiers.values[0] = std::numeric_limits<float>::infinity();
  EXPECT_FALSE(reads(bytes_of(trained_)));
}

TEST_F(NodeCheckpointsTest, WritesABundleWhenItsLastNodeIsThere) {
  MemoryCheckpoints files;
  NodeCheckpoints saved(&files, tasks_, 15, kFeatures, trained_);  // the costs are 10, 9, 8, 7
  EXPECT_EQ(saved.n_read(), 0u);
  saved.finished(1);
  saved.finished(2);
  EXPECT_EQ(files.files.size(), 0u);
  saved.finished(0);
  EXPECT_EQ(files.files.size(), 1u);
  saved.finished(3);
  EXPECT_EQ(files.files.size(), 2u);

  std::vector<TrainedNode> again(tasks_.size());
  EXPECT_EQ(NodeCheckpoints(&files, tasks_, 15, kFeatures, again).n_read(), 4u);
  EXPECT_EQ(bytes_of(again), bytes_of(trained_));
}

TEST_F(NodeCheckpointsTest, TrainsWhatIsNotThereAgain) {
  MemoryCheckpoints files;
  NodeCheckpoints saved(&files, tasks_, 15, kFeatures, trained_);
  for (std::size_t task = 0; task < tasks_.size(); ++task) saved.finished(task);
  files.files.erase(files.files.begin());
  std::vector<TrainedNode> again(tasks_.size());
  const NodeCheckpoints resumed(&files, tasks_, 15, kFeatures, again);
  EXPECT_EQ(resumed.n_read(), 2u);
  EXPECT_FALSE(resumed.has(0));
  EXPECT_FALSE(resumed.has(1));
  EXPECT_TRUE(resumed.has(2));
  EXPECT_TRUE(resumed.has(3));
}

// Files that are damaged never come this far: their checksum tells.
TEST_F(NodeCheckpointsTest, RefusesABundleThatItCannotHaveWritten) {
  MemoryCheckpoints files;
  NodeCheckpoints saved(&files, tasks_, 15, kFeatures, trained_);
  for (std::size_t task = 0; task < tasks_.size(); ++task) saved.finished(task);
  files.files.begin()->second.pop_back();
  std::vector<TrainedNode> again(tasks_.size());
  try {
    NodeCheckpoints(&files, tasks_, 15, kFeatures, again);
    FAIL() << "the bundle is a byte short";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kUsage);
  }
}

TEST_F(NodeCheckpointsTest, DoesNothingWithoutAPlaceToWriteTo) {
  NodeCheckpoints saved(nullptr, tasks_, 15, kFeatures, trained_);
  for (std::size_t task = 0; task < tasks_.size(); ++task) {
    EXPECT_FALSE(saved.has(task));
    saved.finished(task);
  }
}

}  // namespace
}  // namespace xylem::parabel
