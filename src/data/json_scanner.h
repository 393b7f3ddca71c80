// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace xylem {

// Walks over JSON in one piece of memory, strictly as RFC 8259 has it. Every function expects blanks or its thing next
// and throws BadRow where something else comes. Nothing is nested by recursion, so that no input is too deep.
class JsonScanner {
 public:
  // The bytes are UTF-8 without NUL bytes; `plain` says that they are all printable ASCII.
  JsonScanner(std::string_view bytes, bool plain)
      : p_(bytes.data()), end_(p_ + bytes.size()), plain_(plain), next_quote_(p_), next_escape_(p_) {}

  // The next character that is no blank; NUL at the end.
  char peek() {
    while (p_ != end_ && (*p_ == ' ' || *p_ == '\t' || *p_ == '\n' || *p_ == '\r')) ++p_;
    return p_ == end_ ? '\0' : *p_;
  }
  // Whether `c` comes next, which is then taken.
  bool take(char c) {
    if (peek() != c) return false;
    ++p_;
    return true;
  }
  void expect(char c);
  void expect_end();

  // Appends the string to `out`, escapes resolved.
  void string(std::string& out);
  // The number as it is written.
  std::string_view number();
  bool at_number() {
    const char c = peek();
    return c == '-' || (c >= '0' && c <= '9');
  }
  // Takes `null` if it comes next.
  bool take_null();
  void skip_value();

  [[noreturn]] void bad(std::string_view expected);

 private:
  void literal(std::string_view word);
  void escape(std::string& out);
  unsigned hex_digits();
  void check_controls(const char* end);
  void skip_scalar();

  const char* p_;
  const char* end_;
  bool plain_;
  // The first '"' and the first '\' behind p_, or end_; looked for again only when p_ has passed them.
  const char* next_quote_;
  const char* next_escape_;
  std::string skipped_;  // strings that nobody asked for
};

}  // namespace xylem
