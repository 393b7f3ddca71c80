// SPDX-License-Identifier: Apache-2.0
#include "methods/mnn/averaging_nets.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "methods/neighbours/member.h"
#include "toy_data.h"

namespace xylem::mnn {
namespace {

using Eigen::Index;

NetsOptions small_nets() {
  NetsOptions options;
  options.dim = 12;
  options.batch = 32;
  return options;
}

// The mean cosine of rows with their label sets.
float match(const neighbours::Encoder& encoder, const Dataset& data) {
  Matrix hidden, rows;
  encoder.embed(data.features.rows(), hidden, rows);
  const Array<float> vectors = encoder.label_vectors();
  const MatrixView labels(vectors.data(), static_cast<Index>(data.n_labels), static_cast<Index>(encoder.dim()));
  float sum = 0;
  for (std::size_t row = 0; row < data.size(); ++row) {
    Matrix set = Matrix::Zero(1, labels.cols());
    for (const Label label : data.labels[row]) set += labels.row(label);
    set.rowwise().normalize();
    sum += rows.row(static_cast<Index>(row)).dot(set.row(0));
  }
  return sum / static_cast<float>(data.size());
}

TEST(NetsTrainer, BringsRowsToTheirLabelSets) {
  const Dataset data = test::toy_data(1);
  const auto order = rows_with_labels(data);
  for (const OptimiserKind kind : {OptimiserKind::kSgd, OptimiserKind::kAdagrad, OptimiserKind::kAdam}) {
    OptimiserOptions optimiser;
    optimiser.optimiser = kind;
    NetsTrainer trainer(data, small_nets(), optimiser, 1);
    const double rate = kind == OptimiserKind::kSgd ? 1 : kind == OptimiserKind::kAdagrad ? 0.1 : 0.01;
    const double first = trainer.epoch(order, 1, rate, {});
    double last = first;
    for (std::size_t epoch = 2; epoch <= 20; ++epoch) last = trainer.epoch(order, epoch, rate, {});
    EXPECT_LT(last, 0.6 * first);
    EXPECT_GT(match(*trainer.encoder(), data), 0.5f);
  }
}

TEST(NetsTrainer, GoesOnFromWhatWasSaved) {
  const Dataset data = test::toy_data(1);
  const auto order = rows_with_labels(data);
  NetsTrainer undisturbed(data, small_nets(), {}, 1), resumed(data, small_nets(), {}, 2);
  undisturbed.epoch(order, 1, 0.01, {});
  std::string bytes;
  undisturbed.save(bytes);
  undisturbed.encoder()->save(bytes);
  std::string_view rest = bytes;
  resumed.load(rest);
  const auto encoder = resumed.load_encoder(rest);
  EXPECT_TRUE(rest.empty());
  EXPECT_EQ(match(*encoder, data), match(*undisturbed.encoder(), data));
  std::string again, expected;
  resumed.encoder()->save(again);
  undisturbed.encoder()->save(expected);
  EXPECT_EQ(again, expected);
}

TEST(AveragingNet, SumsFeaturesWithTheirValues) {
  Matrix table(3, 2);
  table << 1, 0, 0, 1, 5, 5;
  const AveragingNet net(PackedVectors(table, Precision::kFloat), {});
  const std::vector<Feature> ids = {0, 1, 7};  // the last is not in the table
  const std::vector<float> values = {3, 4, 9};
  SparseMatrix rows;
  rows.push_back({ids, values});
  rows.push_back({});
  Matrix hidden, out;
  net.embed(rows.rows(), hidden, out);
  EXPECT_NEAR(out(0, 0), 0.6f, 1e-6f);
  EXPECT_NEAR(out(0, 1), 0.8f, 1e-6f);
  EXPECT_EQ(out.row(1), Matrix::Zero(1, 2));
}

TEST(NetsTrainer, KnowsNothingOfLabelsWithoutRows) {
  Dataset data = test::toy_data(1);
  data.n_labels += 2;
  const NetsTrainer trainer(data, small_nets(), {}, 1);
  const Array<float> labels = trainer.encoder()->label_vectors();
  EXPECT_TRUE(std::ranges::all_of(labels.span().last(24), [](float value) { return value == 0; }));
  EXPECT_NE(labels[0], 0);
}

}  // namespace
}  // namespace xylem::mnn
