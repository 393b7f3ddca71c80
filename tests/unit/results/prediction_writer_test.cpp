// SPDX-License-Identifier: Apache-2.0
#include "results/prediction_writer.h"

#include <gtest/gtest.h>

#include "text_tagger.h"

namespace xylem {
namespace {

// Two rows, the second without a label.
std::string lines_as(const char* format, const Tagger& tagger) {
  TopLabels top;
  top.push_back(1, 0.75f);
  top.push_back(0, 0.25f);
  top.end_row();
  top.end_row();
  TextList ids;
  ids.push_back("7");
  ids.push_back("");
  const PredictionWriter writer(format, tagger);
  std::string text = writer.header(2);
  writer.append(top, ids, text);
  return text;
}

TEST(PredictionWriter, KnowsAllFormats) {
  const Tagger tagger = test::text_tagger();
  EXPECT_EQ(lines_as("jsonl", tagger),
            "{\"id\":7,\"labels\":[{\"label\":\"bank\",\"id\":\"u:2\",\"score\":0.75},"
            "{\"label\":\"bank\",\"id\":\"u:1\",\"score\":0.25}]}\n{\"labels\":[]}\n");
  EXPECT_EQ(lines_as("fasttext", tagger), "__label__bank 0.75 __label__bank 0.25\n\n");
  EXPECT_EQ(lines_as("xmlrepo", test::row_tagger()), "2 2\n2:0.75 1:0.25\n\n");
}

}  // namespace
}  // namespace xylem
