// SPDX-License-Identifier: Apache-2.0
#include "methods/parabel/memory_plan.h"

#include <gtest/gtest.h>

#include <utility>

#include "tagger/training.h"

namespace xylem::parabel {
namespace {

// The peak memory of the program when it trains with two threads.
struct Measured {
  const char* name;
  DataShape shape;
  double fast, paper, accurate;  // MB
};
const Measured kMeasured[] = {
    {"eurlex57k", {45000, 38616, 4271, 10401240, 228322}, 322, 453, 438},
    {"tibkat-gnd", {90452, 134268, 41218, 8840097, 257989}, 456, 1678, 731},
};

ParabelOptions paper_options() {
  ParabelOptions options;
  options.trees = 3;
  options.tree.arity = 2;
  options.tree.max_leaf = 100;
  options.prune = 0.05;
  options.negatives = Negatives::kNode;
  return options;
}

TEST(MemoryPlan, LiesBetweenWhatWasMeasuredAndTwiceThat) {
  for (const Measured& set : kMeasured) {
    const std::pair<const char*, double> peaks[] = {
        {"fast", set.fast}, {"paper", set.paper}, {"accurate", set.accurate}};
    for (const auto& [preset, peak] : peaks) {
      const MemoryPlan plan = parabel_method.plan(set.shape, parabel_method.parse({{"preset", preset}}), 2);
      const std::uint64_t bytes = kProgramBytes + data_bytes(set.shape) + plan.training;
      const double planned = static_cast<double>(bytes) / 1e6;
      EXPECT_GE(planned, peak) << set.name << ", " << preset;
      EXPECT_LE(planned, 2 * peak) << set.name << ", " << preset;
    }
  }
}

TEST(MemoryPlan, NeverFallsWithAnySizeWhateverTheOptions) {
  ParabelOptions unbalanced;
  unbalanced.tree.balanced = false;
  unbalanced.tree.max_depth = 2;
  ParabelOptions unpruned = paper_options();
  unpruned.prune = 0;
  constexpr std::size_t DataShape::*kSizes[] = {&DataShape::rows, &DataShape::features, &DataShape::labels,
                                                &DataShape::nonzeros, &DataShape::label_pairs};
  for (const ParabelOptions& options : {ParabelOptions(), paper_options(), unbalanced, unpruned}) {
    for (const auto size : kSizes) {
      DataShape shape = {100, 100, 100, 100, 100};
      std::uint64_t before = 0;
      for (; shape.*size < 1'000'000'000; shape.*size += shape.*size / 3) {
        const std::uint64_t planned = plan_memory(shape, options, 64).training;
        EXPECT_GE(planned, before);
        before = planned;
      }
    }
  }
}

TEST(MemoryPlan, GrowsWithWhatTheOptionsAskFor) {
  const DataShape shape = kMeasured[1].shape;
  const auto planned = [&](auto change) {
    ParabelOptions options;
    change(options);
    return plan_memory(shape, options, 2).training;
  };
  const std::uint64_t usual = planned([](ParabelOptions&) {});
  EXPECT_GT(planned([](ParabelOptions& options) { options.trees = 3; }), usual);
  EXPECT_GT(planned([](ParabelOptions& options) { options.prune = 0; }), usual);
  EXPECT_GT(planned([](ParabelOptions& options) { options.linear.cost = 100; }), usual);
  EXPECT_GT(planned([](ParabelOptions& options) { options.tree.max_depth = 0; }), usual);
  EXPECT_GT(planned([](ParabelOptions& options) {
              options.tree.balanced = false;
              options.tree.arity = 10000;
            }),
            10 * usual)
      << "a mean of each cluster has all features";
  ParabelOptions sampled;
  sampled.max_node_rows = 1000;
  EXPECT_LT(plan_memory(shape, sampled, 64).training, plan_memory(shape, {}, 64).training);
}

}  // namespace
}  // namespace xylem::parabel
