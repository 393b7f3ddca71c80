// SPDX-License-Identifier: Apache-2.0
#include "data/json_scanner.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "core/text.h"
#include "data/number_token.h"
#include "data/text_row.h"
#include "data/utf8.h"

namespace xylem {
namespace {

const char* find(const char* p, const char* end, char c) {
  const void* found = p == end ? nullptr : std::memchr(p, c, static_cast<std::size_t>(end - p));
  return found == nullptr ? end : static_cast<const char*>(found);
}

}  // namespace

void JsonScanner::bad(std::string_view expected) {
  const bool at_end = peek() == '\0';
  throw BadRow{fmt::format("found {}, expected {}",
                           at_end ? "the end of the line" : quote({p_, static_cast<std::size_t>(end_ - p_)}),
                           expected)};
}

void JsonScanner::expect(char c) {
  if (!take(c)) bad(fmt::format("'{}'", c));
}

void JsonScanner::expect_end() {
  if (peek() != '\0') bad("the end of the line");
}

void JsonScanner::string(std::string& out) {
  if (!take('"')) bad("a string");
  while (true) {
    if (next_quote_ < p_) next_quote_ = find(p_, end_, '"');
    if (next_escape_ < p_) next_escape_ = find(p_, end_, '\\');
    const char* const stop = std::min(next_quote_, next_escape_);
    if (!plain_) check_controls(stop);
    out.append(p_, stop);
    p_ = stop;
    if (p_ == end_) throw BadRow{"found the end of the line within a string, expected '\"'"};
    if (*p_++ == '"') return;
    escape(out);
  }
}

void JsonScanner::check_controls(const char* end) {
  const char* control = std::find_if(p_, end, [](char c) { return static_cast<unsigned char>(c) < 0x20; });
  if (control == end) return;
  throw BadRow{fmt::format("found the control character {} within a string, expected it as '\\u{:04x}'",
                           quote({control, 1}), static_cast<unsigned>(*control))};
}

// After the backslash.
void JsonScanner::escape(std::string& out) {
  static constexpr std::string_view kLetters = "\"\\/bfnrt", kMeanings = "\"\\/\b\f\n\r\t";
  const char* const begin = p_ - 1;
  const auto found = [&] { return quote({begin, static_cast<std::size_t>(p_ - begin)}); };
  const char c = p_ == end_ ? '\0' : *p_++;
  if (const std::size_t i = kLetters.find(c); i != std::string_view::npos) {
    out += kMeanings[i];
    return;
  }
  if (c != 'u') throw BadRow{fmt::format("found {} within a string, expected a JSON escape such as '\\n'", found())};
  std::uint32_t code = hex_digits();
  if (code == 0) throw BadRow{"found '\\u0000' within a string, expected text without NUL characters"};
  if (code >= 0xd800 && code < 0xdc00 && end_ - p_ >= 6 && p_[0] == '\\' && p_[1] == 'u') {
    p_ += 2;
    const std::uint32_t low = hex_digits();
    if (low >= 0xdc00 && low < 0xe000) code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
  }
  if (code >= 0xd800 && code < 0xe000) {
    throw BadRow{fmt::format("found {} within a string, expected both halves of a surrogate pair", found())};
  }
  append_utf8(code, out);
}

unsigned JsonScanner::hex_digits() {
  unsigned code = 0;
  for (int i = 0; i < 4; ++i, ++p_) {
    const char c = p_ == end_ ? '\0' : *p_;
    const char letter = static_cast<char>(c | 0x20);
    if (is_digit(c)) {
      code = 16 * code + static_cast<unsigned>(c - '0');
    } else if (letter >= 'a' && letter <= 'f') {
      code = 16 * code + static_cast<unsigned>(letter - 'a' + 10);
    } else {
      bad("four hexadecimal digits after '\\u'");
    }
  }
  return code;
}

std::string_view JsonScanner::number() {
  if (!at_number()) bad("a number");
  const char* const begin = p_;
  const auto at_digit = [&] { return p_ != end_ && is_digit(*p_); };
  const auto digits = [&] {
    if (!at_digit()) bad("a digit");
    while (at_digit()) ++p_;
  };
  if (*p_ == '-') ++p_;
  if (p_ != end_ && *p_ == '0') {
    ++p_;  // nothing may follow a leading zero
    if (at_digit()) bad("a number without leading zeros");
  } else {
    digits();
  }
  if (p_ != end_ && *p_ == '.') {
    ++p_;
    digits();
  }
  if (p_ != end_ && (*p_ == 'e' || *p_ == 'E')) {
    ++p_;
    if (p_ != end_ && (*p_ == '+' || *p_ == '-')) ++p_;
    digits();
  }
  return {begin, p_};
}

bool JsonScanner::take_null() {
  if (peek() != 'n') return false;
  literal("null");
  return true;
}

void JsonScanner::literal(std::string_view word) {
  if (!std::string_view(p_, end_).starts_with(word)) bad("a JSON value");
  p_ += word.size();
}

void JsonScanner::skip_scalar() {
  switch (peek()) {
    case '"':
      skipped_.clear();
      return string(skipped_);
    case 't':
      return literal("true");
    case 'f':
      return literal("false");
    case 'n':
      return literal("null");
    default:
      if (!at_number()) bad("a JSON value");
      number();
  }
}

void JsonScanner::skip_value() {
  std::string open;  // the brackets that are not closed yet, as their closing ones
  const auto key = [&] {
    skipped_.clear();
    string(skipped_);
    expect(':');
  };
  do {
    // A value begins here.
    if (take('{')) {
      open += '}';
      if (peek() != '}') {
        key();
        continue;
      }
    } else if (take('[')) {
      open += ']';
      if (peek() != ']') continue;
    } else {
      skip_scalar();
    }
    // A value has ended, or an empty pair of brackets waits for its end.
    while (!open.empty() && take(open.back())) open.pop_back();
    if (open.empty()) return;
    if (!take(',')) bad(fmt::format("',' or '{}'", open.back()));
    if (open.back() == '}') key();
  } while (true);
}

}  // namespace xylem
