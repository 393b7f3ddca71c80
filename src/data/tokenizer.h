// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "core/raw_array.h"

struct sb_stemmer;

namespace xylem {

// The words of one text, one behind the other in memory that is used again for the next text.
class Words {
 public:
  std::size_t size() const { return size_; }
  std::string_view operator[](std::size_t i) const {
    const std::size_t* const ends = ends_.data();
    const std::size_t begin = i == 0 ? 0 : ends[i - 1];
    return {bytes_.data() + begin, ends[i] - begin};
  }

 private:
  friend class Tokenizer;
  RawArray<char> bytes_;        // both only grow; what is behind the last word means nothing
  RawArray<std::size_t> ends_;  // of each word in bytes_
  std::size_t size_ = 0;
};

// Cuts texts into lower-cased words. A word is a run of letters, marks and numbers (Unicode's categories L, M and N);
// all else separates, bytes that are no UTF-8 too. Han, Hiragana and Katakana, which are written without blanks, give a
// word for each character. Composed and decomposed characters give the same words. Of a word of more than kMaxWordBytes
// the rest is left out: such runs are seldom words, but what begins them may still tell (Thai has no blanks either).
//
// Has buffers and is not const: one for each thread.
class Tokenizer {
 public:
  static constexpr std::size_t kMaxWordBytes = 64;

  // `stem_language`: a language of libstemmer, "english" say, whose endings are cut off; empty: none are. Throws kUsage
  // for one it does not know.
  explicit Tokenizer(const std::string& stem_language = "");

  // The words of `text`, valid until the next call. Costs memory in proportion to the longest text.
  const Words& split(std::string_view text);

 private:
  struct Cutter;
  struct StemmerDeleter {
    void operator()(sb_stemmer* stemmer) const;
  };

  bool cut(std::string_view text, bool normalised);
  void normalise(std::string_view text);
  void stem();

  Words words_;
  Words stemmed_;
  std::string normalised_;
  std::unique_ptr<sb_stemmer, StemmerDeleter> stemmer_;
};

}  // namespace xylem
