// SPDX-License-Identifier: Apache-2.0
#include "core/memory.h"

#include <gtest/gtest.h>

namespace xylem {
namespace {

TEST(AvailableMemory, IsPlausible) {
  const std::uint64_t bytes = available_memory();
  EXPECT_GT(bytes, 10'000'000U);
  EXPECT_LT(bytes, 100'000'000'000'000U);
}

}  // namespace
}  // namespace xylem
