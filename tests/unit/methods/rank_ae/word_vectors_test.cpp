// SPDX-License-Identifier: Apache-2.0
#include "methods/rank_ae/word_vectors.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string_view>

#include "core/file.h"
#include "folder.h"
#include "xylem/error.h"

namespace xylem::rank_ae {
namespace {

constexpr std::array<std::string_view, 4> kNames = {"tea", "green tea", "cup", "größe"};

class WordVectors : public ::testing::Test {
 protected:
  WordVectors() : vectors_(4, 2) {
    data_.features.n_columns = kNames.size();
    data_.feature_name = [](Feature feature) { return std::string(kNames[feature]); };
    vectors_ << 3, 0, 0, 3, 3, 0, 0, 3;
  }
  WordVectorsFound read(std::string_view text) {
    OutputFile file(folder_ / "vectors.txt", IfExists::kReplace);
    file.write(text);
    file.commit();
    return read_word_vectors(folder_ / "vectors.txt", data_, vectors_);
  }
  std::string error_of(std::string_view text) {
    try {
      read(text);
    } catch (const Error& error) {
      const std::string message = error.what();
      return message.substr(message.rfind('/') + 1);
    }
    return "none";
  }

  test::Folder folder_;
  Dataset data_;
  Matrix vectors_;
};

TEST_F(WordVectors, ReplacesTheVectorsOfWordsThatTheFileHas) {
  const WordVectorsFound found = read("tea 0 2\nother 1 1\r\n\ngröße 1 0 \ntea 7 7\n. . 1 2");
  EXPECT_EQ(found.in_file, 5u);
  EXPECT_EQ(found.in_data, 3u);
  EXPECT_EQ(found.found, 2u);
  // (0, 2) and (1, 0) become as long as the vectors of length 3 before them, in the mean of the squares.
  const float factor = std::sqrt(18.0f / 5.0f);
  Matrix expected(4, 2);
  expected << 0, 2 * factor, 0, 3, 3, 0, factor, 0;
  EXPECT_TRUE(vectors_.isApprox(expected, 1e-6f));
}

TEST_F(WordVectors, PassesOverTheSizesInFront) {
  EXPECT_EQ(read("2 2\ntea 0 2\n").in_file, 1u);
}

TEST_F(WordVectors, StaysFiniteForVectorsOfZeros) {
  EXPECT_EQ(read("tea 0 0\n").found, 1u);
  EXPECT_EQ(vectors_.row(0), Matrix::Zero(1, 2).row(0));
}

TEST_F(WordVectors, ScalesVectorsWhoseSquaresAreNoFloats) {
  read("tea 0 3e30\t\ngröße 4e30 0\n");
  const auto unit = static_cast<float>(3 * std::sqrt(2.0) / 5);
  EXPECT_NEAR(vectors_(0, 1), 3 * unit, 1e-4f);
  EXPECT_NEAR(vectors_(3, 0), 4 * unit, 1e-4f);
}

TEST_F(WordVectors, SaysWhatIsWrong) {
  EXPECT_EQ(error_of("tea 1 2\ncup 1\n"), "vectors.txt:2: found 'cup 1', expected a word and 2 numbers (dim)");
  EXPECT_EQ(error_of("tea 1 nan\n"), "vectors.txt:1: found 'nan', expected a word and 2 numbers (dim)");
  EXPECT_EQ(error_of("tea 1e39 2\n"), "vectors.txt:1: found '1e39', expected a word and 2 numbers (dim)");
  EXPECT_EQ(error_of("tea 1 2 3 4\ncup 1 2 3 4\n"), "vectors.txt: found 4 numbers a line, expected 2 (dim)");
  EXPECT_EQ(error_of("cat 1 2\n"), "vectors.txt: found 1 words, none of them among the 3 of the texts");
  data_.feature_name = {};
  EXPECT_EQ(error_of("tea 1 2\n"), "vectors.txt needs texts: the features of sparse rows have no names");
}

}  // namespace
}  // namespace xylem::rank_ae
