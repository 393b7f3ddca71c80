// SPDX-License-Identifier: Apache-2.0
#include "data/sparse_header.h"

#include <algorithm>
#include <limits>

#include "core/fail.h"
#include "core/numbers.h"
#include "core/text.h"
#include "data/number_token.h"

namespace xylem {

std::optional<std::vector<std::uint64_t>> parse_header(std::string_view line, std::size_t count,
                                                       const std::string& name) {
  if (line.ends_with('\n')) line.remove_suffix(1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  if (line.empty() || !is_digit(line.front())) return std::nullopt;
  std::vector<std::string_view> words;
  while (!line.empty()) {
    const auto word_end = std::find_if(line.begin(), line.end(), is_blank);
    words.emplace_back(line.begin(), word_end);
    if (words.size() > count || !std::all_of(line.begin(), word_end, is_digit)) return std::nullopt;
    line = {std::find_if_not(word_end, line.end(), is_blank), line.end()};
  }
  if (words.size() != count) return std::nullopt;

  std::vector<std::uint64_t> numbers;
  for (const std::string_view word : words) {
    const std::uint64_t most = numbers.empty() ? std::numeric_limits<std::int64_t>::max() : kMaxIds;
    const auto number = parse_number<std::uint64_t>(word);
    if (!number || *number > most) {
      fail(ErrorKind::kData, "{}:1: found {} in the header, expected a number of at most {}", name, quote(word), most);
    }
    numbers.push_back(*number);
  }
  return numbers;
}

}  // namespace xylem
