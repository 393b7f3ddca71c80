// SPDX-License-Identifier: Apache-2.0
#include "methods/neighbours/votes.h"

#include <gtest/gtest.h>

namespace xylem::neighbours {
namespace {

TEST(Votes, GiveEachLabelItsShare) {
  Votes votes(5);
  TopLabels out;
  for (int row = 0; row < 2; ++row) {  // the second begins anew
    votes.add(vote_of({0.5f, 0}, 2), std::vector<Label>{1, 3});
    votes.add(vote_of({1, 1}, 2), std::vector<Label>{3});
    votes.add(vote_of({-0.5f, 2}, 2), std::vector<Label>{4});  // points away
    votes.finish(5, votes.all(), out);
    const auto row_number = static_cast<std::size_t>(row);
    EXPECT_EQ(std::vector<Label>(out.row_labels(row_number).begin(), out.row_labels(row_number).end()),
              (std::vector<Label>{3, 1}));
    EXPECT_FLOAT_EQ(out.row_scores(row_number)[0], 1);
    EXPECT_FLOAT_EQ(out.row_scores(row_number)[1], 0.2f);
  }
}

TEST(Votes, CountAlikeWithPowerZero) {
  Votes votes(3);
  TopLabels out;
  votes.add(vote_of({0.1f, 0}, 0), std::vector<Label>{2});
  votes.add(vote_of({0.9f, 1}, 0), std::vector<Label>{0});
  votes.finish(1, votes.all(), out);
  EXPECT_EQ(out.labels, std::vector<Label>{0});  // of equals the lower
  EXPECT_FLOAT_EQ(out.scores[0], 0.5f);
}

TEST(Votes, ShareTheScoreWithCosines) {
  Votes votes(4);
  TopLabels out;
  votes.add(vote_of({1, 0}, 1), std::vector<Label>{0, 1});
  votes.add(vote_of({1, 1}, 1), std::vector<Label>{1});
  votes.finish(4, votes.all(), std::vector<float>{0.8f, -1, 0.4f, 0}, 0.25, out);
  EXPECT_EQ(out.labels, (std::vector<Label>{1, 0, 2}));  // nothing speaks for 3, and a cosine against nobody
  EXPECT_FLOAT_EQ(out.scores[0], 0.75f);
  EXPECT_FLOAT_EQ(out.scores[1], 0.75f * 0.5f + 0.25f * 0.8f);
  EXPECT_FLOAT_EQ(out.scores[2], 0.1f);
  votes.finish(4, votes.all(), std::vector<float>{0, 0, 0.5f, 0}, 1,
               out);  // nobody votes, and the votes before are forgotten
  EXPECT_EQ(std::vector<Label>(out.row_labels(1).begin(), out.row_labels(1).end()), std::vector<Label>{2});
  EXPECT_FLOAT_EQ(out.row_scores(1)[0], 0.5f);
}

TEST(Votes, MayCancelOutAndAreCountedOnce) {
  Votes votes(3);
  TopLabels out;
  votes.add(0.5f, std::vector<Label>{1, 2});
  votes.add(-0.5f, std::vector<Label>{1});
  votes.add(0.25f, std::vector<Label>{1});
  votes.add(-1, std::vector<Label>{0});
  votes.finish(3, 1, out);
  EXPECT_EQ(out.labels, (std::vector<Label>{2, 1}));
  EXPECT_EQ(out.scores, (std::vector<float>{0.5f, 0.25f}));
}

TEST(Votes, NobodyVotesForNothing) {
  Votes votes(3);
  TopLabels out;
  votes.finish(3, votes.all(), out);
  EXPECT_EQ(out.size(), 1u);
  EXPECT_TRUE(out.labels.empty());
}

}  // namespace
}  // namespace xylem::neighbours
