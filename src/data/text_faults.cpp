// SPDX-License-Identifier: Apache-2.0
#include "data/text_faults.h"

#include <algorithm>
#include <string_view>

namespace xylem {
namespace {

// What Windows-1252 makes of the bytes 80 .. 9F, as far as they are no control characters. Behind "Ã" each stands for
// the second byte of a letter from À to ß.
constexpr std::string_view kWindows[] = {"€", "‚", "ƒ", "„", "…", "†", "‡", "ˆ", "‰", "Š", "‹", "Œ", "Ž", "‘",
                                         "’", "“", "”", "•", "–", "—", "˜", "™", "š", "›", "œ", "ž", "Ÿ"};

// Whether a character from U+0080 to U+00BF follows: a continuation byte, read as Latin-1.
bool begins_as_latin1_tail(std::string_view text) {
  return text.size() >= 2 && text[0] == '\xc2';
}

bool begins_as_windows_tail(std::string_view text) {
  for (const std::string_view character : kWindows) {
    if (text.starts_with(character)) return true;
  }
  return false;
}

}  // namespace

std::size_t count_replacement_characters(std::string_view text) {
  constexpr std::string_view kReplacement = "\xef\xbf\xbd";
  std::size_t n = 0;
  for (std::size_t i = 0; (i = text.find(kReplacement, i)) != std::string_view::npos; i += kReplacement.size()) ++n;
  return n;
}

bool has_mojibake(std::string_view text) {
  constexpr char kLead = '\xc3';  // of the letters À to ÿ, and so of all marks
  for (std::size_t i = 0; (i = text.find(kLead, i)) != std::string_view::npos; ++i) {
    const std::string_view letter = text.substr(i, 2), rest = text.substr(std::min(i + 2, text.size()));
    if (letter == "Ã" && (begins_as_latin1_tail(rest) || begins_as_windows_tail(rest))) return true;
    if (letter == "Â" && begins_as_latin1_tail(rest)) return true;
    if (letter == "â" && rest.starts_with("€")) return true;
  }
  return false;
}

}  // namespace xylem
