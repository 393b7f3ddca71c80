// SPDX-License-Identifier: Apache-2.0
#include "data/text_row.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/text.h"
#include "data/format.h"
#include "data/json_text.h"
#include "data/number_token.h"
#include "data/trimmed.h"

namespace xylem {
namespace {

constexpr std::string_view kOtherSeparators = ";|";  // beside the comma

bool begins_uri(std::string_view text) {
  const std::string_view begins[] = {"<", "http://", "https://", "urn:"};
  return std::ranges::any_of(begins, [&](std::string_view begin) { return text.starts_with(begin); });
}

// Where the first URI ends, which has no brackets: at a blank, at the separator, or at ';' or '|' if another one
// follows.
std::size_t uri_end(std::string_view cell, char separator) {
  for (std::size_t i = 0; i < cell.size(); ++i) {
    if (is_blank(cell[i]) || cell[i] == separator) return i;
    if (kOtherSeparators.find(cell[i]) == std::string_view::npos) continue;
    const std::string_view rest = without_blanks_before(cell.substr(i + 1));
    if (rest.empty() || begins_uri(rest)) return i;
  }
  return cell.size();
}

// <http://a> <http://b>, the brackets may be missing, and separators may stand between.
void split_uris(std::string_view cell, char separator, TextList& labels) {
  while (true) {
    const auto begin = std::find_if_not(cell.begin(), cell.end(), [&](char c) {
      return is_blank(c) || c == separator || kOtherSeparators.find(c) != std::string_view::npos;
    });
    cell = {begin, cell.end()};
    if (cell.empty()) return;
    const std::size_t close = cell.front() == '<' ? cell.find('>') : std::string_view::npos;
    if (close != std::string_view::npos) {
      if (close > 1) labels.push_back(cell.substr(1, close - 1));
      cell.remove_prefix(close + 1);
      continue;
    }
    const std::string_view uri = cell.substr(0, uri_end(cell, separator));
    if (uri.find(':') == std::string_view::npos) {
      throw BadRow{
          fmt::format("found {} among the labels, expected URIs such as <http://example.org/1>, as in the first "
                      "lines (or --label-separator)",
                      quote(uri))};
    }
    labels.push_back(uri);
    cell.remove_prefix(uri.size());
  }
}

// ['a', "b"], [] or [a, b]; a backslash takes the next character as it is.
void split_list(std::string_view cell, TextList& labels) {
  cell = without_blanks(cell);
  if (cell.empty()) return;
  const std::string_view content = list_content(cell);
  if (content.empty()) {
    throw BadRow{
        fmt::format("found the labels {}, expected a list in brackets, as in the first lines (or "
                    "--label-separator)",
                    quote(cell))};
  }
  cell = content.substr(1);
  std::string label;
  while (true) {
    cell.remove_prefix(std::min(cell.find_first_not_of(" \t\r\n,"), cell.size()));
    if (cell.empty()) return;
    label.clear();
    const char quote_mark = cell.front();
    if (quote_mark == '\'' || quote_mark == '"') {
      std::size_t i = 1;
      for (; i < cell.size() && cell[i] != quote_mark; ++i) {
        if (cell[i] == '\\' && i + 1 < cell.size()) ++i;
        label += cell[i];
      }
      if (i == cell.size()) throw BadRow{fmt::format("found {} without an end, expected a closing quote", quote(cell))};
      cell.remove_prefix(i + 1);
    } else {
      label = without_blanks(cell.substr(0, cell.find(',')));
      cell.remove_prefix(std::min(cell.find(','), cell.size()));
    }
    if (!label.empty()) labels.push_back(label);
  }
}

std::string wrong_count_problem(std::string_view record, std::size_t n_fields, CsvSyntax csv,
                                const TableColumns& columns) {
  std::string problem = fmt::format("found {} fields, expected {} as in the {}", n_fields, columns.count,
                                    columns.from_header ? "header" : "first line");
  if (n_fields < columns.count) return problem;
  if (record.find(csv.delimiter + std::string(" \"")) != std::string_view::npos) {
    return problem + "; a blank before a quote makes it an ordinary character";
  }
  return csv.delimiter == '\t' ? problem
                               : problem + fmt::format("; a field with '{}' in it needs quotes", csv.delimiter);
}

}  // namespace

std::string_view list_content(std::string_view cell) {
  if (cell.size() < 2) return {};
  const bool brackets = cell.front() == '[' && cell.back() == ']';
  // Sets and tuples hold strings; (a) may be a name.
  const bool others = (cell.front() == '(' && cell.back() == ')') || (cell.front() == '{' && cell.back() == '}');
  const bool quoted = cell.size() > 3 && (cell[1] == '\'' || cell[1] == '"');
  return brackets || (others && quoted) ? cell.substr(0, cell.size() - 1) : std::string_view();
}

void split_labels(std::string_view cell, const LabelSyntax& syntax, TextList& labels) {
  if (syntax.kind == LabelSyntax::kUris) return split_uris(cell, syntax.separator, labels);
  if (syntax.kind == LabelSyntax::kList) return split_list(cell, labels);
  while (!cell.empty()) {
    const std::size_t end = std::min(cell.find(syntax.separator), cell.size());
    const std::string_view label = without_blanks(cell.substr(0, end));
    if (!label.empty()) labels.push_back(label);
    cell.remove_prefix(std::min(end + 1, cell.size()));
  }
}

void take_labels(std::string_view cell, const LabelSyntax& syntax, TextRow& row) {
  const std::size_t begin = row.labels.size();
  split_labels(cell, syntax, row.labels);
  if (syntax.kind != LabelSyntax::kSeparated || cell.find_first_of(kOtherSeparators) == std::string_view::npos) return;
  for (std::size_t i = begin; i < row.labels.size(); ++i) {
    if (row.labels[i].find_first_of(kOtherSeparators) != std::string_view::npos) row.joined_label = row.labels[i];
  }
}

void parse_fasttext(std::string_view line, TextRow& row) {
  const auto take_labels = [&] {
    line = without_blanks_before(line);
    while (line.starts_with(kFasttextPrefix)) {
      const auto end = std::find_if(line.begin(), line.end(), is_blank);
      const std::string_view name = std::string_view(line.begin(), end).substr(kFasttextPrefix.size());
      if (name.empty()) throw BadRow{"found '__label__' without a name, expected a label like '__label__name'"};
      row.labels.push_back(name);
      line = without_blanks_before({end, line.end()});
    }
  };
  take_labels();
  for (std::size_t at = 0; (at = line.find(kFasttextPrefix, at)) != std::string_view::npos;) {
    if (!is_blank(line[at - 1])) {  // within a word
      at += kFasttextPrefix.size();
      continue;
    }
    row.text += line.substr(0, at);
    line.remove_prefix(at);
    take_labels();
    at = 0;
  }
  row.text += line;
  if (line.empty()) row.text = without_blanks(row.text);
}

void parse_tsv(std::string_view line, bool labels_last, const LabelSyntax& syntax, TextRow& row) {
  const std::size_t tab = labels_last ? line.rfind('\t') : line.find('\t');
  if (tab == std::string_view::npos) {
    throw BadRow{fmt::format("found no TAB in {}, expected {}", quote(line),
                             labels_last ? "text, TAB and labels" : "labels, TAB and text")};
  }
  const std::string_view before = line.substr(0, tab), behind = line.substr(tab + 1);
  take_labels(labels_last ? behind : before, syntax, row);
  row.text = labels_last ? before : behind;
}

void parse_record(std::string_view record, CsvSyntax csv, const TableColumns& columns, const LabelSyntax& labels,
                  TextRow& row) {
  std::vector<std::string> fields = csv_fields(record, csv);
  if (fields.size() != columns.count) throw BadRow{wrong_count_problem(record, fields.size(), csv, columns)};
  const auto given = [](std::size_t column) { return column != TableColumns::kNone; };
  if (given(columns.labels)) take_labels(fields[columns.labels], labels, row);
  if (given(columns.id) && !fields[columns.id].empty()) append_json_string(fields[columns.id], row.id);
  if (given(columns.title)) {
    join_title(std::move(fields[columns.title]), fields[columns.text], row);
  } else {
    row.text = std::move(fields[columns.text]);
  }
}

}  // namespace xylem
