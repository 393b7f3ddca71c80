// SPDX-License-Identifier: Apache-2.0
// What a kill leaves at each moment. Whole runs are stopped in tests/cli/continue_test.py.
#include "cli/continued_file.h"

#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <functional>
#include <thread>

#include "folder.h"
#include "xylem/error.h"

namespace xylem::cli {
namespace {

using Start = ContinuedFile::Start;

class Continued : public ::testing::Test {
 protected:
  ContinuedFile start(Start start, const std::string& model = "m") const {
    return {folder_ / "out", {model, "{}"}, start, true};
  }
  // Two blocks of two rows, and no commit.
  void run_to_the_middle() const {
    ContinuedFile file = start(Start::kNew);
    file.write("a\nb\n", 2, 11);
    file.write("c\nd\n", 2, 22);
  }
  std::string read(const std::string& name) const { return read_whole_file(folder_ / name); }
  void replace(const std::string& name, const std::string& content) const {
    test::write_plain(folder_ / name, content);
  }
  static std::string refusal(const std::function<void()>& work) {
    try {
      work();
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kUsage);
      return error.what();
    }
    return "";
  }

  test::Folder folder_;
};

TEST_F(Continued, GoesOnAfterTheLastBlock) {
  run_to_the_middle();
  ContinuedFile file = start(Start::kContinue);
  EXPECT_EQ(file.begin().rows, 4U);
  EXPECT_EQ(file.begin().input_hash, 22U);
  file.write("e\n", 1, 33);
  file.commit("", IfExists::kFail);
  EXPECT_EQ(read("out"), "a\nb\nc\nd\ne\n");
  EXPECT_EQ(folder_.entries(), 1U);
}

TEST_F(Continued, GoingOnLosesNothingToASecondKill) {
  run_to_the_middle();
  const std::string state = read("out.part.state");
  { const ContinuedFile file = start(Start::kContinue); }
  EXPECT_EQ(read("out.part.state"), state);
  replace("out.part.state", state + "5 00");  // torn
  { const ContinuedFile file = start(Start::kContinue); }
  EXPECT_EQ(read("out.part.state"), state);
}

TEST_F(Continued, GoesOnAfterTheLastBlockThatTheOutputHas) {
  for (const std::string part : {"a\nb\nc\n", "a\nb\n", "a\nb\nx\nd\n"}) {
    run_to_the_middle();
    replace("out.part", part);
    ContinuedFile file = start(Start::kContinue);
    EXPECT_EQ(file.begin().rows, 2U) << part;
    EXPECT_EQ(file.begin().input_hash, 11U) << part;
    file.write("C\n", 1, 33);
    file.commit("", IfExists::kReplace);
    EXPECT_EQ(read("out"), "a\nb\nC\n");
    std::filesystem::remove(folder_ / "out");
  }
}

TEST_F(Continued, RefusesAnOutputOfWhichItKnowsNothing) {
  run_to_the_middle();
  for (const std::string part : {"a", "something else"}) {
    replace("out.part", part);
    EXPECT_NE(refusal([&] { start(Start::kContinue); }).find("is not as it was left"), std::string::npos);
    EXPECT_EQ(read("out.part"), part);
  }
  EXPECT_NE(refusal([&] { start(Start::kContinue, "other"); }).find("another model"), std::string::npos);
}

TEST_F(Continued, PutsAHeaderBeforeRowsThatHaveNone) {
  run_to_the_middle();
  start(Start::kContinue).commit("4\n", IfExists::kFail);
  EXPECT_EQ(read("out"), "4\na\nb\nc\nd\n");
  {
    ContinuedFile file = start(Start::kNew);
    file.write("2\na\nb\n", 2, 11);
  }
  start(Start::kContinue).commit("2\n", IfExists::kReplace);
  EXPECT_EQ(read("out"), "2\na\nb\n");
  EXPECT_EQ(folder_.entries(), 1U);
}

TEST_F(Continued, KeepsRowsThatAreNewUntilItCommits) {
  {
    ContinuedFile file = start(Start::kNew);
    EXPECT_EQ(file.kept_rows(), 0U);
    file.write("a\n", 1, 11);
    EXPECT_EQ(file.kept_rows(), 1U);
  }
  ContinuedFile file = start(Start::kContinue);
  EXPECT_EQ(file.kept_rows(), 0U);
  file.write("b\n", 1, 22);
  EXPECT_EQ(file.kept_rows(), 2U);
  file.commit("", IfExists::kFail);
  EXPECT_EQ(file.kept_rows(), 0U);
}

TEST_F(Continued, IsWrittenByOneProcessAtATime) {
  ContinuedFile first = start(Start::kNew);
  first.write("a\n", 1, 11);
  for (const Start again : {Start::kContinue, Start::kNew}) {
    EXPECT_NE(refusal([&] { start(again); }).find("is being written by another process"), std::string::npos);
  }
  ContinuedFile second = start(Start::kOver);
  EXPECT_NE(refusal([&] { second.write("b\n", 1, 11); }).find("is being written by another process"),
            std::string::npos);
  EXPECT_EQ(read("out.part"), "a\n");
}

TEST_F(Continued, NewOnesDoNotEmptyWhatAnotherRunHasLeftMeanwhile) {
  ContinuedFile late = start(Start::kNew);
  run_to_the_middle();
  EXPECT_NE(refusal([&] { late.write("x\n", 1, 11); }).find("was left by an interrupted run"), std::string::npos);
  EXPECT_EQ(read("out.part"), "a\nb\nc\nd\n");
}

TEST_F(Continued, IsNotEmptiedByARunThatOpensItWhileItIsRenamed) {
  std::atomic<bool> done = false;
  std::jthread other([&] {
    while (!done) refusal([&] { start(Start::kOver).write("b\n", 1, 11); });
  });
  for (int i = 0; i < 300; ++i) {
    const std::string refused = refusal([&] {
      ContinuedFile file = start(Start::kOver);
      file.write("a\n", 1, 11);
      file.commit("", IfExists::kReplace);
    });
    EXPECT_TRUE(!refused.empty() || read("out") == "a\n") << i;
  }
  done = true;
}

}  // namespace
}  // namespace xylem::cli
