// SPDX-License-Identifier: Apache-2.0
#include "methods/rank_ae/trainer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "toy_data.h"

namespace xylem::rank_ae {
namespace {

using Eigen::Index;

NetOptions small_net() {
  NetOptions options;
  options.dim = 5;
  options.code = 4;
  options.hidden = 6;
  options.reduction = 2;
  options.keep = 1;
  options.batch = 32;
  return options;
}

OptimiserOptions plain_sgd() {
  OptimiserOptions options;
  options.optimiser = OptimiserKind::kSgd;
  options.momentum = 0;
  options.weight_decay = 0;
  return options;
}

std::vector<std::uint32_t> first_rows(std::size_t n) {
  std::vector<std::uint32_t> rows(n);
  std::iota(rows.begin(), rows.end(), 0u);
  return rows;
}

double loss_of(Trainer& trainer, std::span<const std::uint32_t> rows, Loss loss) {
  for (Parameters* part : trainer.parameters()) part->begin_epoch(0, 1);
  return trainer.step(rows, loss, 1);
}

// A step of sgd without momentum and with rate 1 takes the gradient off the parameters.
TEST(Trainer, HasTheGradientOfItsDifferences) {
  const Dataset data = test::toy_data(1);
  const auto rows = first_rows(8);
  for (const double decode_labels : {0.0, 0.25, 1.0}) {
    for (const int negatives : {0, 2}) {
      NetOptions options = small_net();
      options.decode_labels = decode_labels;
      options.decode_features = decode_labels < 1;
      options.negatives = negatives;
      options.lambda = 0.5;
      options.loss.margin = 0.3;
      const xylem::Run run;
      const Trainer before({data}, options, plain_sgd(), 1, run);
      Trainer after = before, probe = before;
      for (Parameters* part : after.parameters()) part->begin_epoch(1, 1);
      after.step(rows, Loss::kRank, 1);
      const auto parts = probe.parameters(), parts_after = after.parameters();
      std::size_t n_moved = 0, n_checked = 0, n_wrong = 0;
      for (std::size_t part = 0; part < parts.size(); ++part) {
        const Index n = parts[part]->values().size();
        for (Index i = 0; i < n; i += std::max<Index>(1, n / 40)) {
          constexpr float kStep = 0.002f;
          float& value = parts[part]->values().data()[i];
          const float start = value;
          value = start + kStep;
          const double above = loss_of(probe, rows, Loss::kRank);
          value = start - kStep;
          const double below = loss_of(probe, rows, Loss::kRank);
          value = start;
          const double slope = (above - below) / (2 * static_cast<double>(kStep));
          const auto moved = static_cast<double>(start - parts_after[part]->values().data()[i]);
          ++n_checked;
          n_moved += std::abs(slope) > 0.01 ? 1 : 0;
          n_wrong += std::abs(moved - slope) > 0.02 * std::max(1.0, std::abs(slope)) ? 1 : 0;
        }
      }
      EXPECT_GT(n_moved, 30u);
      EXPECT_LE(n_wrong, n_checked / 50);  // where a unit begins to fire within the step
    }
  }
}

TEST(Trainer, LearnsToRankLabels) {
  const Dataset data = test::toy_data(1);
  const auto order = rows_with_labels(data);
  for (const Loss loss : {Loss::kRank, Loss::kBce}) {
    NetOptions options = small_net();
    options.dim = options.code = options.hidden = 32;
    options.loss.loss = loss;
    options.warmup = 0;
    const xylem::Run run;
    Trainer trainer({data}, options, {}, 1, run);
    const double first = trainer.epoch(order, 1, 0.01, {});
    double last = first;
    for (std::size_t epoch = 2; epoch <= 15; ++epoch) last = trainer.epoch(order, epoch, 0.01, {});
    EXPECT_LT(last, 0.2 * first);
  }
}

// Of the row's own labels, before anything was learned: 1 where they are the best of all.
double share_of_labels_on_top(const Dataset& data, const Net& net) {
  Net::Buffers buffers;
  std::vector<float> scores;
  double on_top = 0, n_rows = 0;
  for (const std::uint32_t row : rows_with_labels(data)) {
    net.hide(data.features.rows().slice(row, 1), buffers);
    net.score(buffers.hidden, 0, data.n_labels, scores);
    const auto best = static_cast<Label>(std::ranges::max_element(scores) - scores.begin());
    on_top += std::ranges::binary_search(data.labels[row], best) ? 1 : 0;
    n_rows += 1;
  }
  return on_top / n_rows;
}

TEST(Trainer, StartsWithLabelsWhereTheirRowsAre) {
  const Dataset data = test::toy_data(1);
  NetOptions options = small_net();
  options.dim = options.code = 64;
  options.hidden = 128;
  const xylem::Run run;
  std::array<double, 2> shares{};
  for (const LabelStart start : {LabelStart::kRandom, LabelStart::kCentroid}) {
    options.label_start = start;
    Trainer trainer({data}, options, {}, 1, run);
    ASSERT_TRUE(trainer.make_candidate());
    trainer.keep_candidate();
    shares[static_cast<std::size_t>(start)] = share_of_labels_on_top(data, *trainer.kept());
  }
  EXPECT_LT(shares[0], 0.3);
  EXPECT_GT(shares[1], 0.6);
}

TEST(Trainer, StartsWithNoDirectionWhereAllRowsAreTheSame) {
  Dataset data = test::toy_data(1);
  const SparseMatrix one = data.features;
  data.features = {};
  data.features.n_columns = one.n_columns;
  for (std::size_t row = 0; row < data.labels.size(); ++row) data.features.push_back(one[0]);
  const xylem::Run run;
  Trainer trainer({data}, small_net(), {}, 1, run);
  EXPECT_TRUE(trainer.make_candidate());
  EXPECT_LT(trainer.parameters()[13]->values().cwiseAbs().maxCoeff(), 1.0f);  // the labels' vectors
}

TEST(Trainer, HasShorterStepsBetweenWordsAndLabels) {
  const Dataset data = test::toy_data(1);
  const auto order = rows_with_labels(data);
  NetOptions options = small_net();
  options.inner_rate = 0;
  const xylem::Run run;
  const Trainer before({data}, options, {}, 1, run);
  Trainer after = before;
  after.epoch(order, 1, 0.01, {});
  const auto parts = before.parameters();
  const auto parts_after = after.parameters();
  // In the order of Trainer::parts: words, attention and layers, and from the labels' table on.
  for (std::size_t part = 0; part < parts.size(); ++part) {
    EXPECT_EQ(parts[part]->values() == parts_after[part]->values(), 1 <= part && part <= 10) << part;
  }
}

TEST(Trainer, BringsTheCodesOfWordsAndLabelsTogether) {
  const Dataset data = test::toy_data(1);
  const auto order = rows_with_labels(data);
  NetOptions options = small_net();
  options.lambda = 0;
  const xylem::Run run;
  Trainer trainer({data}, options, {}, 1, run);
  const double first = trainer.epoch(order, 1, 0.01, {});
  double last = first;
  for (std::size_t epoch = 2; epoch <= 15; ++epoch) last = trainer.epoch(order, epoch, 0.01, {});
  EXPECT_LT(last, 0.1 * first);
}

TEST(Trainer, GoesOnFromWhatWasSaved) {
  const Dataset data = test::toy_data(1);
  const auto order = rows_with_labels(data);
  const xylem::Run run;
  for (const bool with_kept : {false, true}) {
    Trainer undisturbed({data}, small_net(), {}, 1, run), resumed({data}, small_net(), {}, 2, run);
    undisturbed.epoch(order, 1, 0.01, {});
    ASSERT_TRUE(undisturbed.make_candidate());
    undisturbed.keep_candidate();
    std::string bytes, expected, found;
    undisturbed.save(bytes, with_kept);
    std::string_view rest = bytes;
    resumed.load(rest, with_kept);
    EXPECT_TRUE(rest.empty());
    undisturbed.kept()->save(expected);
    resumed.kept()->save(found);
    EXPECT_EQ(found, expected);
  }
}

TEST(NetOptions, BatchesGrowWithTheData) {
  NetOptions options;
  EXPECT_EQ(options.batch_of(300), 32u);
  EXPECT_EQ(options.batch_of(12800), 200u);
  EXPECT_EQ(options.batch_of(1'000'000), 512u);
  options.batch = 7;
  EXPECT_EQ(options.batch_of(300), 7u);
}

TEST(NetOptions, SampleOfVeryManyLabelsOnly) {
  NetOptions options;
  EXPECT_EQ(options.sampled(41218), 0u);
  EXPECT_EQ(options.sampled(670091), 10000u);
  options.negatives = 7;
  EXPECT_EQ(options.sampled(12), 7u);
}

}  // namespace
}  // namespace xylem::rank_ae
