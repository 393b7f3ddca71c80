// SPDX-License-Identifier: Apache-2.0
#include "algorithms/local_rows.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/random.h"
#include "lane_problem.h"

namespace xylem {
namespace {

const std::vector<float> kMixedValues = {1, -1, 0.3f, -0.7f, 1e-30f, 3e30f, 0};

TEST(LocalRows, FewFeaturesTakeFourBytesAndManyEight) {
  EXPECT_EQ(sizeof(NarrowEntry), 4u);
  EXPECT_TRUE(std::holds_alternative<std::vector<NarrowEntry>>(LocalRows(65536).entries()));
  EXPECT_TRUE(std::holds_alternative<std::vector<WideEntry>>(LocalRows(65537).entries()));
}

TEST(LocalRows, HoldsWhatWasAdded) {
  for (const std::uint32_t n_features : {65536u, 70000u}) {
    const double error = n_features > 65536 ? 0 : 1.0 / 256;
    LocalRows rows(n_features);
    const std::vector<std::uint32_t> ids = {0, 1, 255, 256, 40000, n_features - 2, n_features - 1};
    rows.push_back(ids, kMixedValues);
    rows.push_back({}, {});
    rows.push_back(std::span(ids).first(2), std::span(kMixedValues).first(2));
    ASSERT_EQ(rows.size(), 3u);
    EXPECT_EQ(rows.offsets().back(), 9u);
    const auto first = test::entries_of(rows, 0);
    ASSERT_EQ(first.size(), ids.size());
    for (std::size_t i = 0; i < ids.size(); ++i) {
      EXPECT_EQ(first[i].id, ids[i]);
      EXPECT_LE(std::abs(first[i].value - static_cast<double>(kMixedValues[i])), error * std::abs(kMixedValues[i]));
    }
    EXPECT_TRUE(test::entries_of(rows, 1).empty());
    EXPECT_EQ(test::entries_of(rows, 2).size(), 2u);
    EXPECT_EQ(rows.square_norm(1), 0);
    EXPECT_EQ(rows.square_norm(2), 2);
  }
}

TEST(LocalRows, ValuesAreRoundedToTheNearest) {
  Random random(1, {});
  double sum = 0;
  for (int i = 0; i < 10000; ++i) {
    const auto value = static_cast<float>(0.5 + random.uniform() / 2);
    const NarrowEntry entry(7, value);
    EXPECT_LE(std::abs(entry.value() - value), 0x1p-9f);
    sum += static_cast<double>(entry.value()) - static_cast<double>(value);
  }
  EXPECT_LT(std::abs(sum) / 10000, 1e-4);             // as often up as down
  EXPECT_EQ(NarrowEntry(0, 1 + 0x1p-8f).value(), 1);  // half way: to the even one
  EXPECT_EQ(NarrowEntry(0, 1 + 3 * 0x1p-8f).value(), 1 + 0x1p-6f);
}

TEST(LocalRows, TheLargestFloatsStayFinite) {
  constexpr float kLargest = std::numeric_limits<float>::max();
  for (const float value : {kLargest, -kLargest}) {
    EXPECT_TRUE(std::isfinite(NarrowEntry(65535, value).value()));
    EXPECT_EQ(NarrowEntry(65535, value).id(), 65535u);
  }
}

}  // namespace
}  // namespace xylem
