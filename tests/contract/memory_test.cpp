// SPDX-License-Identifier: Apache-2.0
// Memory plans.
#include "contract.h"
#include "core/file.h"
#include "toy_data.h"
#include "xylem/error.h"

namespace xylem {
namespace {

using test::toy_data;

TEST_P(Contract, PlansEnoughMemoryForItsModel) {
  const Dataset data = toy_data(1, {.rows = 3000});
  const DataShape shape = shape_of(data);
  const Tagger tagger = train(data);
  tagger.save(folder_ / "m.xylem", false);
  const MemoryPlan plan = GetParam()->plan(shape, GetParam()->parse({}), 2);
  EXPECT_GE(plan.training, plan.model);
  constexpr std::size_t kContainer = 4096;  // header, card and label counts
  EXPECT_LE(read_whole_file(folder_ / "m.xylem").size(), plan.model + kContainer);
}

TEST_P(Contract, PlansNoLessForMore) {
  const DataShape shapes[] = {
      {1, 1, 1, 1, 1}, {300, 82, 12, 1500, 450}, {45000, 38616, 4271, 10401240, 228322}, {1, 1 << 30, 1, 1, 1}};
  constexpr std::size_t DataShape::*kSizes[] = {&DataShape::rows, &DataShape::features, &DataShape::labels,
                                                &DataShape::nonzeros, &DataShape::label_pairs};
  for (const DataShape& shape : shapes) {
    const auto expect_no_less = [&](const DataShape& more, std::size_t threads) {
      const MemoryPlan before = GetParam()->plan(shape, GetParam()->parse({}), 2);
      const MemoryPlan after = GetParam()->plan(more, GetParam()->parse({}), threads);
      EXPECT_GE(after.training, before.training);
      EXPECT_GE(after.model, before.model);
    };
    for (const auto size : kSizes) {
      for (const std::size_t factor : {2u, 3u, 1000u}) {
        DataShape more = shape;
        more.*size *= factor;
        expect_no_less(more, 2);
      }
    }
    expect_no_less(shape, 3);
    expect_no_less(shape, 64);
  }
}

TEST_P(Contract, StopsBeforeWorkThatNeedsTooMuchMemory) {
  TrainOptions options;
  options.method = GetParam()->name;
  options.max_memory = 1000;
  try {
    Tagger::train(toy_data(1), options, {});
    FAIL() << "it trained in 1000 bytes";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kMemory);
  }
}

}  // namespace
}  // namespace xylem
