// SPDX-License-Identifier: Apache-2.0
#include "core/hash.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace xylem {
namespace {

TEST(HashBytes, GivesTheKnownHashOfNothing) {
  EXPECT_EQ(hash_bytes(""), 0x2d06800538d394c2U);
}

TEST(HashBytes, ChangesWithEveryByte) {
  const std::string text(300, 'a');
  for (std::size_t i = 0; i < text.size(); ++i) {
    std::string other = text;
    other[i] = 'b';
    EXPECT_NE(hash_bytes(other), hash_bytes(text)) << i;
  }
}

TEST(Hasher, GivesForPiecesWhatTheWholeGives) {
  std::string whole;
  for (int i = 0; i < 5000; ++i) whole += static_cast<char>(i * 7);
  for (const std::size_t size : {1U, 3U, 64U, 255U, 256U, 1000U, 5000U}) {
    Hasher hasher;
    for (std::size_t at = 0; at < whole.size(); at += size) hasher.add(std::string_view(whole).substr(at, size));
    hasher.add("");
    EXPECT_EQ(hasher.digest(), hash_bytes(whole)) << size;
  }
  EXPECT_EQ(Hasher().digest(), hash_bytes(""));
}

TEST(Hasher, GoesOnAfterADigest) {
  Hasher hasher;
  hasher.add("ab");
  EXPECT_EQ(hasher.digest(), hash_bytes("ab"));
  hasher.add("c");
  EXPECT_EQ(hasher.digest(), hash_bytes("abc"));
}

TEST(BytesOf, ShowsAllBytesOfTheValues) {
  const std::vector<std::uint16_t> values{0x4241, 0x4443};
  EXPECT_EQ(bytes_of(values), "ABCD");
}

}  // namespace
}  // namespace xylem
