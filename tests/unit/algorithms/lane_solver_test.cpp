// SPDX-License-Identifier: Apache-2.0
#include "algorithms/lane_solver.h"

#include <gtest/gtest.h>
#include <linear.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <utility>

#include "core/random.h"
#include "lane_problem.h"

namespace xylem {
namespace {

using namespace test;

struct Shape {
  std::size_t rows = 120;
  std::size_t features = 60;
  std::size_t row_length = 12;  // at most
  double scale = 1;             // length of a row
};

// Rows of up to `row_length` features, and in each lane positives that a noisy hyperplane tells from the rest.
Problem random_problem(std::uint64_t seed, const Shape& shape) {
  Problem problem;
  problem.rows = LocalRows(shape.features);
  Random random(seed, {});
  std::vector<double> planes(shape.features * kLanes);
  for (double& value : planes) value = random.normal();
  for (std::size_t row = 0; row < shape.rows; ++row) {
    std::vector<std::uint32_t> ids(shape.features);
    for (std::uint32_t i = 0; i < ids.size(); ++i) ids[i] = i;
    random.shuffle(std::span(ids));
    ids.resize(1 + random.below(shape.row_length));
    std::ranges::sort(ids);
    std::vector<float> values;
    double squares = 0;
    for (std::size_t i = 0; i < ids.size(); ++i) {
      values.push_back(static_cast<float>(0.2 + random.uniform()));
      squares += static_cast<double>(values[i]) * values[i];
    }
    for (float& value : values) value = static_cast<float>(value / std::sqrt(squares) * shape.scale);
    unsigned positives = 0;
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      double product = 0.5 * random.normal() - 0.05 * static_cast<double>(lane);
      for (std::size_t i = 0; i < ids.size(); ++i)
        product += planes[ids[i] * kLanes + lane] * values[i] / static_cast<double>(shape.scale);
      if (product > 0) positives |= 1u << lane;
    }
    problem.rows.push_back(ids, values);
    problem.members.push_back(0xffff);
    problem.positives.push_back(static_cast<LaneBits>(positives));
  }
  problem.positive_cost.fill(1);
  return problem;
}

// What the slow twin reaches when nothing moves any more.
Weights optimum(const Problem& problem, LinearOptions options, std::size_t lane) {
  options.passes = 20000;
  options.tolerance = 1e-7;
  return slow_twin(problem, options, lane);
}

// Liblinear's primal solver; the bias is a feature like the others. The lane needs positives and negatives.
Weights liblinear(const Problem& problem, const LinearOptions& options, std::size_t lane) {
  const LocalRows& rows = problem.rows;
  std::vector<std::vector<feature_node>> nodes;
  std::vector<double> signs;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    if (!problem.is_member(row, lane)) continue;
    std::vector<feature_node>& list = nodes.emplace_back();
    for (const PlainEntry& entry : entries_of(rows, row)) list.push_back({static_cast<int>(entry.id) + 1, entry.value});
    list.push_back({static_cast<int>(rows.n_features()) + 1, 1.0});
    list.push_back({-1, 0});
    signs.push_back(problem.sign(row, lane));
  }
  std::vector<feature_node*> pointers;
  for (auto& list : nodes) pointers.push_back(list.data());
  ::problem given{};
  given.l = static_cast<int>(nodes.size());
  given.n = static_cast<int>(rows.n_features()) + 1;
  given.y = signs.data();
  given.x = pointers.data();
  given.bias = -1;
  int weight_labels[] = {1, -1};
  double class_weights[] = {static_cast<double>(problem.positive_cost[lane]), 1};
  ::parameter parameter{};
  parameter.solver_type = options.loss == Loss::kLogistic ? L2R_LR : L2R_L2LOSS_SVC;
  parameter.C = options.cost;
  parameter.eps = 1e-8;
  parameter.nr_weight = 2;
  parameter.weight_label = weight_labels;
  parameter.weight = class_weights;
  ::set_print_string_function([](const char*) {});
  ::model* model = ::train(&given, &parameter);
  EXPECT_EQ(model->nr_class, 2);
  Weights weights(model->w, model->w + given.n);
  for (double& weight : weights) weight *= model->label[0];
  ::free_and_destroy_model(&model);
  return weights;
}

