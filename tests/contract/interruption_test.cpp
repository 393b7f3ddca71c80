// SPDX-License-Identifier: Apache-2.0
// Training that is killed, or asked to stop.
#include <atomic>

#include "contract.h"
#include "core/checkpoints.h"
#include "core/file.h"
#include "deadly_checkpoints.h"
#include "kind_of_error.h"
#include "toy_data.h"
#include "xylem/error.h"

namespace xylem {
namespace {

using test::toy_data;

// Whatever it writes: it may be killed after each time.
TEST_P(Contract, ResumesWithTheSameBytes) {
  TrainOptions options;
  options.method = GetParam()->name;
  options.settings = small_settings();
  options.valid_fraction = 0.2;
  const auto bytes = [&](Checkpoints* checkpoints) {
    xylem::Run run;
    run.threads = 2;
    run.checkpoints = checkpoints;
    Tagger::train(toy_data(1), options, run).save(folder_ / "m.xylem", true);
    return read_whole_file(folder_ / "m.xylem");
  };
  const std::string undisturbed = bytes(nullptr);
  std::size_t n_kills = 0;
  for (bool killed = true; killed; n_kills += killed) {
    killed = test::dies([&] {
      test::DeadlyCheckpoints checkpoints(folder_ / "checkpoint", static_cast<int>(n_kills) + 1);
      bytes(&checkpoints);
    });
    FolderCheckpoints left(folder_ / "checkpoint");
    EXPECT_EQ(bytes(&left), undisturbed) << "killed after " << n_kills + 1;
    left.clear();
  }
  EXPECT_GE(n_kills, 1u);  // the choice at least
}

TEST_P(Contract, StopsWhenAsked) {
  const Tagger tagger = train(toy_data(1));
  const std::atomic<bool> cancel{true};
  xylem::Run run;
  run.cancel = &cancel;
  EXPECT_EQ(test::kind_of_error([&] { tagger.tag(toy_data(2).features.rows(), 5, run); }), ErrorKind::kInterrupted);
  TrainOptions options;
  options.method = GetParam()->name;
  options.valid_fraction = 0.2;
  EXPECT_EQ(test::kind_of_error([&] { Tagger::train(toy_data(1), options, run); }), ErrorKind::kInterrupted);
}

// Whenever it is asked: there is a model that works, or none.
TEST_P(Contract, StoppedHalfwayGivesAModelOrNone) {
  TrainOptions options;
  options.method = GetParam()->name;
  options.settings = small_settings();
  options.valid_fraction = 0.2;
  bool stopped = true;
  for (std::size_t n_reports = 1; stopped; n_reports *= 2) {
    std::atomic<bool> cancel{false};
    std::size_t seen = 0;
    xylem::Run run;
    run.cancel = &cancel;
    run.on_progress = [&](const Progress&) { cancel = cancel || ++seen == n_reports; };
    try {
      Tagger::train(toy_data(1), options, run).save(folder_ / "m.xylem", true);
      const Tagger tagger = Tagger::load(folder_ / "m.xylem");
      EXPECT_EQ(tagger.tag(toy_data(2).features.rows(), 5, {}).size(), toy_data(2).size());
      EXPECT_TRUE(cancel || tagger.interrupted().empty());
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kInterrupted) << error.what();
    }
    stopped = cancel;
  }
}

}  // namespace
}  // namespace xylem
