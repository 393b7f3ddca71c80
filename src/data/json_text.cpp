// SPDX-License-Identifier: Apache-2.0
#include "data/json_text.h"

#include <fmt/format.h>

#include "data/json_scanner.h"

namespace xylem {

void append_json_string(std::string_view text, std::string& out) {
  static constexpr std::string_view kSpecial = "\"\\\b\f\n\r\t", kLetters = "\"\\bfnrt";
  out += '"';
  for (const char c : text) {
    const std::size_t special = kSpecial.find(c);
    if (special != std::string_view::npos) {
      out += '\\';
      out += kLetters[special];
    } else if (static_cast<unsigned char>(c) < 0x20) {
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    } else {
      out += c;
    }
  }
  out += '"';
}

std::string json_token_text(std::string_view token) {
  if (!token.starts_with('"')) return std::string(token);
  std::string text;
  JsonScanner(token, false).string(text);
  return text;
}

TextList json_token_texts(const TextList& tokens) {
  TextList texts;
  for (std::size_t i = 0; i < tokens.size(); ++i) texts.push_back(tokens[i].empty() ? "" : json_token_text(tokens[i]));
  return texts;
}

}  // namespace xylem
