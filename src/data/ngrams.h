// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "core/hash.h"
#include "data/tokenizer.h"

namespace xylem {

// Words and pairs of neighbouring words are known by a hash of 64 bits. Among n different ones about n^2 / 2^65 pairs
// share a hash by chance: one chance in 37 of a single such pair among 10^9. Two that do count as the same.

// Different for (a, b) and (b, a).
inline std::uint64_t pair_hash(std::uint64_t first, std::uint64_t second) {
  std::uint64_t x = first * 0x9e3779b97f4a7c15 + second;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;  // splitmix64's mixing
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

// The hashes of all words in their order, and with `ngrams` 2 behind them those of the pairs: pair i is words i and i
// + 1.
inline void hash_ngrams(const Words& words, int ngrams, std::vector<std::uint64_t>& hashes) {
  const std::size_t n = words.size();
  const std::size_t n_pairs = ngrams == 2 && n > 1 ? n - 1 : 0;
  hashes.resize(n + n_pairs);
  for (std::size_t i = 0; i < n; ++i) hashes[i] = hash_bytes(words[i]);
  for (std::size_t i = 0; i < n_pairs; ++i) hashes[n + i] = pair_hash(hashes[i], hashes[i + 1]);
}

}  // namespace xylem
