// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "core/fail.h"
#include "core/numbers.h"
#include "core/text.h"
#include "data/id_spread.h"
#include "data/lines.h"
#include "data/name_table.h"
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

TextList names_by_id(const std::vector<NamedLine>& lines, const std::string& file) {
  // Gaps are fine, but one wrong id must not cost gigabytes.
  const std::uint64_t end = std::max<std::uint64_t>(std::uint64_t{1} << 24, 16 * lines.size());
  std::vector<const NamedLine*> places;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const auto id = parse_number<std::uint64_t>(*lines[i].key);
    if (!id || *id >= end) {
      fail_at(file, i, fmt::format("found {}, expected an id from 0 to {}", quote(*lines[i].key), end - 1));
    }
    if (*id >= places.size()) places.resize(*id + 1);
    if (places[*id] != nullptr) fail_at(file, i, fmt::format("found id {} twice, expected it once", *id));
    places[*id] = &lines[i];
  }
  TextList names;
  for (const NamedLine* line : places) names.push_back(line == nullptr ? std::string_view() : line->name);
  return names;
}

// As Annif's vocabularies have them: <http://...>.
std::string_view without_brackets(std::string_view id) {
  return id.starts_with('<') && id.ends_with('>') ? id.substr(1, id.size() - 2) : id;
}

TextList identifiers(const std::vector<NamedLine>& lines, const std::string& file) {
  TextList ids;
  NameTable met;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string_view id = without_brackets(lines[i].key.value_or(""));
    if (!id.empty() && met.find(id)) {
      fail_at(file, i, fmt::format("found the identifier {} twice, expected it once", quote_name(id)));
    }
    met.number(id);
    ids.push_back(id);
  }
  return met.names().bytes.empty() ? TextList() : ids;
}

bool is_whole_number(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

std::string far_id_warning(const std::vector<NamedLine>& lines, const std::string& file) {
  std::vector<std::uint32_t> ids;
  for (const NamedLine& line : lines) ids.push_back(*parse_number<std::uint32_t>(*line.key));
  const auto far = find_far_id(ids);
  return far ? fmt::format("{}:{}: {}", file, far->line + 1, far_id_problem(*far, "label", 0)) : "";
}

}  // namespace

LabelNames read_label_names(const std::string& path) {
  const FileLines file = read_lines(path);
  if (file.lines.size() == 0) fail(ErrorKind::kData, "{}:1: found an empty file, expected names of labels", file.file);
  const std::vector<NamedLine> parsed = parse_lines(file.lines, file.file);
  const bool numbered = std::all_of(parsed.begin(), parsed.end(),
                                    [](const NamedLine& line) { return line.key && is_whole_number(*line.key); });
  LabelNames result;
  result.file = file.file;
  result.numbered = numbered;
  if (numbered) {
    result.names = names_by_id(parsed, file.file);
    result.warning = far_id_warning(parsed, file.file);
  } else {
    for (const NamedLine& line : parsed) result.names.push_back(line.name);
    result.ids = identifiers(parsed, file.file);
  }
  return result;
}

std::string label_names_text(const TextList& names, const TextList& ids, std::optional<Label> first_label) {
  bool with_ids = false;
  for (std::size_t i = 0; i < ids.size(); ++i) with_ids |= !is_whole_number(ids[i]);
  std::string text = lines_text(names, "label");
  if (!with_ids && !first_label) return text;
  text.clear();
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (with_ids && ids[i].find_first_of("\t\r\n") != std::string_view::npos) {
      fail(ErrorKind::kData, "the label identifier {} has a TAB or a line break, which a file of names cannot hold",
           quote_name(ids[i]));
    }
    text += with_ids ? std::string(ids[i]) : std::to_string(i + *first_label);
    text.append("\t").append(names[i]) += '\n';
  }
  return text;
}

}  // namespace xylem
