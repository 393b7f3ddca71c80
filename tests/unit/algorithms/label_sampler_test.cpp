// SPDX-License-Identifier: Apache-2.0
#include "algorithms/label_sampler.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace xylem {
namespace {

LabelLists some_lists() {
  LabelLists lists;
  lists.push_back(std::vector<Label>{3, 70});
  lists.push_back(std::vector<Label>{5});
  lists.push_back(std::vector<Label>{});
  lists.push_back(std::vector<Label>{3, 99});
  return lists;
}

TEST(LabelSampler, HasTheLabelsOfTheRowsAndOthers) {
  LabelSampler sampler(100, 10);
  const std::vector<std::uint32_t> rows{3, 2, 0};
  sampler.sample(some_lists(), rows, 1);
  const std::vector<Label>& labels = sampler.labels();
  ASSERT_EQ(labels.size(), 13u);
  EXPECT_TRUE(std::ranges::is_sorted(labels));
  EXPECT_EQ(std::set(labels.begin(), labels.end()).size(), 13u);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const bool own = labels[i] == 3 || labels[i] == 70 || labels[i] == 99;
    EXPECT_FLOAT_EQ(sampler.weights()[i], own ? 1.0f : 9.7f);
  }
  ASSERT_EQ(sampler.positives().size(), 3u);
  const auto labels_of = [&](std::size_t row) {
    std::vector<Label> result;
    for (const Label place : sampler.positives()[row]) result.push_back(labels[place]);
    return result;
  };
  EXPECT_EQ(labels_of(0), (std::vector<Label>{3, 99}));
  EXPECT_EQ(labels_of(1), std::vector<Label>{});
  EXPECT_EQ(labels_of(2), (std::vector<Label>{3, 70}));
}

TEST(LabelSampler, DependsOnTheSeed) {
  LabelSampler a(1000, 10), b(1000, 10);
  const std::vector<std::uint32_t> rows{1};
  a.sample(some_lists(), rows, 1);
  b.sample(some_lists(), rows, 1);
  EXPECT_EQ(a.labels(), b.labels());
  b.sample(some_lists(), rows, 2);
  EXPECT_NE(a.labels(), b.labels());
}

// Σ over the sample, weighted, is Σ over all labels on average.
TEST(LabelSampler, WeightsCorrectForSampling) {
  LabelSampler sampler(100, 20);
  const std::vector<std::uint32_t> rows{0, 1};
  double mean = 0;
  constexpr int kTimes = 2000;
  for (std::uint64_t seed = 0; seed < kTimes; ++seed) {
    sampler.sample(some_lists(), rows, seed);
    for (std::size_t i = 0; i < sampler.labels().size(); ++i) {
      mean += static_cast<double>(sampler.weights()[i]) * sampler.labels()[i] / kTimes;
    }
  }
  EXPECT_NEAR(mean, 99 * 50, 30);  // a deviation of about 12
}

TEST(LabelSampler, MayHaveAllLabels) {
  const std::vector<std::uint32_t> rows{0, 1};
  for (const std::size_t n_random : {0u, 100u, 60u}) {
    LabelSampler sampler(100, n_random);
    sampler.sample(some_lists(), rows, 1);
    ASSERT_EQ(sampler.labels().size(), 100u);
    for (Label label = 0; label < 100; ++label) {
      EXPECT_EQ(sampler.labels()[label], label);
      EXPECT_EQ(sampler.weights()[label], 1);
    }
    EXPECT_EQ(sampler.positives().ids, (std::vector<Label>{3, 70, 5}));
  }
}

}  // namespace
}  // namespace xylem
