// SPDX-License-Identifier: Apache-2.0
#include "data/tokenizer.h"

#include <libstemmer.h>
#include <utf8proc.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>
#include <vector>

#include <fmt/ranges.h>

#include "core/fail.h"
#include "core/text.h"

namespace xylem {
namespace {

// What a byte of text is: 0 separates, 1 .. 127 is the lower-cased ASCII character, kBeyondAscii begins another one.
constexpr std::uint8_t kBeyondAscii = 0x80;
constexpr auto kLowered = [] {
  std::array<std::uint8_t, 256> table{};
  for (std::uint8_t c = '0'; c <= '9'; ++c) table[c] = c;
  for (std::uint8_t c = 'a'; c <= 'z'; ++c) table[c] = table[c - 'a' + 'A'] = c;
  for (std::size_t c = 0x80; c < 256; ++c) table[c] = kBeyondAscii;
  return table;
}();

bool is_word_category(int category) {
  return category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_NO;  // L*, M*, N*: see utf8proc.h
}

bool is_mark_category(int category) {
  return category >= UTF8PROC_CATEGORY_MN && category <= UTF8PROC_CATEGORY_ME;
}

// Han, Hiragana and Katakana. utf8proc does not know scripts; symbols within these blocks are told by their category.
bool stands_alone(std::int32_t c) {
  return (c >= 0x3005 && c <= 0x3007) || (c >= 0x3021 && c <= 0x3029) || (c >= 0x3031 && c <= 0x30ff) ||
         (c >= 0x31f0 && c <= 0x31ff) || (c >= 0x3400 && c <= 0x4dbf) || (c >= 0x4e00 && c <= 0x9fff) ||
         (c >= 0xf900 && c <= 0xfaff) || (c >= 0xff66 && c <= 0xff9f) || (c >= 0x1aff0 && c <= 0x1b16f) ||
         (c >= 0x20000 && c <= 0x3ffff);
}

// Whether composing (NFC) may change a text with this character: marks, the parts of Korean syllables, and the few
// characters that are other characters (Ohm, Kelvin, Angstrom, Han for compatibility).
bool may_be_composed(std::int32_t c, int category) {
  return is_mark_category(category) || (c >= 0x1160 && c <= 0x11ff) || c == 0x2126 || c == 0x212a || c == 0x212b ||
         (c >= 0xf900 && c <= 0xfaff) || (c >= 0x2f800 && c <= 0x2fa1f);
}

struct Character {
  std::int32_t code;
  std::size_t bytes;
};

// The character at `p`; a byte that begins none has code -1 and is skipped alone.
Character decode(const char* p, const char* end) {
  std::int32_t code = -1;
  const auto bytes = utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(p), end - p, &code);
  return bytes > 0 ? Character{code, static_cast<std::size_t>(bytes)} : Character{-1, 1};
}

}  // namespace

// Where the next character and the next word's end go.
struct Tokenizer::Cutter {
  char* const bytes;
  std::size_t* const ends;
  char* out = bytes;
  char* begin = bytes;  // of the word that has not ended yet
  std::size_t n_words = 0;
  bool alone = false;  // that word is a character that takes nothing but marks

  void end_word() {
    if (out == begin) return;
    if (out - begin > static_cast<std::ptrdiff_t>(kMaxWordBytes)) {
      out = begin + kMaxWordBytes;
      while ((static_cast<std::uint8_t>(*out) & 0xc0) == 0x80) --out;  // at the border of a character
    }
    ends[n_words++] = static_cast<std::size_t>(out - bytes);
    begin = out;
    alone = false;
  }
};

Tokenizer::Tokenizer(const std::string& stem_language) {
  if (stem_language.empty()) return;
  stemmer_.reset(sb_stemmer_new(stem_language.c_str(), "UTF_8"));
  if (stemmer_) return;
  std::vector<std::string> known;
  for (const char** name = sb_stemmer_list(); *name != nullptr; ++name) known.emplace_back(*name);
  fail(ErrorKind::kUsage, "there is no stemmer for {}{}, only for {}", quote(stem_language),
       nearest_name_hint(stem_language, known), fmt::join(known, ", "));
}

