// SPDX-License-Identifier: Apache-2.0
#include "core/memory.h"

#include <gtest/gtest.h>

#include <vector>

namespace xylem {
namespace {

TEST(AvailableMemory, IsPlausible) {
  const std::optional<std::uint64_t> bytes = available_memory();
  ASSERT_TRUE(bytes);
  EXPECT_GT(*bytes, 10'000'000U);
  EXPECT_LT(*bytes, 100'000'000'000'000U);
}

TEST(PeakMemory, GrowsWithWhatIsHeld) {
  const std::uint64_t before = peak_memory();
  EXPECT_GT(before, 100'000U);
  const std::vector<char> held(before, 'x');
  EXPECT_GT(peak_memory(), before + before / 2);
}

}  // namespace
}  // namespace xylem
