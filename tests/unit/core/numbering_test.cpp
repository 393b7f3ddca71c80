// SPDX-License-Identifier: Apache-2.0
#include "core/numbering.h"

#include <gtest/gtest.h>

#include <set>

#include "core/random.h"

namespace xylem {
namespace {

TEST(Numbering, NumbersTheMarkedIdsInOrder) {
  Random random(1, {});
  Numbering numbering;  // the same for all
  for (const std::size_t n : {1u, 63u, 64u, 65u, 1000u}) {
    for (const std::size_t n_marks : {std::size_t{0}, std::size_t{1}, n / 2, 3 * n}) {
      numbering.reset(n);
      std::set<std::size_t> expected;
      for (std::size_t i = 0; i < n_marks; ++i) numbering.mark(*expected.insert(random.below(n)).first);
      EXPECT_EQ(numbering.finish(), expected.size());
      std::vector<std::size_t> found;
      numbering.for_each([&](std::size_t id) {
        EXPECT_EQ(numbering.number_of(id), found.size());
        found.push_back(id);
      });
      EXPECT_EQ(found, std::vector<std::size_t>(expected.begin(), expected.end()));
      for (std::size_t id = 0; id < n; ++id) EXPECT_EQ(numbering.is_marked(id), expected.contains(id));
    }
  }
}

}  // namespace
}  // namespace xylem
