// SPDX-License-Identifier: Apache-2.0
#include "algorithms/explain.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "one_row.h"
#include "xylem/model.h"

namespace xylem {
namespace {

// Label l scores l plus, for each feature f of the row, its value times (f - l); the n best are known.
class ToyModel : public Model {
 public:
  ToyModel(std::size_t n_labels, std::size_t n_known) : n_labels_(n_labels), n_known_(n_known) {}

  static double score(SparseRow row, Label label) {
    double sum = label;
    for (std::size_t i = 0; i < row.size(); ++i)
      sum += row.values[i] * (static_cast<double>(row.ids[i]) - static_cast<double>(label));
    return sum;
  }
  void predict(const RowBlock& block, std::size_t k, Scratch&, TopLabels& out) const override {
    for (std::size_t row = 0; row < block.size(); ++row) {
      std::vector<Label> labels(n_labels_);
      std::iota(labels.begin(), labels.end(), Label{0});
      std::ranges::stable_sort(labels,
                               [&](Label a, Label b) { return score(block.rows[row], a) > score(block.rows[row], b); });
      labels.resize(std::min({k, n_known_, n_labels_}));
      for (const Label label : labels) out.push_back(label, static_cast<float>(score(block.rows[row], label)));
      out.end_row();
    }
  }
  void save(ModelWriter&) const override {}

 private:
  std::size_t n_labels_, n_known_;
};

const std::vector<Feature> kIds = {1, 4, 9};
const std::vector<float> kValues = {0.5f, -0.25f, 0.125f};
const SparseRow kRow = {kIds, kValues};

TEST(Explain, LeavesFeaturesOutOneAtATimeByDefault) {
  const ToyModel model(5, 5);
  Scratch scratch;
  for (Label label = 0; label < 5; ++label) {
    const Explanation found = model.explain(test::OneRow(kRow), label, scratch);
    EXPECT_EQ(found.label, label);
    EXPECT_FLOAT_EQ(static_cast<float>(found.score), static_cast<float>(ToyModel::score(kRow, label)));
    double previous = std::numeric_limits<double>::infinity();
    std::size_t expected_parts = 0;
    for (std::size_t i = 0; i < kIds.size(); ++i) {
      const double part = kValues[i] * (static_cast<double>(kIds[i]) - label);
      if (part == 0) continue;
      ++expected_parts;
      const auto at = std::ranges::find(found.evidence, kIds[i], &Contribution::feature);
      ASSERT_NE(at, found.evidence.end());
      EXPECT_NEAR(at->value, part, 1e-6);
    }
    EXPECT_EQ(found.evidence.size(), expected_parts);
    for (const Contribution& part : found.evidence) {
      EXPECT_LE(std::abs(part.value), previous);
      previous = std::abs(part.value);
    }
    EXPECT_FALSE(found.basis.empty());
  }
}

TEST(Explain, FindsLabelsHoweverFarDown) {
  const ToyModel model(3000, 3000);
  Scratch scratch;
  for (const Label label : {2999u, 2936u, 2935u, 0u}) {  // the best, the last of the first 64, the next, the worst
    const Explanation found = place_label(model, test::OneRow({}), label, scratch);
    EXPECT_EQ(found.rank, 3000u - label);
    EXPECT_EQ(found.score, label);
  }
}

TEST(Explain, GivesNoRankToLabelsThatPredictMisses) {
  Scratch scratch;
  for (const std::size_t n_known : {10u, 63u, 64u, 65u, 512u}) {
    const Explanation found = place_label(ToyModel(600, n_known), test::OneRow({}), 0, scratch);
    EXPECT_FALSE(found.rank) << n_known;
    EXPECT_EQ(found.score, 0);
  }
  const Explanation found = ToyModel(600, 10).explain(test::OneRow(kRow), 3, scratch);
  EXPECT_FALSE(found.rank);
  EXPECT_TRUE(found.evidence.empty());
}

TEST(Explain, OrdersEvidenceBySizeAndThenByFeature) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  std::vector<Contribution> evidence = {{7, 1}, {3, -2}, {9, 0}, {2, -1}, {8, nan}, {1, 0.5}};
  order_evidence(evidence);
  std::vector<Feature> features;
  for (const Contribution& part : evidence) features.push_back(part.feature);
  EXPECT_EQ(features, (std::vector<Feature>{3, 2, 7, 1}));
}

}  // namespace
}  // namespace xylem