AlignedVector<float> solve(const Problem& problem, const LinearOptions& options, std::uint64_t seed = 1) {
  LaneScratch scratch;
  AlignedVector<float> weights;
  const int passes = solve_lanes(problem.view(), options, seed, scratch, weights);
  EXPECT_LE(passes, options.passes);
  EXPECT_EQ(weights.size(), (problem.rows.n_features() + 1) * kLanes);
  return weights;
}

// How far above the least possible the objective of the lane is, as a part of it.
double excess(const Problem& problem, const LinearOptions& options, std::size_t lane,
              const AlignedVector<float>& weights) {
  const double least = objective(problem, options, lane, optimum(problem, options, lane));
  const double found = objective(problem, options, lane, lane_of(weights, lane));
  return least > 0 ? found / least - 1 : found;
}

constexpr double kSame = 1e-3;

LinearOptions exact(double cost = 1) {
  return {.cost = cost, .passes = 10000, .tolerance = 1e-4};
}
LinearOptions exact(Loss loss, double cost = 1) {
  LinearOptions options = exact(cost);
  options.loss = loss;
  return options;
}
constexpr std::array kLosses{Loss::kSquaredHinge, Loss::kLogistic};

void leave_out_some(Problem& problem, std::uint64_t seed) {
  Random random(seed, {});
  for (LaneBits& bits : problem.members) bits = static_cast<LaneBits>(random.bits());
}

// Appends a row whose values went through `change`.
void copy_row(const LocalRows& from, std::size_t row, LocalRows& to,
              const std::function<double(double)>& change = std::identity{}) {
  std::vector<std::uint32_t> ids;
  std::vector<float> values;
  for (const PlainEntry& entry : entries_of(from, row)) {
    ids.push_back(entry.id);
    values.push_back(static_cast<float>(change(entry.value)));
  }
  to.push_back(ids, values);
}

// The rows that are members in a lane, as a problem of that lane alone.
Problem part_of(const Problem& problem, std::size_t lane) {
  Problem part;
  part.rows = LocalRows(problem.rows.n_features());
  part.positive_cost = problem.positive_cost;
  const LocalRows& rows = problem.rows;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    if (!problem.is_member(row, lane)) continue;
    copy_row(rows, row, part.rows);
    part.members.push_back(static_cast<LaneBits>(1u << lane));
    part.positives.push_back(problem.positives[row]);
  }
  return part;
}

class LaneSolverLoss : public testing::TestWithParam<Loss> {};
INSTANTIATE_TEST_SUITE_P(Losses, LaneSolverLoss, testing::ValuesIn(kLosses), [](const auto& tested) {
  return std::string(choice_names(Loss{})[static_cast<std::size_t>(tested.param)]);
});

TEST_P(LaneSolverLoss, ReachesTheOptimumOfLiblinearAndOfTheSlowTwin) {
  for (const double cost : {0.1, 1.0, 10.0}) {
    for (const Shape& shape : {Shape{}, Shape{.rows = 40, .features = 300, .row_length = 30},
                               Shape{.rows = 300, .features = 8, .row_length = 5},
                               Shape{.rows = 60, .features = 60, .row_length = 12, .scale = 5}}) {
      Problem problem = random_problem(7, shape);
      leave_out_some(problem, 8);
      for (std::size_t lane = 0; lane < kLanes; ++lane)
        problem.positive_cost[lane] = 0.5f + 0.5f * static_cast<float>(lane);
      const LinearOptions options = exact(GetParam(), cost);
      const AlignedVector<float> found = solve(problem, options);
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        const double least = objective(problem, options, lane, liblinear(problem, options, lane));
        const double twin = objective(problem, options, lane, optimum(problem, options, lane));
        const double lanes = objective(problem, options, lane, lane_of(found, lane));
        EXPECT_NEAR(twin, least, 1e-6 * least) << "lane " << lane << ", cost " << cost;
        EXPECT_NEAR(lanes, least, kSame * least) << "lane " << lane << ", cost " << cost;
      }
    }
  }
}

TEST_P(LaneSolverLoss, FindsTheWeightsOfTheSlowTwin) {
  const Problem problem = random_problem(3, {});
  const LinearOptions options = exact(GetParam());
  const AlignedVector<float> found = solve(problem, options);
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    const Weights expected = optimum(problem, options, lane);
    const Weights weights = lane_of(found, lane);
    for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(weights[i], expected[i], 2e-3);
  }
}

