// SPDX-License-Identifier: Apache-2.0
#include "core/array.h"

#include <gtest/gtest.h>

namespace xylem {
namespace {

TEST(Array, IsEmptyAtFirst) {
  const Array<int> array;
  EXPECT_EQ(array.size(), 0U);
  EXPECT_EQ(array.begin(), array.end());
}

TEST(Array, TakesAVectorOverWithoutCopying) {
  std::vector<int> values{1, 2, 3};
  const int* memory = values.data();
  const Array<int> array(std::move(values));
  EXPECT_EQ(array.data(), memory);
  EXPECT_EQ(std::vector<int>(array.begin(), array.end()), (std::vector<int>{1, 2, 3}));
  EXPECT_EQ(array[1], 2);
}

TEST(Array, OutlivesTheArrayItWasCopiedFrom) {
  Array<int> copy;
  {
    const Array<int> source(std::vector<int>{4, 5});
    copy = source;
    EXPECT_EQ(copy.data(), source.data());
  }
  EXPECT_EQ(copy[0] + copy[1], 9);
}

TEST(Array, KeepsTheOwnerOfItsMemoryAlive) {
  auto owner = std::make_shared<const std::vector<int>>(std::vector<int>{7, 8, 9});
  const std::weak_ptr<const std::vector<int>> watch = owner;
  {
    const Array<int> part(std::span<const int>(*owner).subspan(1, 2), owner);
    owner.reset();
    EXPECT_FALSE(watch.expired());
    EXPECT_EQ(part.size(), 2U);
    EXPECT_EQ(part.span()[1], 9);
  }
  EXPECT_TRUE(watch.expired());
}

}  // namespace
}  // namespace xylem
