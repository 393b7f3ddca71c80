// SPDX-License-Identifier: Apache-2.0
#include "core/radix_sort.h"

#include <gtest/gtest.h>

#include "core/random.h"

namespace xylem {
namespace {

TEST(RadixSort, SortsAsStdSort) {
  std::vector<std::uint32_t> buffer;
  for (const std::uint32_t bound : {1u, 2u, 1000u, 1024u, 1025u, 500'000u, 1u << 20, 0xffffffffu}) {
    for (const std::size_t size : {0u, 1u, 127u, 128u, 3000u}) {
      Random random(1, {bound, size});
      std::vector<std::uint32_t> ids(size);
      for (std::uint32_t& id : ids) id = static_cast<std::uint32_t>(random.below(bound));
      std::vector<std::uint32_t> expected = ids;
      std::ranges::sort(expected);
      radix_sort(ids, bound, buffer);
      EXPECT_EQ(ids, expected) << bound << " " << size;
    }
  }
}

}  // namespace
}  // namespace xylem
