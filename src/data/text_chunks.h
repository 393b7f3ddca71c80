// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "xylem/corpus.h"

namespace xylem {

// Consecutive texts, begin .. end-1, that one thread works on at a time.
struct TextChunk {
  std::size_t begin;
  std::size_t end;
};

inline constexpr std::size_t kMaxChunkTexts = 256;
inline constexpr std::size_t kMaxChunkBytes = std::size_t{1} << 20;  // unless it is a single text

// Cuts `texts` at borders that depend on nothing but the texts.
inline std::vector<TextChunk> text_chunks(const TextList& texts) {
  std::vector<TextChunk> chunks;
  for (std::size_t begin = 0, end = 0; begin < texts.size(); begin = end) {
    end = begin + 1;
    while (end < texts.size() && end - begin < kMaxChunkTexts &&
           texts.offsets[end + 1] - texts.offsets[begin] <= kMaxChunkBytes) {
      ++end;
    }
    chunks.push_back({begin, end});
  }
  return chunks;
}

}  // namespace xylem
