// SPDX-License-Identifier: Apache-2.0
#include "algorithms/weighted_sum.h"

#include <gtest/gtest.h>

#include <vector>

#include "core/random.h"

namespace xylem {
namespace {

TEST(AddWeightedRows, AddsWhatASlowLoopAdds) {
  constexpr std::size_t kRows = 50;
  Random random(1, {});
  for (const std::size_t width : {1u, 7u, 16u, 100u}) {
    std::vector<float> table(kRows * width);
    for (float& value : table) value = static_cast<float>(random.normal());
    for (const std::size_t n : {0u, 1u, 3u, 4u, 5u, 8u, 23u}) {
      std::vector<std::uint32_t> ids(n);
      std::vector<float> values(n);
      for (std::size_t i = 0; i < n; ++i) {
        ids[i] = static_cast<std::uint32_t>(random.below(kRows));
        values[i] = static_cast<float>(random.normal());
      }
      std::vector<float> found(width, 2.0f);
      add_weighted_rows(table.data(), width, ids, values, found.data());
      for (std::size_t x = 0; x < width; ++x) {
        double expected = 2;
        for (std::size_t i = 0; i < n; ++i) expected += static_cast<double>(values[i]) * table[ids[i] * width + x];
        EXPECT_NEAR(found[x], expected, 1e-4) << width << " columns, " << n << " rows";
      }
    }
  }
}

TEST(AddWeightedRows, OfHalvesIsThatOfTheFloatsTheyStandFor) {
  Random random(2, {});
  for (const std::size_t width : {1u, 7u, 40u}) {
    std::vector<Bf16> halves;
    std::vector<float> floats;
    for (std::size_t i = 0; i < 20 * width; ++i) {
      halves.push_back(to_bf16(static_cast<float>(random.normal())));
      floats.push_back(to_float(halves.back()));
    }
    const std::vector<std::uint32_t> ids = {3, 19, 0, 7, 7, 11};
    const std::vector<float> values = {1, -2, 0.5f, 3, 0.25f, -1};
    std::vector<float> found(width, 1.0f), expected(width, 1.0f);
    add_weighted_rows(halves.data(), width, ids, values, found.data());
    add_weighted_rows(floats.data(), width, ids, values, expected.data());
    for (std::size_t x = 0; x < width; ++x) EXPECT_NEAR(found[x], expected[x], 1e-5);
  }
}

}  // namespace
}  // namespace xylem
