// SPDX-License-Identifier: Apache-2.0
#include "xylem/run.h"

#include <gtest/gtest.h>

#include "xylem/error.h"

namespace xylem {
namespace {

TEST(Run, GoesOnUntilSomebodyAsksToStop) {
  std::atomic<bool> stop = false;
  xylem::Run run;  // every test has a Run() of its own
  EXPECT_NO_THROW(run.check());
  run.cancel = &stop;
  EXPECT_NO_THROW(run.check());
  stop = true;
  try {
    run.check();
    FAIL() << "was asked to stop";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInterrupted);
  }
}

TEST(Run, TellsThoseWhoListen) {
  xylem::Run run;    // every test has a Run() of its own
  run.progress({});  // nobody listens
  run.remark("lost");
  std::size_t done = 0;
  std::string warning;
  run.on_progress = [&](const Progress& state) { done = state.done; };
  run.on_remark = [&](const std::string& message) { warning = message; };
  run.progress({.stage = "train", .unit = "rows", .done = 3, .total = 4, .loss = {}, .metric = {}});
  run.remark("careful");
  EXPECT_EQ(done, 3U);
  EXPECT_EQ(warning, "careful");
}

}  // namespace
}  // namespace xylem
