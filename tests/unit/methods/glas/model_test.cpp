// SPDX-License-Identifier: Apache-2.0
#include "methods/glas/model.h"

#include <gtest/gtest.h>

#include <cmath>

#include "algorithms/predict.h"
#include "algorithms/row_scaling.h"
#include "core/parallel.h"
#include "folder.h"
#include "methods/glas/glas.h"
#include "model_file/reader.h"
#include "model_file/writer.h"
#include "one_row.h"
#include "toy_data.h"
#include "xylem/error.h"
#include "xylem/metrics.h"

namespace xylem::glas {
namespace {

Dataset unit_toy(std::uint64_t seed, const test::ToyShape& shape = {}) {
  Dataset data = test::toy_data(seed, shape);
  scale_to_unit(data.features);
  return data;
}

std::unique_ptr<Model> train(const Dataset& data, Settings settings) {
  settings.try_emplace("epochs", "40");
  settings.try_emplace("dim", "24");
  settings.try_emplace("rate", "0.01");
  std::unique_ptr<Model> model;
  with_threads(2, [&] { model = glas_method.train({data}, glas_method.parse(settings), {}).model; });
  return model;
}

TopLabels predict(const Model& model, const Dataset& data, std::size_t k) {
  return predict_rows(model, data.features.rows(), RowScale::kAsGiven, k, {});
}

double precision(const Model& model, const Dataset& data) {
  return evaluate(data.labels, predict(model, data, 1), {}, {.ks = {1}, .bootstrap = 0}).figure("P@1").value;
}

// Above one half for the label that is meant, below for most others.
TEST(GlasModel, ScoresAreProbabilitiesWithBceAndSoftmax) {
  const Dataset data = unit_toy(1), test = unit_toy(2);
  for (const char* loss : {"bce", "softmax"}) {
    const TopLabels top = predict(*train(data, {{"loss", loss}}), test, 12);
    double first = 0, last = 0;
    for (std::size_t row = 0; row < top.size(); ++row) {
      const auto scores = top.row_scores(row);
      EXPECT_LE(scores.front(), 1);
      EXPECT_GE(scores.back(), 0);
      first += static_cast<double>(scores.front());
      last += static_cast<double>(scores[6]);
    }
    EXPECT_GT(first, 0.5 * static_cast<double>(top.size())) << loss;
    EXPECT_LT(last, 0.3 * static_cast<double>(top.size())) << loss;
  }
}

TEST(GlasModel, LearnsWithEveryLossAndRegulariser) {
  const Dataset data = unit_toy(1), test = unit_toy(2);
  for (const char* loss : {"bce", "softmax", "margin", "mining"}) {
    EXPECT_GT(precision(*train(data, {{"loss", loss}, {"scale", "10"}}), test), 85) << loss;
  }
  for (const char* regulariser : {"glas", "spread-out", "laplacian", "gravity"}) {
    EXPECT_GT(precision(*train(data, {{"regulariser", regulariser}, {"lambda", "1"}}), test), 85) << regulariser;
  }
  EXPECT_GT(precision(*train(data, {{"full_labels", "2"}, {"negatives", "2"}, {"batch", "4"}}), test), 85);
  EXPECT_GT(precision(*train(data, {{"hidden", "20"}, {"weight_norm", "yes"}, {"embedding", "relu"}}), test), 85);
  EXPECT_GT(precision(*train(data, {{"label_start", "random"}, {"bias", "no"}, {"learn_scale", "no"}}), test), 85);
}

// Nothing is known of the others of such a row, because there are none.
TEST(GlasModel, StandsRowsThatHaveEveryLabel) {
  Dataset data;
  data.n_labels = 2;
  for (Label row = 0; row < 40; ++row) {
    const Feature feature = row % 3;
    const float value = 1;
    data.features.push_back({{&feature, 1}, {&value, 1}});
    if (feature < 2) data.labels.push_back(std::vector<Label>{feature});
    if (feature == 2) data.labels.push_back(std::vector<Label>{0, 1});
  }
  data.features.n_columns = 3;
  EXPECT_GT(precision(*train(data, {{"batch", "8"}}), data), 99);
}

TEST(GlasModel, FewerBytesChangeScoresALittle) {
  const Dataset data = unit_toy(1), test = unit_toy(2);
  const TopLabels exact = predict(*train(data, {}), test, 12);
  for (const auto& [precision, most] : {std::pair("bf16", 0.02), std::pair("int8", 0.05)}) {
    const auto model = train(data, {{"precision", precision}, {"table_precision", precision}});
    const TopLabels top = predict(*model, test, 12);
    ASSERT_EQ(top.size(), exact.size());
    for (std::size_t row = 0; row < top.size(); ++row) {
      EXPECT_NEAR(top.row_scores(row)[0], exact.row_scores(row)[0], most);
    }
  }
}

TEST(GlasModel, FindsTheSameInAllCellsAsWithoutCells) {
  const Dataset data = unit_toy(1), test = unit_toy(2);
  const TopLabels exact = predict(*train(data, {}), test, 5);
  const TopLabels in_all = predict(*train(data, {{"cells", "4"}, {"probes", "4"}}), test, 5);
  EXPECT_EQ(in_all.labels, exact.labels);
  EXPECT_EQ(in_all.scores, exact.scores);
  const TopLabels in_two = predict(*train(data, {{"cells", "4"}, {"probes", "2"}}), test, 1);
  std::size_t same = 0;
  for (std::size_t row = 0; row < test.size(); ++row) same += in_two.labels[row] == exact.row_labels(row)[0];
  EXPECT_GT(same, test.size() * 8 / 10);
}

TEST(GlasModel, CellsFollowFromTheNumberOfLabels) {
  GlasOptions options;
  EXPECT_EQ(cell_count(options, 19'999), 1u);
  EXPECT_EQ(cell_count(options, 20'000), 312u);
  EXPECT_EQ(cell_count(options, 1'000'000), 512u);
  options.cells = 7;
  EXPECT_EQ(cell_count(options, 10), 7u);
  EXPECT_EQ(dynamic_cast<const GlasModel&>(*train(unit_toy(1), {})).options().cells, 1);
  EXPECT_EQ(dynamic_cast<const GlasModel&>(*train(unit_toy(1), {})).options().probes, 1);
}

TEST(GlasModel, ChoosesProbesThatFindTheBest) {
  const Dataset data = unit_toy(1, {.rows = 1500, .labels = 120}), test = unit_toy(2, {.rows = 500, .labels = 120});
  const TopLabels exact = predict(*train(data, {{"epochs", "5"}, {"cells", "1"}}), test, 5);
  std::vector<int> probes;
  for (const int threads : {1, 3}) {
    with_threads(threads, [&] {
      const Trained trained = glas_method.train(
          {data}, glas_method.parse({{"epochs", "5"}, {"dim", "24"}, {"rate", "0.01"}, {"cells", "20"}}), {});
      probes.push_back(dynamic_cast<const GlasModel&>(*trained.model).options().probes);
      EXPECT_EQ(trained.chosen.at("cells"), "20");
      EXPECT_EQ(trained.chosen.at("probes"), std::to_string(probes.back()));
      const TopLabels top = predict(*trained.model, test, 5);
      std::size_t hits = 0;
      for (std::size_t row = 0; row < test.size(); ++row) {
        for (const Label label : top.row_labels(row)) hits += std::ranges::count(exact.row_labels(row), label);
      }
      EXPECT_GT(hits, exact.labels.size() * 98 / 100);
    });
  }
  EXPECT_EQ(probes[0], probes[1]);
  EXPECT_GT(probes[0], 1);
  EXPECT_LT(probes[0], 20);
}

TEST(GlasModel, CellsAndProbesAreChecked) {
  const Dataset data = unit_toy(1);
  for (const char* name : {"cells", "probes"}) {
    for (const char* value : {"-1", "1000001"}) EXPECT_THROW(train(data, {{name, value}}), Error);
  }
  const auto model = train(data, {});
  const auto& glas = dynamic_cast<const GlasModel&>(*model);
  const test::Folder folder;
  for (int GlasOptions::*number : {&GlasOptions::cells, &GlasOptions::probes}) {
    GlasOptions options = glas.options();
    options.*number = 0;
    ModelWriter writer;
    writer.text("method", "glas");
    GlasModel(glas.parts(), glas.shape(), options).save(writer);
    writer.write(folder / "model.xylem", IfExists::kReplace);
    ModelReader reader(folder / "model.xylem");
    EXPECT_THROW(load_model(reader, glas.shape()), Error);
  }
}

TEST(GlasModel, TailRaisesRareLabels) {
  Dataset data = unit_toy(1);
  const auto plain = train(data, {{"tail", "0"}}), raised = train(data, {{"tail", "1"}});
  const auto counts = label_counts(data);
  const auto& of_plain = dynamic_cast<const GlasModel&>(*plain);
  const auto& of_raised = dynamic_cast<const GlasModel&>(*raised);
  const double most = std::ranges::max(counts);
  for (Label label = 0; label < 11; ++label) {
    const float scale = of_plain.parts().scale;
    const double change = static_cast<double>(scale * (of_raised.vector_of(label)[24] - of_plain.vector_of(label)[24]));
    EXPECT_NEAR(change, std::log(most / counts[label]), 1e-4);
  }
}

// The slope at the row: so the words whose absence takes most away are those it names.
// With a loss whose scores are shown as they are.
TEST(GlasModel, ExplainsWhatLeavingWordsOutWouldDo) {
  const Dataset data = unit_toy(1);
  for (const char* hidden : {"0", "16"}) {
    const auto model = train(data, {{"loss", "margin"}, {"hidden", hidden}});
    Scratch scratch;
    double agreement = 0, size_of_slopes = 0, size_of_absences = 0;
    std::size_t same_first = 0, n_first = 0;
    for (std::size_t row = 0; row < 60; ++row) {
      const Label label = data.labels[row].front();
      const Explanation slopes = model->explain(test::OneRow(data.features[row]), label, scratch);
      const Explanation absences = model->Model::explain(test::OneRow(data.features[row]), label, scratch);
      EXPECT_EQ(slopes.score, absences.score);
      for (const Contribution& a : slopes.evidence) {
        for (const Contribution& b : absences.evidence) {
          if (a.feature != b.feature) continue;
          agreement += a.value * b.value;
          size_of_slopes += a.value * a.value;
          size_of_absences += b.value * b.value;
        }
      }
      ++n_first;
      same_first += slopes.evidence.front().feature == absences.evidence.front().feature;
    }
    EXPECT_GT(agreement / std::sqrt(size_of_slopes * size_of_absences), 0.9);
    EXPECT_GT(same_first, n_first / 2);
  }
}

TEST(GlasModel, HasVectorsOfLengthOne) {
  const Dataset data = unit_toy(1);
  const auto model = train(data, {{"cells", "3"}, {"probes", "3"}});
  const LabelVectors vectors = model->label_vectors();
  ASSERT_EQ(vectors.dim, 24u);
  for (Label label = 0; label < 11; ++label) {
    double square = 0;
    for (const float value : vectors[label]) square += static_cast<double>(value) * static_cast<double>(value);
    EXPECT_NEAR(square, 1, 1e-4);
  }
}

}  // namespace
}  // namespace xylem::glas
