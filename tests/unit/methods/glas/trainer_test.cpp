// SPDX-License-Identifier: Apache-2.0
#include "methods/glas/trainer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <numeric>

#include "algorithms/row_scaling.h"
#include "core/parallel.h"
#include "gradients.h"
#include "toy_data.h"

namespace xylem::glas {
namespace {

Dataset small_data() {
  Dataset data = test::toy_data(3, {.rows = 14, .labels = 6, .words_a_label = 3, .common_words = 2});
  scale_to_unit(data.features);
  for (const char* name : {"red fish", "red", "blue fish", "cat", "blue cat", "dog"}) data.label_names.push_back(name);
  return data;
}

GlasOptions plain_options() {
  GlasOptions options;
  options.phi.dim = 3;
  options.keep = 1;
  options.batch = 14;
  options.training.optimiser = kPlain;
  options.training.epochs = 1;
  options.scale = 3;
  options.label_rate = 1;
  return options;
}

// The parameters lie one after the other in a checkpoint, each with what the optimiser remembers behind it.
struct Place {
  std::size_t begin, n;  // floats
};
std::vector<Place> places_of_values(const GlasOptions& options, const Dataset& data, std::size_t n_known,
                                    std::size_t n_words) {
  const auto dim = static_cast<std::size_t>(options.phi.dim), hidden = static_cast<std::size_t>(options.phi.hidden);
  const std::size_t width = hidden > 0 ? hidden : dim;
  const std::pair<std::size_t, std::size_t> shapes[] = {{data.features.n_columns, width},
                                                        {1, width},
                                                        {hidden, dim},
                                                        {hidden > 0 ? 1 : 0, dim},
                                                        {options.phi.weight_norm ? 1 : 0, 1},
                                                        {n_known, dim},
                                                        {options.bias ? n_known : 0, 1},
                                                        {1, 1},
                                                        {n_words, dim}};
  std::vector<Place> places;
  std::size_t begin = 0;
  for (const auto& [rows, columns] : shapes) {
    places.push_back({begin, rows * columns});
    begin += 2 * rows * columns * sizeof(float) + sizeof(std::uint64_t) + rows * sizeof(std::uint32_t);
  }
  return places;
}

// One step of plain gradient descent, against the change of the loss when each parameter changes a little.
void expect_gradients(const GlasOptions& options, float tolerance = 4e-3f) {
  const Dataset data = small_data();
  const KnownLabels known(data);
  const LabelWords words(data.label_names, known.labels);
  const LabelWords* used_words = options.label_text ? &words : nullptr;
  std::vector<std::uint32_t> order(data.size());
  std::iota(order.begin(), order.end(), 0u);
  const auto make = [&] { return Trainer(data, known, used_words, options, 1, {}); };
  const auto bytes_of = [](const Trainer& trainer) {
    std::string bytes;
    trainer.save(bytes, false);
    return bytes;
  };
  Trainer trainer = make();
  const std::string before = bytes_of(trainer);
  trainer.epoch(order, 1, 1, {});
  const std::string after = bytes_of(trainer);
  const auto loss_at = [&](const std::string& bytes) {
    Trainer other = make();
    std::string_view view = bytes;
    other.load(view, false);
    EXPECT_TRUE(view.empty());
    return other.epoch(order, 1, 1, {});
  };
  const auto number_at = [](const std::string& bytes, std::size_t place) {
    float value = 0;
    std::memcpy(&value, bytes.data() + place, sizeof(float));
    return value;
  };
  const auto places = places_of_values(options, data, known.labels.size(), options.label_text ? words.n_words() : 0);
  const std::size_t width = places[0].n / data.features.n_columns;
  for (std::size_t part = 0; part < places.size(); ++part) {
    for (std::size_t i = 0; i < places[part].n; ++i) {
      // Of weight_norm a part of the gradient is left out where a step does not touch a feature.
      const bool touched = std::ranges::count(data.features.ids, static_cast<Feature>(i / width)) > 0;
      if (part == 0 && options.phi.weight_norm && !touched) continue;
      const std::size_t place = places[part].begin + i * sizeof(float);
      constexpr float kLittle = 2e-3f;
      const auto changed = [&](float by) {
        std::string bytes = before;
        const float value = number_at(before, place) + by;
        std::memcpy(bytes.data() + place, &value, sizeof(float));
        return loss_at(bytes);
      };
      const double slope = (changed(kLittle) - changed(-kLittle)) / (2 * static_cast<double>(kLittle));
      EXPECT_NEAR(number_at(before, place) - number_at(after, place), slope, tolerance)
          << "part " << part << ", number " << i;
    }
  }
}

TEST(GlasTrainer, FollowsTheGradientOfEveryLoss) {
  for (const Loss loss : {Loss::kBce, Loss::kSoftmax, Loss::kMargin, Loss::kMining}) {
    GlasOptions options = plain_options();
    options.phi.embedding = EmbeddingKind::kLinear;
    options.loss = {loss, 0.5, 2};
    expect_gradients(options, loss == Loss::kBce || loss == Loss::kSoftmax ? 4e-3f : 2e-2f);
  }
}

TEST(GlasTrainer, FollowsTheGradientOfEveryRegulariser) {
  for (const Regulariser kind :
       {Regulariser::kGlas, Regulariser::kSpreadOut, Regulariser::kLaplacian, Regulariser::kGravity}) {
    GlasOptions options = plain_options();
    options.phi.embedding = EmbeddingKind::kLinear;
    options.regulariser = {kind, 5, Cooccurrence::kJaccard};
    expect_gradients(options);
  }
}

TEST(GlasTrainer, FollowsTheGradientThroughItsLayers) {
  GlasOptions options = plain_options();
  options.phi.embedding = EmbeddingKind::kRelu;
  options.phi.dim = 8;  // so many that no row is cut off in all of them: there φ jumps
  expect_gradients(options, 2e-2f);
  options.phi.hidden = 9;
  expect_gradients(options, 2e-2f);
  options.phi.embedding = EmbeddingKind::kLinear;
  expect_gradients(options);
  options.phi.weight_norm = true;
  expect_gradients(options);
  options.phi.hidden = 0;
  options.bias = false;
  expect_gradients(options);
}

TEST(GlasTrainer, FollowsTheGradientOfNames) {
  GlasOptions options = plain_options();
  options.phi.embedding = EmbeddingKind::kLinear;
  options.label_text = true;
  expect_gradients(options);
  options.full_labels = 0;  // a sample of the labels, of fewer rows
  options.negatives = 1;
  expect_gradients(options);
}

TEST(GlasTrainer, GivesTheSameBytesForAnyNumberOfThreads) {
  Dataset data = test::toy_data(1);
  scale_to_unit(data.features);
  for (std::size_t i = 0; i < data.n_labels; ++i) data.label_names.push_back("label " + std::to_string(i % 5));
  const KnownLabels known(data);
  const LabelWords words(data.label_names, known.labels);
  GlasOptions options;
  options.phi.dim = 20;
  options.phi.weight_norm = true;
  options.batch = 100;
  options.label_text = true;
  options.regulariser.regulariser = Regulariser::kGlas;
  options.label_start = LabelStart::kCentroid;
  options.full_labels = 3;
  options.negatives = 2;
  std::vector<std::uint32_t> order(data.size());
  std::iota(order.begin(), order.end(), 0u);
  std::vector<std::string> bytes(3);
  for (const int threads : {1, 2, 3}) {
    with_threads(threads, [&] {
      Trainer trainer(data, known, &words, options, 1, {});
      for (std::size_t epoch = 1; epoch <= 3; ++epoch) trainer.epoch(order, epoch, 0.01, {});
      trainer.make_candidate();
      trainer.keep_candidate();
      trainer.save(bytes[static_cast<std::size_t>(threads - 1)], true);
    });
  }
  EXPECT_EQ(bytes[1], bytes[0]);
  EXPECT_EQ(bytes[2], bytes[0]);
}

TEST(GlasTrainer, StartsFromTheCentroidsOfLabels) {
  Dataset data = test::toy_data(1);
  scale_to_unit(data.features);
  const KnownLabels known(data);
  GlasOptions options;
  options.phi.embedding = EmbeddingKind::kLinear;
  options.phi.dim = 64;
  options.label_start = LabelStart::kCentroid;
  Trainer trainer(data, known, nullptr, options, 1, {});
  trainer.make_candidate();
  trainer.keep_candidate();
  const TrainedWeights learned = trainer.take_kept();
  const Phi phi(learned.phi, options.phi.embedding, Precision::kFloat);
  PhiScratch scratch;
  Matrix embedded;
  phi.embed(data.features.rows(), scratch, embedded);
  const Matrix cosines = embedded * learned.labels.transpose();
  float own = 0;
  for (std::size_t row = 0; row < data.size(); ++row) {
    for (const Label label : known.of_rows[row]) own += cosines(static_cast<Eigen::Index>(row), label);
  }
  EXPECT_GT(own / static_cast<float>(known.of_rows.ids.size()), 0.3f + cosines.mean());
}

TEST(KnownLabels, AreThoseWithRows) {
  Dataset data = small_data();
  const KnownLabels known(data);
  EXPECT_EQ(known.labels, (std::vector<Label>{0, 1, 2, 3, 4}));
  data.labels.ids.assign(data.labels.ids.size(), 3);
  const KnownLabels one(data);
  EXPECT_EQ(one.labels, std::vector<Label>{3});
  EXPECT_EQ(one.counts, std::vector<std::uint32_t>{static_cast<std::uint32_t>(data.labels.ids.size())});
  EXPECT_EQ(std::ranges::count(one.of_rows.ids, 0u), static_cast<std::ptrdiff_t>(data.labels.ids.size()));
}

}  // namespace
}  // namespace xylem::glas
