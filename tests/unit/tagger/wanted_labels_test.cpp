// SPDX-License-Identifier: Apache-2.0
#include "tagger/wanted_labels.h"

#include <gtest/gtest.h>

#include "text_tagger.h"

namespace xylem {
namespace {

TEST(WantedLabels, AreThoseThatReachTheThreshold) {
  const Tagger tagger = test::text_tagger();
  const std::vector<std::uint64_t> two_rows = {0, 0, 0};
  const SparseRows rows(two_rows, nullptr, nullptr);
  const TopLabels all = tagger.tag(rows, 3, {});
  ASSERT_EQ(all.row_labels(0).size(), 3U);
  const double second = all.row_scores(0)[1];
  const auto n_wanted = [&](WantedLabels wanted, const LabelFilter* allowed = nullptr) {
    const TopLabels top = tag(tagger, rows, wanted, {}, allowed);
    EXPECT_EQ(top.size(), 2U);
    EXPECT_EQ(top.row_labels(0).size(), top.row_labels(1).size());
    return top.row_labels(1).size();
  };
  EXPECT_EQ(n_wanted({.candidates = 3}), 3U);
  EXPECT_EQ(n_wanted({.candidates = 3, .threshold = second}), 2U);
  EXPECT_EQ(n_wanted({.candidates = 1, .threshold = second}), 1U);
  EXPECT_EQ(n_wanted({.candidates = 3, .threshold = 1e9}), 0U);
  EXPECT_EQ(n_wanted({.candidates = 3, .threshold = 1e9, .at_least = 2}), 2U);
  const LabelFilter allowed = {false, true, false};
  EXPECT_EQ(n_wanted({.candidates = 3, .threshold = second}, &allowed), 1U);
}

}  // namespace
}  // namespace xylem