void Tokenizer::StemmerDeleter::operator()(sb_stemmer* stemmer) const {
  sb_stemmer_delete(stemmer);
}

const Words& Tokenizer::split(std::string_view text) {
  if (!cut(text, false)) {
    normalise(text);
    cut(normalised_, true);
  }
  if (!stemmer_) return words_;
  stem();
  return stemmed_;
}

// False, with the work half done, where the text must be normalised first.
bool Tokenizer::cut(std::string_view text, bool normalised) {
  // A lower-cased character has up to half as many bytes more; words take at least one byte, and one to end them.
  words_.bytes_.reserve(2 * text.size() + 8);
  words_.ends_.reserve(text.size() / 2 + 2);
  Cutter state{words_.bytes_.data(), words_.ends_.data()};
  const char* p = text.data();
  const char* const end = p + text.size();
  while (p < end) {
    const std::uint8_t lowered = kLowered[static_cast<std::uint8_t>(*p)];
    if (lowered == 0) {
      state.end_word();
      ++p;
      continue;
    }
    if (lowered != kBeyondAscii) {
      if (state.alone) state.end_word();
      *state.out++ = static_cast<char>(lowered);
      ++p;
      continue;
    }
    const auto [code, bytes] = decode(p, end);
    p += bytes;
    const int category = code < 0 ? 0 : utf8proc_get_property(code)->category;
    if (!is_word_category(category)) {
      state.end_word();
      continue;
    }
    if (!normalised && may_be_composed(code, category)) return false;
    const bool mark = is_mark_category(category);
    const bool alone = !mark && stands_alone(code);
    if (alone || (state.alone && !mark)) state.end_word();
    state.alone = state.alone || alone;
    state.out += utf8proc_encode_char(utf8proc_tolower(code), reinterpret_cast<utf8proc_uint8_t*>(state.out));
  }
  state.end_word();
  words_.size_ = state.n_words;
  return true;
}

// NFC of what is UTF-8 in `text`, a blank for each byte that is not.
void Tokenizer::normalise(std::string_view text) {
  std::string clean;
  clean.reserve(text.size());
  const char* const end = text.data() + text.size();
  for (const char* p = text.data(); p < end;) {
    const auto [code, bytes] = decode(p, end);
    if (code < 0) {
      clean.push_back(' ');
    } else {
      clean.append(p, bytes);
    }
    p += bytes;
  }
  utf8proc_uint8_t* composed = nullptr;
  const auto length =
      utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(clean.data()), static_cast<utf8proc_ssize_t>(clean.size()),
                   &composed, static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_COMPOSE));
  const std::unique_ptr<utf8proc_uint8_t, decltype(&std::free)> owner(composed, &std::free);
  if (length < 0) throw std::bad_alloc();  // all else that it complains of has been cleaned away
  normalised_.assign(reinterpret_cast<const char*>(composed), static_cast<std::size_t>(length));
}

void Tokenizer::stem() {
  stemmed_.size_ = 0;
  stemmed_.ends_.reserve(words_.size());
  std::size_t end = 0;
  for (std::size_t i = 0; i < words_.size(); ++i) {
    const std::string_view word = words_[i];
    const sb_symbol* result =
        sb_stemmer_stem(stemmer_.get(), reinterpret_cast<const sb_symbol*>(word.data()), static_cast<int>(word.size()));
    if (result == nullptr) throw std::bad_alloc();
    const auto length = static_cast<std::size_t>(sb_stemmer_length(stemmer_.get()));
    if (length == 0) continue;
    if (end + length > stemmed_.bytes_.capacity()) stemmed_.bytes_.reserve(2 * (end + length), end);
    std::memcpy(stemmed_.bytes_.data() + end, result, length);
    stemmed_.ends_.data()[stemmed_.size_++] = end += length;
  }
}

}  // namespace xylem
