// SPDX-License-Identifier: Apache-2.0
#include "methods/parabel/explain.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>

#include "algorithms/row_scaling.h"
#include "core/parallel.h"
#include "one_row.h"
#include "toy_data.h"
#include "xylem/method.h"

namespace xylem {
namespace {

const test::ToyShape kShape = {.rows = 600, .labels = 40};

// Models of deep trees. The beam is no part of training: models that differ in it have the same trees.
std::unique_ptr<Model> train(const char* beam_width, const char* trees = "2") {
  Dataset data = test::toy_data(1, kShape);
  scale_to_unit(data.features);
  const Settings settings = {
      {"trees", trees}, {"arity", "3"}, {"max_leaf", "2"}, {"beam_width", beam_width}, {"score_power", "1.5"}};
  const Method& method = find_method("parabel");
  std::unique_ptr<Model> model;
  with_threads(2, [&] { model = method.train({data}, method.parse(settings), {}).model; });
  return model;
}

SparseMatrix rows_to_explain() {
  SparseMatrix rows = test::toy_data(2, {.rows = 5, .labels = 40}).features;
  scale_to_unit(rows);
  return rows;
}

struct PlainRow {
  std::vector<Feature> ids;
  std::vector<float> values;

  explicit PlainRow(SparseRow row)
      : ids(row.ids.begin(), row.ids.end()), values(row.values.begin(), row.values.end()) {}
  PlainRow without(Feature feature) const {
    PlainRow rest = *this;
    const auto at = std::ranges::find(ids, feature) - ids.begin();
    rest.ids.erase(rest.ids.begin() + at);
    rest.values.erase(rest.values.begin() + at);
    return rest;
  }
  SparseRow row() const { return {ids, values}; }
};

double sum_of(const std::vector<Contribution>& evidence) {
  double sum = 0;
  for (const Contribution& part : evidence) sum += part.value;
  return sum;
}

TEST(ParabelExplain, BiasAndEvidenceAddUpToTheMarginOfEachStep) {
  const auto model = train("10");
  const SparseMatrix rows = rows_to_explain();
  Scratch scratch;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    for (Label label = 0; label < kShape.labels - 1; ++label) {
      const Explanation found = model->explain(test::OneRow(rows[row]), label, scratch);
      ASSERT_EQ(found.paths.size(), 2u);
      double margins = 0;
      for (const TreePath& path : found.paths) {
        double product = 1;
        for (const PathStep& step : path.steps) {
          EXPECT_NEAR(step.bias + sum_of(step.evidence), step.margin, 1e-9);
          EXPECT_NEAR(step.score, std::exp(-std::pow(std::max(0.0, 1 - step.margin), 1.5)), 1e-9);
          margins += step.margin;
          product *= &step == &path.steps.back() ? step.score : std::pow(step.score, 0.3);  // path_weight
        }
        EXPECT_NEAR(path.score, product, 1e-9);
      }
      EXPECT_NEAR(found.bias + sum_of(found.evidence), margins / 2, 1e-9);
    }
  }
}

// The slow twin of a contribution: the margin without the feature.
TEST(ParabelExplain, AFeatureLeftOutTakesItsContributionAlong) {
  const auto model = train("10");
  const SparseMatrix rows = rows_to_explain();
  Scratch scratch;
  for (const Label label : {0u, 7u, 20u}) {
    const PlainRow row(rows[1]);
    const Explanation whole = model->explain(test::OneRow(row.row()), label, scratch);
    for (const Feature feature : row.ids) {
      const PlainRow rest = row.without(feature);
      const Explanation less = model->explain(test::OneRow(rest.row()), label, scratch);
      for (std::size_t tree = 0; tree < 2; ++tree) {
        ASSERT_EQ(less.paths[tree].steps.size(), whole.paths[tree].steps.size());
        for (std::size_t i = 0; i < whole.paths[tree].steps.size(); ++i) {
          const PathStep& step = whole.paths[tree].steps[i];
          const auto part = std::ranges::find(step.evidence, feature, &Contribution::feature);
          const double contribution = part == step.evidence.end() ? 0 : part->value;
          EXPECT_NEAR(step.margin - less.paths[tree].steps[i].margin, contribution, 1e-9);
        }
      }
    }
  }
}

TEST(ParabelExplain, PathsLeadFromAllLabelsToTheOne) {
  const auto model = train("10");
  const SparseMatrix rows = rows_to_explain();
  Scratch scratch;
  for (Label label = 0; label < kShape.labels - 1; ++label) {
    const Explanation found = model->explain(test::OneRow(rows[0]), label, scratch);
    for (std::size_t tree = 0; tree < 2; ++tree) {
      const TreePath& path = found.paths[tree];
      EXPECT_EQ(path.tree, tree);
      ASSERT_GE(path.steps.size(), 3u);
      std::size_t above = kShape.labels - 1;
      for (const PathStep& step : path.steps) {
        EXPECT_LE(step.labels.size(), above);
        EXPECT_TRUE(std::ranges::is_sorted(step.labels));
        EXPECT_TRUE(std::ranges::binary_search(step.labels, label));
        above = step.labels.size();
      }
      EXPECT_LT(path.steps.front().labels.size(), kShape.labels - 1);
      EXPECT_EQ(path.steps.back().labels, std::vector<Label>{label});
    }
  }
}

// A beam as wide as the tree misses nothing: what it finds is what the label's own path must give.
TEST(ParabelExplain, LabelsThatTheBeamMissesGetTheScoreOfAWideBeam) {
  for (const char* trees : {"1", "3"}) {
    const auto narrow = train("1", trees);
    const auto wide = train("100000", trees);
    const SparseMatrix rows = rows_to_explain();
    Scratch scratch;
    std::size_t missed = 0, missed_in_some_trees = 0;
    for (std::size_t row = 0; row < rows.size(); ++row) {
      TopLabels top;
      narrow->predict(rows.rows().slice(row, 1), kShape.labels, scratch, top);
      for (Label label = 0; label < kShape.labels - 1; ++label) {
        const Explanation found = narrow->explain(test::OneRow(rows[row]), label, scratch);
        const Explanation expected = wide->explain(test::OneRow(rows[row]), label, scratch);
        EXPECT_TRUE(std::ranges::all_of(expected.paths, &TreePath::reached));
        const auto at = std::ranges::find(top.labels, label);
        const auto reached = std::ranges::count_if(found.paths, &TreePath::reached);
        EXPECT_EQ(found.rank.has_value(), at != top.labels.end());
        EXPECT_EQ(found.rank.has_value(), reached > 0);
        double score_where_reached = 0;
        for (const TreePath& path : found.paths) {
          if (path.reached) score_where_reached += path.score / static_cast<double>(found.paths.size());
        }
        if (found.rank) {
          EXPECT_EQ(found.score, static_cast<double>(top.scores[static_cast<std::size_t>(at - top.labels.begin())]));
          EXPECT_NEAR(found.score, score_where_reached, 1e-5);
          missed_in_some_trees += reached < static_cast<std::ptrdiff_t>(found.paths.size());
        } else {
          EXPECT_NEAR(found.score, expected.score, 1e-5);
          ++missed;
        }
      }
    }
    EXPECT_GT(missed, 0u);
    EXPECT_EQ(missed_in_some_trees > 0, std::string(trees) != "1");
  }
}

TEST(ParabelExplain, ALabelWithoutRowsHasNoPath) {
  Scratch scratch;
  const Explanation found =
      train("10")->explain(test::OneRow(rows_to_explain()[0]), static_cast<Label>(kShape.labels - 1), scratch);
  EXPECT_EQ(found.score, 0);
  EXPECT_TRUE(found.paths.empty());
  EXPECT_TRUE(found.evidence.empty());
  EXPECT_EQ(found.basis, "no row that the model learned from has this label");
}

TEST(ParabelExplain, FeaturesThatTrainingNeverSawBringNothing) {
  const auto model = train("10");
  Scratch scratch;
  const std::vector<Feature> ids = {2, 5000, 4'000'000'000};
  const std::vector<float> values = {0.6f, 0.6f, 0.5f};
  const Explanation found = model->explain(test::OneRow({ids, values}), 0, scratch);
  for (const Contribution& part : found.evidence) EXPECT_EQ(part.feature, 2u);
}

}  // namespace
}  // namespace xylem
