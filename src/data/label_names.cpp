// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <optional>
#include <vector>

#include "core/fail.h"
#include "core/numbers.h"
#include "core/text.h"
#include "data/chunks.h"
#include "data/utf8.h"
#include "xylem/corpus.h"

namespace xylem {
namespace {

struct NamedLine {
  std::optional<std::string_view> key;  // before the first TAB
  std::string_view name;
};

[[noreturn]] void fail_at(const std::string& file, std::size_t line, const std::string& problem) {
  fail(ErrorKind::kData, "{}:{}: {}", file, line + 1, problem);
}

NamedLine parse_line(std::string_view line, const std::string& file, std::size_t number) {
  if (line.find('\0') != std::string_view::npos) fail_at(file, number, "found a NUL byte, expected text");
  if (const BadUtf8 bad = find_bad_utf8(line); bad.size > 0) {
    fail_at(file, number, "found invalid UTF-8 " + quote(line.substr(bad.begin, bad.size)) + ", expected UTF-8");
  }
  const std::size_t tab = line.find('\t');
  if (tab == std::string_view::npos) return {std::nullopt, line};
  return {line.substr(0, tab), line.substr(tab + 1)};
}

std::vector<NamedLine> parse_lines(const TextList& lines, const std::string& file) {
  std::vector<NamedLine> parsed;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    parsed.push_back(parse_line(lines[i], file, i));
    if (parsed[i].key.has_value() == parsed[0].key.has_value()) continue;
    fail_at(file, i,
            fmt::format("found {}, expected a line {} a TAB like those before", quote(lines[i]),
                        parsed[0].key ? "with" : "without"));
  }
  return parsed;
}

TextList names_by_id(const std::vector<NamedLine>& lines, Label first_label, const std::string& file) {
  // Gaps are fine, but one wrong id must not cost gigabytes.
  const std::uint64_t end = std::max<std::uint64_t>(std::uint64_t{1} << 24, 16 * lines.size());
  std::vector<const NamedLine*> places;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const auto id = parse_number<std::uint64_t>(*lines[i].key);
    if (!id || *id < first_label || *id - first_label >= end) {
      fail_at(file, i,
              fmt::format("found {}, expected an id from {} to {}", quote(*lines[i].key), first_label,
                          end - 1 + first_label));
    }
    const std::size_t place = *id - first_label;
    if (place >= places.size()) places.resize(place + 1);
    if (places[place] != nullptr) fail_at(file, i, fmt::format("found id {} twice, expected it once", *id));
    places[place] = &lines[i];
  }
  TextList names;
  for (const NamedLine* line : places) names.push_back(line == nullptr ? std::string_view() : line->name);
  return names;
}

}  // namespace

TextList read_label_names(const std::string& path, Label first_label) {
  LineBlocks blocks(path, Cuts().block_bytes);
  TextList lines;
  std::string block;
  while (blocks.next(block)) {
    for (std::string_view rest = block; !rest.empty();) {
      const std::size_t end = rest.find('\n');
      const std::string_view line = rest.substr(0, end);
      lines.push_back(line.ends_with('\r') ? line.substr(0, end - 1) : line);
      rest.remove_prefix(end + 1);
    }
  }
  while (lines.size() > 0 && lines[lines.size() - 1].empty()) lines.offsets.pop_back();
  if (lines.size() == 0) fail(ErrorKind::kData, "{}:1: found an empty file, expected names of labels", blocks.name());

  const std::vector<NamedLine> parsed = parse_lines(lines, blocks.name());
  const auto is_id = [](const NamedLine& line) {
    return line.key && !line.key->empty() && line.key->find_first_not_of("0123456789") == std::string_view::npos;
  };
  if (std::all_of(parsed.begin(), parsed.end(), is_id)) return names_by_id(parsed, first_label, blocks.name());
  TextList names;
  for (const NamedLine& line : parsed) names.push_back(line.name);
  return names;
}

}  // namespace xylem
