// SPDX-License-Identifier: Apache-2.0
#include "tagger/card.h"

#include <gtest/gtest.h>

#include "model_surgery.h"
#include "tagger/date.h"

namespace xylem {
namespace {

Card full_card() {
  Card card;
  card.data = {.rows = 7, .features = 6, .labels = 5, .nonzeros = 40, .first_ids = {1, 0}, .hash = "00ff"};
  card.seed = 9;
  card.validation_share = 0.1;
  card.validation_hash = "abcd";
  card.held_out = 2;
  card.interrupted = "epoch 7";
  card.settings = {{"k", "5"}, {"text.ngrams", "2"}};
  card.chosen = {{"k", "5"}};
  card.validation = {.rows = 3, .figures = {{"P@1", 50.25}}};
  card.learned = {.times = 1,
                  .rows = 2,
                  .labels = 3,
                  .nonzeros = 4,
                  .hash = "12",
                  .parts = {"x", "y"},
                  .settings = {},
                  .program = "9.9",
                  .date = ""};
  card.program = "1.2.3";
  card.date = "2026-01-31";
  card.probes = {.of_texts = true, .compiler = "gcc", .rows = {"a b"}, .predictions = {"0:0.5"}};
  return card;
}

TEST(Card, IsTheSameAfterWritingAndReading) {
  const std::string text = card_text(full_card());
  const auto read = read_card(text);
  ASSERT_TRUE(read);
  EXPECT_EQ(card_text(*read), text);
  EXPECT_EQ(read->validation->figures.at("P@1"), 50.25);
  EXPECT_EQ(read->learned->parts.size(), 2u);
  EXPECT_TRUE(read->probes->of_texts);
}

TEST(Card, LeavesOutWhatIsNotThere) {
  EXPECT_EQ(card_text({}),
            R"({"chosen":{},"data":{"features":0,"first_feature":0,"first_label":0,"labels":0,"nonzeros":0,"rows":0},)"
            R"("held_out":0,"seed":0,"settings":{}})");
}

TEST(Card, KeepsKeysOfOtherVersions) {
  const auto card = read_card(R"({"seed":3,"weather":{"rain":[1,"x"]}})");
  ASSERT_TRUE(card);
  EXPECT_EQ(card->seed, 3u);
  EXPECT_NE(card_text(*card).find(R"("weather":{"rain":[1,"x"]})"), std::string::npos);
}

TEST(Card, TakesAValueOfAnotherTypeForNone) {
  const auto card = read_card(
      R"({"seed":-3,"data":7,"settings":{"k":5,"j":"6"},"learned":[],"validation":"x","probes":3,"held_out":1e9,)"
      R"("interrupted":[1],"chosen":null,"validation_share":"0.1"})");
  ASSERT_TRUE(card);
  EXPECT_EQ(card->seed, 0u);
  EXPECT_EQ(card->data.rows, 0u);
  EXPECT_EQ(card->settings, (Settings{{"j", "6"}}));
  EXPECT_FALSE(card->learned || card->validation || card->probes || card->validation_share);
  EXPECT_EQ(card->held_out, 0u);
  EXPECT_EQ(card->interrupted, "");
  EXPECT_TRUE(card->chosen.empty());
}

TEST(Card, IsAFlatObjectOrNone) {
  for (const std::string& text : {std::string(), std::string("3"), std::string("[]"), std::string("{"),
                                  std::string(R"({"a":{"b":{"c":{"d":1}}}})"), std::string(200'000, '[')}) {
    EXPECT_FALSE(read_card(text)) << text.substr(0, 50);
  }
}

TEST(Card, SurvivesTextThatIsNoUtf8) {
  Card card;
  card.probes = Probes{.of_texts = true, .compiler = "", .rows = {"\xff"}, .predictions = {""}};
  EXPECT_TRUE(read_card(card_text(card)));
}

TEST(CheckDate, TakesADayOrATimeInUtc) {
  for (const char* date : {"", "2026-01-31", "2024-02-29", "2026-01-31T23:59:59Z"}) EXPECT_NO_THROW(check_date(date));
  for (const char* date : {"today", "2026-1-31", "2026-02-29", "2026-13-01", "2026-01-31T24:00:00Z", "2026-01-31 12:00",
                           "2026-01-31T12:00:00", "2026-01-31T12:00:00+01"}) {
    EXPECT_EQ(test::kind_of_error([&] { check_date(date); }), ErrorKind::kUsage) << date;
  }
}

}  // namespace
}  // namespace xylem
