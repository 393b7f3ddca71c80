// SPDX-License-Identifier: Apache-2.0
#include "cli/coloured_text.h"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <unordered_map>
#include <vector>

#include "data/tokenizer.h"
#include "tagger/card.h"

namespace xylem::cli {
namespace {

constexpr const char* kPlain = "\x1b[0m";
constexpr double kLeast = 0.1, kBold = 0.5;  // of the largest part

// What is between blanks, and its words as the model knows them: more than one in "state-of-the-art".
struct Piece {
  std::string shown;
  std::size_t first_word, n_words;
};

// The terminal must not take the text for orders.
std::string without_controls(std::string_view text) {
  std::string result(text);
  std::ranges::replace_if(
      result, [](unsigned char c) { return c < 0x20 || c == 0x7f; }, ' ');
  return result;
}

std::string stem_language(const Tagger& tagger) {
  const Settings& settings = tagger.card_fields().settings;
  const auto stem = settings.find("text.stem");
  return stem == settings.end() ? "" : stem->second;
}

const char* colour_of(double value, double largest) {
  if (std::abs(value) < kLeast * largest) return "";
  const bool bold = std::abs(value) >= kBold * largest;
  return value > 0 ? (bold ? "\x1b[1;32m" : "\x1b[32m") : (bold ? "\x1b[1;31m" : "\x1b[31m");
}

}  // namespace

bool wants_colour() {
  const char* unwanted = std::getenv("NO_COLOR");
  return isatty(STDOUT_FILENO) == 1 && (unwanted == nullptr || *unwanted == '\0');
}

std::string coloured_text(std::string_view text, const Explanation& explanation, const Tagger& tagger) {
  std::unordered_map<std::string, double> parts;
  for (const Contribution& part : explanation.evidence) parts[tagger.feature_name(part.feature)] = part.value;
  const auto part_of = [&](const std::string& name) {
    const auto found = parts.find(name);
    return found == parts.end() ? 0.0 : found->second;
  };

  Tokenizer tokenizer(stem_language(tagger));
  std::vector<Piece> pieces;
  std::vector<std::string> words;
  const std::string line = without_controls(text);
  for (std::string_view rest = line; !rest.empty();) {
    const std::size_t end = std::min(rest.find(' '), rest.size());
    const Words& found = tokenizer.split(rest.substr(0, end));
    pieces.push_back({std::string(rest.substr(0, end)), words.size(), found.size()});
    for (std::size_t i = 0; i < found.size(); ++i) words.emplace_back(found[i]);
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  std::vector<double> values;
  for (const std::string& word : words) values.push_back(part_of(word));
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    const double half = part_of(words[i] + " " + words[i + 1]) / 2;
    values[i] += half;
    values[i + 1] += half;
  }
  double largest = 0;
  for (const double value : values) largest = std::max(largest, std::abs(value));

  std::string result;
  for (const Piece& piece : pieces) {
    double value = 0;
    for (std::size_t i = 0; i < piece.n_words; ++i) value += values[piece.first_word + i];
    const std::string colour = value == 0 ? "" : colour_of(value, largest);
    if (!result.empty()) result += ' ';
    result += colour.empty() ? piece.shown : colour + piece.shown + kPlain;
  }
  return result;
}

}  // namespace xylem::cli