// The default tolerance and passes are meant for pruned weights, not for exact ones.
TEST(LaneSolver, FewPassesComeNearTheOptimum) {
  for (const auto& [passes, near] : {std::pair{20, 0.005}, {LinearOptions().passes, 0.1}}) {
    const LinearOptions options{.passes = passes};
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
      const Problem problem = random_problem(seed, {.rows = 200});
      const AlignedVector<float> found = solve(problem, options, seed);
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        const double above = excess(problem, options, lane, found);
        EXPECT_LT(above, near) << "lane " << lane << " after " << passes << " passes";
        EXPECT_GT(above, -1e-6);
      }
    }
  }
}

TEST(LaneSolver, RowsThatAreNoMembersMightAsWellBeMissing) {
  Problem problem = random_problem(11, {});
  leave_out_some(problem, 12);
  const AlignedVector<float> all = solve(problem, exact());
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    const Problem part = part_of(problem, lane);
    const double alone = objective(part, exact(), lane, lane_of(solve(part, exact()), lane));
    EXPECT_NEAR(objective(part, exact(), lane, lane_of(all, lane)), alone, kSame * alone) << "lane " << lane;
  }
}

// The order of visits depends on all lanes, so the bits may differ, but not what is reached.
TEST(LaneSolver, WhatOtherLanesHoldDoesNotMatter) {
  const Problem full = random_problem(13, {});
  for (const LinearOptions& options : {exact(), LinearOptions{.passes = 20}}) {
    const double near = options.passes > 100 ? kSame : 0.005;
    const AlignedVector<float> together = solve(full, options);
    for (const std::size_t lane : {0u, 5u, 15u}) {
      Problem alone = full;
      for (LaneBits& bits : alone.members) bits = static_cast<LaneBits>(1u << lane);
      Problem others = full;
      for (std::size_t row = 0; row < others.rows.size(); ++row)
        others.positives[row] =
            static_cast<LaneBits>((full.positives[row] & 1u << lane) | (row % 2 != 0 ? ~(1u << lane) : 0));
      for (const AlignedVector<float>& found : {together, solve(alone, options), solve(others, options)}) {
        EXPECT_LT(excess(full, options, lane, found), near) << "lane " << lane;
      }
    }
  }
}

TEST(LaneSolver, LanesWithoutMembersStayAtZero) {
  Problem problem = random_problem(17, {});
  for (LaneBits& bits : problem.members) bits = 0x7ffe;
  const AlignedVector<float> found = solve(problem, {});
  for (const std::size_t lane : {0u, 15u}) EXPECT_EQ(lane_of(found, lane), Weights(61, 0.0));
  for (LaneBits& bits : problem.members) bits = 0;
  EXPECT_EQ(solve(problem, {}), AlignedVector<float>(61 * kLanes, 0.0f));
}

TEST(LaneSolver, NoRowsGiveNoWeights) {
  Problem problem;
  problem.positive_cost.fill(1);
  EXPECT_EQ(solve(problem, {}), AlignedVector<float>(kLanes, 0.0f));
  problem.rows = LocalRows(3);
  EXPECT_EQ(solve(problem, {}), AlignedVector<float>(4 * kLanes, 0.0f));
}

struct EdgeCase {
  std::string name;
  std::function<Problem()> make;
};

