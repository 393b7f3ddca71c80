// SPDX-License-Identifier: Apache-2.0
#include "methods/dxml/net.h"

#include <gtest/gtest.h>

#include <numeric>

#include "core/parallel.h"
#include "toy_data.h"

namespace xylem::dxml {
namespace {

using Eigen::Index;

NetOptions small_net() {
  NetOptions options;
  options.hidden = 20;
  options.dim = 6;
  options.batch = 32;
  return options;
}

// A target for each label.
Matrix targets_of(const Dataset& data) {
  Random random(5, {});
  Matrix vectors(static_cast<Index>(data.n_labels), 6);
  for (float& value : vectors.reshaped()) value = static_cast<float>(random.normal());
  Matrix targets = Matrix::Zero(static_cast<Index>(data.size()), 6);
  for (std::size_t row = 0; row < data.size(); ++row) {
    for (const Label label : data.labels[row]) targets.row(static_cast<Index>(row)) += vectors.row(label);
  }
  targets.rowwise().normalize();
  return targets;
}

std::vector<std::uint32_t> all_rows(const Dataset& data) {
  std::vector<std::uint32_t> rows(data.size());
  std::iota(rows.begin(), rows.end(), 0u);
  return rows;
}

TEST(NetTrainer, LearnsItsTargets) {
  const Dataset data = test::toy_data(1);
  const Matrix targets = targets_of(data);
  for (const OptimiserKind kind : {OptimiserKind::kSgd, OptimiserKind::kAdagrad, OptimiserKind::kAdam}) {
    for (const bool final_norm : {true, false}) {
      NetOptions options = small_net();
      OptimiserOptions optimiser;
      optimiser.optimiser = kind;
      const double rate = kind == OptimiserKind::kAdam ? 0.01 : 0.1;
      options.final_norm = final_norm;
      NetTrainer trainer(data.features, targets, options, optimiser, 1);
      const double first = trainer.epoch(all_rows(data), 1, rate, {});
      double last = first;
      for (std::size_t epoch = 2; epoch <= 30; ++epoch) {
        last = trainer.epoch(all_rows(data), epoch, rate, {});
      }
      EXPECT_LT(last, 0.6 * first);
      Matrix hidden, embedded;
      trainer.net().embed(data.features.rows(), hidden, embedded);
      EXPECT_GT(embedded.cwiseProduct(targets).sum(), 0.8f * static_cast<float>(data.size()));
    }
  }
}

TEST(NetTrainer, GoesOnFromWhatWasSaved) {
  const Dataset data = test::toy_data(1);
  const Matrix targets = targets_of(data);
  NetTrainer undisturbed(data.features, targets, small_net(), {}, 1),
      resumed(data.features, targets, small_net(), {}, 1);
  undisturbed.epoch(all_rows(data), 1, 0.01, {});
  std::string bytes;
  undisturbed.save(bytes);
  std::string_view rest = bytes;
  resumed.load(rest);
  EXPECT_TRUE(rest.empty());
  EXPECT_EQ(resumed.epoch(all_rows(data), 2, 0.01, {}), undisturbed.epoch(all_rows(data), 2, 0.01, {}));
}

TEST(Net, GivesARowTheSameVectorWhateverRowsAreAskedTogether) {
  const Dataset data = test::toy_data(1);
  NetOptions options = small_net();
  options.hidden = 33;
  const Net net = NetTrainer(data.features, Matrix(), options, {}, 1).net();
  Matrix hidden, all, one;
  net.embed(data.features.rows(), hidden, all);
  for (std::size_t row = 0; row < data.size(); ++row) {
    net.embed(data.features.rows().slice(row, 1), hidden, one);
    EXPECT_EQ(one, all.row(static_cast<Index>(row)));
    EXPECT_NEAR(one.norm(), 1, 1e-5);
  }
  std::string bytes;
  net.save(bytes);
  std::string_view rest = bytes;
  const Net copy(rest, net.shape(), options.activation);
  copy.embed(data.features.rows(), hidden, one);
  EXPECT_EQ(one, all);
}

TEST(Net, PackedGivesNearlyTheSameVectors) {
  const Dataset data = test::toy_data(1);
  const Net net = NetTrainer(data.features, Matrix(), small_net(), {}, 1).net();
  Matrix hidden, expected, found;
  net.embed(data.features.rows(), hidden, expected);
  for (const Precision precision : {Precision::kFloat, Precision::kBf16, Precision::kInt8}) {
    net.packed(precision)->embed(data.features.rows(), hidden, found);
    const float error = (found - expected).cwiseAbs().maxCoeff();
    EXPECT_LT(error, 0.02f);
    EXPECT_EQ(error > 0, precision != Precision::kFloat);
  }
}

}  // namespace
}  // namespace xylem::dxml
