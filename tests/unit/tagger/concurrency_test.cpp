// SPDX-License-Identifier: Apache-2.0
// Many callers at once, each with its own number of threads, while a training runs.
#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "toy_data.h"
#include "xylem/tagger.h"

namespace xylem {
namespace {

Tagger train_with(const std::string& method, const Settings& settings, int threads) {
  TrainOptions options;
  options.method = method;
  options.settings = settings;
  Run run;
  run.threads = threads;
  return Tagger::train(test::toy_data(1), options, run);
}

TopLabels answers_of(const Tagger& tagger, const Dataset& rows, int threads) {
  Run run;
  run.threads = threads;
  return tagger.tag(rows.features.rows(), 3, run);
}

TEST(Concurrency, CallersWithDifferentLimitsGetEqualAnswersBesideATraining) {
  const Settings network = {{"hidden", "32"}, {"dim", "16"}, {"epochs", "4"}, {"learners", "1"}};
  const Tagger tagger = train_with("parabel", {}, 1);
  const Dataset rows = test::toy_data(2, {.rows = 600});
  const TopLabels expected = answers_of(tagger, rows, 1);
  const TopLabels trained_alone = answers_of(train_with("dxml", network, 2), rows, 1);

  TopLabels trained_beside;
  std::jthread training([&] { trained_beside = answers_of(train_with("dxml", network, 2), rows, 2); });
  std::vector<int> wrong(16, 0);
  {
    std::vector<std::jthread> callers;
    for (int caller = 0; caller < 16; ++caller) {
      callers.emplace_back([&, caller] {
        for (int call = 0; call < 10; ++call) {
          const TopLabels found = answers_of(tagger, rows, 1 + (caller + call) % 4);
          wrong[static_cast<std::size_t>(caller)] += found.labels != expected.labels || found.scores != expected.scores;
        }
      });
    }
  }
  training.join();
  EXPECT_EQ(wrong, std::vector<int>(16, 0));
  EXPECT_EQ(trained_beside.labels, trained_alone.labels);
  EXPECT_EQ(trained_beside.scores, trained_alone.scores);
}

}  // namespace
}  // namespace xylem