TEST(LaneSolver, EdgesReachTheirOptimumToo) {
  const auto with_positives = [](Problem problem, LaneBits bits) {
    for (LaneBits& positives : problem.positives) positives = bits;
    return problem;
  };
  const std::vector<EdgeCase> cases = {
      {"one positive row", [&] { return with_positives(random_problem(1, {.rows = 1}), 0xffff); }},
      {"one negative row", [&] { return with_positives(random_problem(1, {.rows = 1}), 0); }},
      {"no positives", [&] { return with_positives(random_problem(1, {}), 0); }},
      {"all positives", [&] { return with_positives(random_problem(1, {}), 0xffff); }},
      {"one feature", [] { return random_problem(1, {.features = 1, .row_length = 1}); }},
      {"some rows without features",
       [] {
         Problem problem = random_problem(1, {});
         for (int i = 0; i < 10; ++i) {
           problem.rows.push_back({}, {});
           problem.members.push_back(0xffff);
           problem.positives.push_back(static_cast<LaneBits>(0x1234 * i));
         }
         return problem;
       }},
      {"only rows without features",
       [] {
         Problem problem;
         problem.rows = LocalRows(2);
         problem.positive_cost.fill(1);
         for (int i = 0; i < 5; ++i) {
           problem.rows.push_back({}, {});
           problem.members.push_back(0xffff);
           problem.positives.push_back(static_cast<LaneBits>(0x1234 * i));
         }
         return problem;
       }},
      {"zeros and negative values",
       [] {
         Problem problem = random_problem(1, {});
         const LocalRows rows = std::exchange(problem.rows, LocalRows(problem.rows.n_features()));
         std::size_t i = 0;
         for (std::size_t row = 0; row < rows.size(); ++row) {
           copy_row(rows, row, problem.rows, [&](double value) {
             return ++i % 4 == 0 ? 0 : i % 3 == 0 ? -value : value;
           });
         }
         return problem;
       }},
      {"equal rows that disagree",
       [] {
         Problem problem;
         problem.rows = LocalRows(2);
         problem.positive_cost.fill(1);
         for (int i = 0; i < 6; ++i) {
           problem.rows.push_back(std::vector<std::uint32_t>{0, 1}, std::vector<float>{0.6f, 0.8f});
           problem.members.push_back(0xffff);
           problem.positives.push_back(i % 2 != 0 ? 0xff00 : 0x0ff0);
         }
         return problem;
       }},
  };
  for (const EdgeCase& edge : cases) {
    const Problem problem = edge.make();
    const AlignedVector<float> found = solve(problem, exact());
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      EXPECT_LT(excess(problem, exact(), lane, found), kSame) << edge.name << ", lane " << lane;
    }
  }
}

TEST(LaneSolver, SameArgumentsGiveTheSameBytesWhateverTheScratchHeld) {
  const Problem problem = random_problem(19, {});
  const AlignedVector<float> first = solve(problem, {}, 5);
  EXPECT_EQ(solve(problem, {}, 5), first);
  LaneScratch scratch;
  AlignedVector<float> weights;
  const Problem larger = random_problem(20, {.rows = 500, .features = 100});
  solve_lanes(larger.view(), {}, 5, scratch, weights);
  solve_lanes(problem.view(), {}, 5, scratch, weights);
  EXPECT_EQ(weights, first);
  EXPECT_NE(solve(problem, {}, 6), first);  // the order of the visits is another
}

TEST(LaneSolver, MakesNoMorePassesThanAskedOrNeeded) {
  const Problem problem = random_problem(23, {});
  LaneScratch scratch;
  AlignedVector<float> weights;
  for (const int passes : {1, 2, 7}) {
    LinearOptions options = exact();
    options.passes = passes;
    EXPECT_EQ(solve_lanes(problem.view(), options, 1, scratch, weights), passes);
  }
  // Rows that are right by far keep a gradient, which must not keep the solver from stopping.
  EXPECT_LT(solve_lanes(problem.view(), exact(), 1, scratch, weights), 500);
  LinearOptions easy = exact();
  easy.tolerance = 10;  // no gradient is that large
  EXPECT_EQ(solve_lanes(problem.view(), easy, 1, scratch, weights), 1);
}

TEST(ForEachLarge, FindsWhatASlowLoopFinds) {
  constexpr std::size_t kFeatures = 37;
  AlignedVector<float> weights((kFeatures + 1) * kLanes, 9.0f);  // the biases are no features
  Random random(1, {});
  for (std::size_t i = 0; i < kFeatures * kLanes; ++i) {
    weights[i] = random.below(3) == 0 ? 0.0f : static_cast<float>(random.normal());
  }
  weights[5] = 0.5f;
  weights[6] = -0.5f;
  weights[7] = -0.0f;
  weights[8] = std::numeric_limits<float>::denorm_min();
  for (const float least : {0.0f, 0.5f, 2.0f, 100.0f}) {
    std::vector<std::pair<std::size_t, std::size_t>> expected, found;
    for (std::size_t i = 0; i < kFeatures * kLanes; ++i) {
      if (weights[i] != 0 && std::abs(weights[i]) >= least) expected.emplace_back(i / kLanes, i % kLanes);
    }
    for_each_large(weights, kFeatures, least, [&](std::size_t feature, std::size_t lane, float weight) {
      found.emplace_back(feature, lane);
      EXPECT_EQ(weight, weights[feature * kLanes + lane]);
    });
    EXPECT_EQ(found, expected) << "at least " << least;
  }
}

}  // namespace
}  // namespace xylem
