// SPDX-License-Identifier: Apache-2.0
#include "methods/rank_ae/trainer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "gradients.h"
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

std::vector<std::uint32_t> first_rows(std::size_t n) {
  std::vector<std::uint32_t> rows(n);
  std::iota(rows.begin(), rows.end(), 0u);
  return rows;
}

double loss_of(Trainer& trainer, std::span<const std::uint32_t> rows, Loss loss) {
  for (Parameters* part : trainer.parameters()) part->begin_epoch(0, 1);
  return trainer.step(rows, loss, 1);
}

struct GradientCase {
  double decode_labels;
  int negatives = 0;
  Loss loss = Loss::kRank;
  bool attention = true;
  double keep = 1, dropout = 0;
};

TEST(Trainer, HasTheGradientOfItsDifferences) {
  const Dataset data = test::toy_data(1);
  const auto rows = first_rows(8);
  for (const GradientCase& test : {GradientCase{0},
                                   {.decode_labels = 0.25, .negatives = 2},
                                   {.decode_labels = 1},
                                   {.decode_labels = 1, .loss = Loss::kBce},
                                   {.decode_labels = 0.5, .attention = false},
                                   {.decode_labels = 0.5, .keep = 0.8, .dropout = 0.3}}) {
    NetOptions options = small_net();
    options.decode_labels = test.decode_labels;
    options.decode_features = test.decode_labels < 1;
    options.negatives = test.negatives;
    options.attention = test.attention;
    options.keep = test.keep;
    options.dropout = test.dropout;
    options.lambda = 5;
    options.loss.margin = 0.3;
    const xylem::Run run;
    const Trainer before({data}, options, kPlain, 1, run);
    Trainer after = before, probe = before;
    for (Parameters* part : after.parameters()) part->begin_epoch(1, 1);
    after.step(rows, test.loss, 1);
    const auto parts = probe.parameters(), parts_after = after.parameters();
    for (std::size_t part = 0; part < parts.size(); ++part) {
      const Index n = parts[part]->values().size();
      std::size_t n_wrong = 0;
      double steepest = 0;
      for (Index i = 0; i < n; i += std::max<Index>(1, n / 40)) {
        constexpr float kStep = 0.002f;
        float& value = parts[part]->values().data()[i];
        const float start = value;
        value = start + kStep;
        const double above = loss_of(probe, rows, test.loss);
        value = start - kStep;
        const double below = loss_of(probe, rows, test.loss);
        value = start;
        const double slope = (above - below) / (2 * static_cast<double>(kStep));
        const auto moved = static_cast<double>(start - parts_after[part]->values().data()[i]);
        steepest = std::max(steepest, std::abs(slope));
        n_wrong += std::abs(moved - slope) > 0.02 * std::max(0.1, std::abs(slope)) ? 1 : 0;
      }
      EXPECT_LE(n_wrong, 1u) << part;  // where a unit begins to fire within the step
      EXPECT_TRUE(n == 0 || steepest > 0.01) << part;
    }
  }
}

// What goes in comes out, if there is room, and with the other sign the second time.
TEST(Trainer, StartsWithLayersThatHandTheirInputOn) {
  const Dataset data = test::toy_data(1);
  const xylem::Run run;
  NetOptions options = small_net();
  options.dim = 4;
  options.code = 4;
  options.hidden = 9;
  const Trainer wider({data}, options, {}, 1, run);
  const Matrix& code = wider.parameters()[Trainer::kFeatureCode]->values();
  const Matrix& hidden = wider.parameters()[Trainer::kHidden]->values();
  EXPECT_LT((code - Matrix::Identity(4, 4)).cwiseAbs().maxCoeff(), 0.1f);
  EXPECT_LT((hidden.leftCols(4) - Matrix::Identity(4, 4)).cwiseAbs().maxCoeff(), 0.1f);
  EXPECT_LT((hidden.middleCols(4, 4) + Matrix::Identity(4, 4)).cwiseAbs().maxCoeff(), 0.1f);
  EXPECT_NEAR(hidden(0, 8), 1, 0.1f);
  options.dim = 5;
  const Trainer narrower({data}, options, {}, 1, run);
  EXPECT_NEAR(narrower.parameters()[Trainer::kFeatureCode]->values()(4, 0), 1, 0.1f);  // the fifth joins the first
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
  EXPECT_LT(trainer.parameters()[Trainer::kLabelVectors]->values().cwiseAbs().maxCoeff(), 1.0f);
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
  for (std::size_t part = 0; part < parts.size(); ++part) {
    EXPECT_EQ(parts[part]->values() == parts_after[part]->values(), Trainer::is_inner(part)) << part;
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
    Trainer undisturbed({data}, small_net(), {}, 1, run), resumed = undisturbed;
    undisturbed.epoch(order, 1, 0.01, {});
    resumed.epoch(order, 1, 0.05, {});  // elsewhere
    ASSERT_TRUE(undisturbed.make_candidate());
    undisturbed.keep_candidate();
    std::string bytes;
    undisturbed.save(bytes, with_kept);
    std::string_view rest = bytes;
    resumed.load(rest, with_kept);
    EXPECT_TRUE(rest.empty());
    std::string expected, found;
    undisturbed.kept()->save(expected);
    resumed.kept()->save(found);
    for (Trainer* trainer : {&undisturbed, &resumed}) {
      trainer->epoch(order, 2, 0.01, {});
      trainer->save(trainer == &resumed ? found : expected, true);
    }
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

TEST(NetOptions, DecodeAShareOfTheLabelsCodes) {
  NetOptions options;
  options.decode_labels = 0.07;
  EXPECT_EQ(options.decoded_labels(100), 7u);
  EXPECT_EQ(options.decoded_labels(101), 8u);
  options.decode_labels = 0;
  EXPECT_EQ(options.decoded_labels(100), 0u);
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
