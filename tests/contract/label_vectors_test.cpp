// SPDX-License-Identifier: Apache-2.0
// Vectors of labels, and labels near to a label.
#include <algorithm>
#include <cmath>
#include <functional>

#include "algorithms/row_scaling.h"
#include "contract.h"
#include "core/parallel.h"
#include "kind_of_error.h"
#include "toy_data.h"
#include "xylem/error.h"

namespace xylem {
namespace {

using test::toy_data;

TEST_P(Contract, HasAVectorForEachLabelOrSaysThatItHasNone) {
  Dataset data = toy_data(1);
  scale_to_unit(data.features);
  std::unique_ptr<Model> model;
  with_threads(2, [&] { model = GetParam()->train({data, &data}, GetParam()->parse({}), {}).model; });
  if (!GetParam()->has_label_vectors) {
    EXPECT_EQ(test::kind_of_error([&] { model->label_vectors(); }), ErrorKind::kUsage);
    return;
  }
  const LabelVectors vectors = model->label_vectors();
  EXPECT_GT(vectors.dim, 0u);
  EXPECT_EQ(vectors.values.size(), data.n_labels * vectors.dim);
  for (const float value : vectors.values) EXPECT_TRUE(std::isfinite(value));
  for (const float value : vectors[11]) EXPECT_EQ(value, 0);  // no row has it
}

TEST_P(Contract, FindsLabelsNearToALabelOrSaysThatItCannot) {
  const Tagger tagger = train(toy_data(1));
  if (!GetParam()->has_label_vectors) {
    EXPECT_EQ(test::kind_of_error([&] { tagger.near_labels(0, 5); }), ErrorKind::kUsage);
    return;
  }
  tagger.save(folder_ / "m.xylem", false);
  const Tagger loaded = Tagger::load(folder_ / "m.xylem");
  for (Label label = 0; label < 11; ++label) {
    const TopLabels near = tagger.near_labels(label, 1000);
    ASSERT_EQ(near.size(), 1u);
    std::vector<Label> others = near.labels;
    std::ranges::sort(others);
    std::vector<Label> expected;
    for (Label other = 0; other < 11; ++other) {
      if (other != label) expected.push_back(other);
    }
    EXPECT_EQ(others, expected);
    EXPECT_TRUE(std::ranges::is_sorted(near.scores, std::greater()));
    for (const float cosine : near.scores) EXPECT_LE(std::abs(cosine), 1.0f);
    EXPECT_EQ(loaded.near_labels(label, 1000).labels, near.labels);
    EXPECT_EQ(loaded.near_labels(label, 1000).scores, near.scores);
    EXPECT_EQ(tagger.near_labels(label, 2).labels, std::vector<Label>(near.labels.begin(), near.labels.begin() + 2));
    EXPECT_TRUE(tagger.near_labels(label, 0).labels.empty());
  }
  EXPECT_TRUE(tagger.near_labels(11, 5).labels.empty());
  EXPECT_EQ(test::kind_of_error([&] { tagger.near_labels(12, 5); }), ErrorKind::kUsage);
}

}  // namespace
}  // namespace xylem
