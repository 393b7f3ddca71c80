// SPDX-License-Identifier: Apache-2.0
#include "methods/popular.h"

#include <gtest/gtest.h>

#include "toy_data.h"
#include "xylem/tagger.h"

namespace xylem {
namespace {

TEST(Popular, ExplainsALabelByItsFrequency) {
  Dataset data = test::toy_data(1, {.rows = 40, .labels = 4});
  const auto counts = label_counts(data);
  TrainOptions options;
  options.method = "popular";
  const Tagger tagger = Tagger::train(data, options, {});
  for (Label label = 0; label < 3; ++label) {
    const Explanation found = tagger.explain(data.features[0], label);
    EXPECT_NEAR(found.score, counts[label] / 40.0, 1e-6);
    EXPECT_TRUE(found.rank);
    EXPECT_TRUE(found.evidence.empty());
    EXPECT_NE(found.basis.find(" % of the training rows"), std::string::npos) << found.basis;
  }
  EXPECT_FALSE(tagger.explain(data.features[0], 3).rank);
  EXPECT_EQ(tagger.explain(data.features[0], 3).basis, "no row that the model learned from has this label");
}

}  // namespace
}  // namespace xylem
