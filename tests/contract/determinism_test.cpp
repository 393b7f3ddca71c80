// SPDX-License-Identifier: Apache-2.0
// The same bytes and predictions for any number of threads.
#include "contract.h"
#include "core/file.h"
#include "toy_data.h"

namespace xylem {
namespace {

using test::toy_data;

TEST_P(Contract, GivesTheSameBytesForAnyNumberOfThreads) {
  const auto bytes = [&](int threads) {
    train(toy_data(1), threads).save(folder_ / "bytes.xylem", true);
    return read_whole_file(folder_ / "bytes.xylem");
  };
  const std::string one = bytes(1);
  for (const int threads : {2, 3, 7}) EXPECT_EQ(bytes(threads), one) << threads << " threads";
}

TEST_P(Contract, PredictsTheSameForAnyNumberOfThreadsAndAnyBlocks) {
  const Dataset test = toy_data(2, {.rows = 600});
  const Tagger tagger = train(toy_data(1));
  xylem::Run one, three;
  one.threads = 1;
  three.threads = 3;
  const TopLabels all = tagger.tag(test.features.rows(), 5, one);
  const TopLabels parallel = tagger.tag(test.features.rows(), 5, three);
  EXPECT_EQ(parallel.labels, all.labels);
  EXPECT_EQ(parallel.scores, all.scores);
  for (std::size_t row = 0; row < 20; ++row) {
    const TopLabels single = tagger.tag(test.features.rows().slice(row, 1), 5, one);
    const auto expected = all.row_labels(row);
    EXPECT_EQ(single.labels, std::vector<Label>(expected.begin(), expected.end()));
    const auto scores = all.row_scores(row);
    EXPECT_EQ(single.scores, std::vector<float>(scores.begin(), scores.end()));
  }
}

}  // namespace
}  // namespace xylem
