// SPDX-License-Identifier: Apache-2.0
#include "data/layout.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/fail.h"
#include "core/text.h"
#include "data/column_names.h"
#include "data/format.h"
#include "data/label_rules.h"
#include "data/layout_parts.h"
#include "data/number_token.h"
#include "data/trimmed.h"

namespace xylem {
namespace {

bool is_uri(std::string_view word) {
  if (word.starts_with('<')) return word.size() > 2 && word.ends_with('>') && word.find(':') != std::string_view::npos;
  return word.starts_with("http://") || word.starts_with("https://") || word.starts_with("urn:");
}

// <c++><boost>, as Stack Exchange writes its tags: two or more.
bool are_in_brackets(std::string_view cell) {
  if (!cell.starts_with('<') || !cell.ends_with('>')) return false;
  for (std::size_t i = 1; i + 1 < cell.size(); ++i) {
    if (cell[i] == '<' && cell[i - 1] != '>') return false;
    if (cell[i] == '>' && cell[i + 1] != '<') return false;
  }
  return cell.size() > 2;
}

// A few others are mistakes that the reader names.
bool mostly_uris(std::span<const std::string> cells) {
  const auto filled = std::ranges::count_if(cells, [](const std::string& cell) { return !folded_name(cell).empty(); });
  const auto uris = std::ranges::count_if(cells, [](const std::string& cell) { return are_uris(cell); });
  return uris > 0 && 10 * uris >= 9 * filled;
}

}  // namespace

void FileStart::fail_at(std::size_t line, std::string_view problem) const {
  fail(ErrorKind::kData, "{}:{}: {}", name, line, problem);
}

FirstLine first_line(std::string_view lines) {
  FirstLine first;
  while (!lines.empty()) {
    const std::size_t end = std::min(lines.find('\n'), lines.size());
    first.text = without_line_end(lines.substr(0, end));
    if (!std::ranges::all_of(first.text, is_blank)) return first;
    lines.remove_prefix(std::min(end + 1, lines.size()));
    ++first.number;
  }
  return {};
}

std::vector<std::string_view> sample_lines(std::string_view lines) {
  std::vector<std::string_view> sample;
  while (!lines.empty() && sample.size() < kSampleRows) {
    const std::size_t end = std::min(lines.find('\n'), lines.size());
    const std::string_view line = without_line_end(lines.substr(0, end));
    if (!std::ranges::all_of(line, is_blank)) sample.push_back(line);
    lines.remove_prefix(std::min(end + 1, lines.size()));
  }
  return sample;
}

// A cell of nothing but URIs, at least one.
bool are_uris(std::string_view cell) {
  bool any = false;
  for (std::string_view word : split(cell, ' ')) {
    while (!word.empty() && std::string_view(",;|\t").find(word.back()) != std::string_view::npos)
      word.remove_suffix(1);
    if (word.empty()) continue;
    if (!is_uri(word)) return false;
    any = true;
  }
  return any;
}

LabelSyntax label_syntax_of(std::span<const std::string> cells, const ReadOptions& options) {
  if (options.label_separator) return {LabelSyntax::kSeparated, *options.label_separator};
  const auto all_filled = [&](auto holds) {
    return std::ranges::any_of(cells, holds) && std::ranges::all_of(cells, [&](const std::string& cell) {
             return folded_name(cell).empty() || holds(cell);
           });
  };
  if (mostly_uris(cells)) return {LabelSyntax::kUris};
  const auto in_brackets = [](const std::string& cell) { return are_in_brackets(folded_name(cell)); };
  if (all_filled(in_brackets)) return {LabelSyntax::kUris};
  const auto is_list = [](const std::string& cell) { return !list_content(folded_name(cell)).empty(); };
  return {all_filled(is_list) ? LabelSyntax::kList : LabelSyntax::kSeparated};
}

TextLayout decide_layout(std::string_view lines, const ReadOptions& options, const std::string& name) {
  const FileStart start{lines, options, name};
  TextLayout layout;
  for (const std::string_view format : text_input_formats()) {
    if (format == options.format) layout.format = format;
  }
  layout.label_syntax.separator = options.label_separator.value_or(',');
  if (first_line(lines).text.empty()) return layout;
  if (options.format == "auto") {
    layout.typed = options.typed && !start.names_columns() && !options.delimiter && typed_format(lines) == "lines";
    layout.format = layout.typed ? "lines" : detect_text_format(lines, options);
  }
  if ((layout.format == "fasttext" || layout.format == "lines") && start.names_columns()) {
    fail(ErrorKind::kUsage, "{} has no columns for {}", layout.format, kColumnOptions);
  }
  const bool is_table = has_table_header(lines, options) || start.names_columns();
  if (layout.format == "jsonl") {
    lay_out_json(start, layout);
  } else if (layout.format == "csv" || (layout.format == "tsv" && is_table)) {
    lay_out_table(start, layout);
  } else if (layout.format == "tsv") {
    lay_out_tsv(start, layout);
  }
  return layout;
}

std::optional<TextLayout> layout_of_header(std::string_view line, const ReadOptions& options, const std::string& name) {
  if (first_line(line).text.empty() || !header_tells_delimiter(line, options)) return std::nullopt;
  try {
    TextLayout layout = decide_layout(line, options, name);
    layout.csv.lenient = true;
    if (layout.is_table() && layout.columns.from_header) return layout;
  } catch (const Error&) {  // more lines may explain it better
  }
  return std::nullopt;
}

void check_layout_options(const ReadOptions& options) {
  if (options.label_separator) check_label_separator(*options.label_separator);
  if (const auto delimiter = options.delimiter) {
    if (*delimiter != '\t' && (*delimiter < ' ' || *delimiter > '~' || *delimiter == '"')) {
      fail(ErrorKind::kUsage,
           "{} cannot stand between columns; expected TAB or a printable ASCII character other than "
           "'\"'",
           quote({&*delimiter, 1}));
    }
  }
  if (!options.text_column.empty() && options.text_column == options.label_column) {
    fail(ErrorKind::kUsage, "--text-column and --label-column are both {}, expected two columns",
         quote_name(options.text_column));
  }
}

}  // namespace xylem
