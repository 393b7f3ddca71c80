// SPDX-License-Identifier: Apache-2.0
// Explanations agree with predictions.
#include <algorithm>

#include "algorithms/row_scaling.h"
#include "contract.h"
#include "core/parallel.h"
#include "toy_data.h"

namespace xylem {
namespace {

using test::toy_data;

TEST_P(Contract, ExplainsScoresAndRanksAsItPredictsThem) {
  const Tagger tagger = train(toy_data(1));
  const Dataset test = toy_data(2, {.rows = 10});
  const TopLabels top = tagger.tag(test.features.rows(), 12, {});
  for (std::size_t row = 0; row < test.size(); ++row) {
    const auto labels = top.row_labels(row);
    for (Label label = 0; label < 12; ++label) {
      const Explanation found = tagger.explain(test.features[row], label);
      EXPECT_EQ(found.label, label);
      expect_finite(found);
      const auto place = static_cast<std::size_t>(std::ranges::find(labels, label) - labels.begin());
      if (place < labels.size()) {
        EXPECT_EQ(found.rank, place + 1);
        EXPECT_EQ(found.score, static_cast<double>(top.row_scores(row)[place]));
      } else {
        EXPECT_FALSE(found.rank);
      }
    }
  }
}

TEST_P(Contract, ExplainsTheSameWayAfterSavingAndLoading) {
  const Tagger tagger = train(toy_data(1));
  tagger.save(folder_ / "m.xylem", false);
  const Tagger loaded = Tagger::load(folder_ / "m.xylem");
  const Dataset test = toy_data(2, {.rows = 3});
  for (std::size_t row = 0; row < test.size(); ++row) {
    for (Label label = 0; label < 12; ++label) {
      const Explanation before = tagger.explain(test.features[row], label);
      const Explanation after = loaded.explain(test.features[row], label);
      EXPECT_EQ(after.score, before.score);
      EXPECT_EQ(after.rank, before.rank);
      EXPECT_EQ(after.basis, before.basis);
      ASSERT_EQ(after.evidence.size(), before.evidence.size());
      for (std::size_t i = 0; i < before.evidence.size(); ++i) {
        EXPECT_EQ(after.evidence[i].feature, before.evidence[i].feature);
        EXPECT_EQ(after.evidence[i].value, before.evidence[i].value);
      }
      EXPECT_EQ(after.paths.size(), before.paths.size());
      EXPECT_EQ(after.neighbours.size(), before.neighbours.size());
    }
  }
}

TEST_P(Contract, ExplainsEmptyRowsUnseenFeaturesAndZeros) {
  const Tagger tagger = train(toy_data(1));
  const std::vector<Feature> unseen = {1000, 4'000'000'000};
  const std::vector<Feature> known = {0, 1};
  for (Label label = 0; label < 12; ++label) {
    expect_finite(tagger.explain(SparseRow{}, label));
    expect_finite(tagger.explain({unseen, std::vector<float>{1, 2}}, label));
    for (const float value : {0.0f, 3e38f, 1e-45f, -1.0f}) {
      expect_finite(tagger.explain({known, std::vector<float>{value, value}}, label));
    }
  }
}

// What a method says that does not know better.
TEST_P(Contract, CanBeExplainedByLeavingFeaturesOut) {
  Dataset data = toy_data(1);
  scale_to_unit(data.features);
  std::unique_ptr<Model> model;
  with_threads(2, [&] { model = GetParam()->train({data, &data}, GetParam()->parse({}), {}).model; });
  const RowBlock row = data.features.rows().slice(0, 1);
  Scratch scratch;
  for (Label label = 0; label < 12; ++label) {
    const Explanation found = model->Model::explain(row, label, scratch);
    expect_finite(found);
    const Explanation known = model->explain(row, label, scratch);
    EXPECT_EQ(found.rank, known.rank);
    EXPECT_EQ(found.score, found.rank ? known.score : 0);
  }
}

}  // namespace
}  // namespace xylem
