// SPDX-License-Identifier: Apache-2.0
#include "data/csv_row.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/text.h"

namespace xylem {
namespace {

constexpr std::size_t kOpen = std::string_view::npos;

// Where the quotes that open at text[begin] close; kOpen where they do not.
std::size_t closing_quote(std::string_view text, std::size_t begin) {
  std::size_t quote = text.find('"', begin + 1);
  while (quote != kOpen && quote + 1 < text.size() && text[quote + 1] == '"') quote = text.find('"', quote + 2);
  return quote;
}

std::string without_doubled_quotes(std::string_view text) {
  std::string result;
  while (true) {
    const std::size_t end = std::min(text.find('"'), text.size());
    result.append(text, 0, end + 1);  // with the first quote of a pair
    if (end == text.size()) return result;
    text.remove_prefix(end + 2);
  }
}

}  // namespace

std::size_t csv_record_end(std::string_view text) {
  std::size_t p = 0;
  while (p < text.size()) {
    if (text[p] == '"') {  // only at the begin of a field does a quote mean anything
      p = closing_quote(text, p);
      if (p == kOpen) return kOpen;
    }
    while (p < text.size() && text[p] != ',' && text[p] != '\n') ++p;
    if (p == text.size()) return kOpen;
    if (text[p++] == '\n') return p;
  }
  return kOpen;
}

std::vector<std::string_view> cut_csv_chunks(std::string_view text, std::size_t chunk_bytes) {
  std::vector<std::string_view> chunks;
  std::size_t size = 0;
  while (true) {
    const std::size_t length = csv_record_end(text.substr(size));
    if (length != kOpen) size += length;
    if (size > 0 && (length == kOpen || size >= chunk_bytes)) {
      chunks.push_back(text.substr(0, size));
      text.remove_prefix(size);
      size = 0;
    }
    if (length == kOpen) return chunks;
  }
}

std::vector<std::string> csv_fields(std::string_view record) {
  std::vector<std::string> fields;
  while (true) {
    std::size_t end = record.find(',');
    if (record.starts_with('"')) {
      const std::size_t quote_end = closing_quote(record, 0);
      if (quote_end == kOpen) {
        throw BadRow{fmt::format("found {} without an end, expected a closing '\"'", quote(record))};
      }
      fields.push_back(without_doubled_quotes(record.substr(1, quote_end - 1)));
      end = quote_end + 1;
      if (end == record.size()) return fields;
      if (record[end] != ',') {
        throw BadRow{fmt::format("found {} after a closing quote, expected ','", quote(record.substr(end)))};
      }
    } else {
      fields.emplace_back(record.substr(0, end));
      if (end == kOpen) return fields;
    }
    record.remove_prefix(end + 1);
  }
}

CsvColumns csv_columns(std::string_view header) {
  const std::vector<std::string> names = csv_fields(header);
  CsvColumns columns;
  columns.count = names.size();
  const std::pair<std::string_view, std::size_t*> known[] = {
      {"text", &columns.text}, {"labels", &columns.labels}, {"id", &columns.id}, {"title", &columns.title}};
  for (const auto& [name, place] : known) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) continue;
    *place = static_cast<std::size_t>(found - names.begin());
    if (std::find(found + 1, names.end(), name) != names.end()) {
      throw BadRow{fmt::format("found two columns called '{}', expected one", name)};
    }
  }
  if (columns.text == CsvColumns::kNone) {
    std::vector<std::string> quoted;
    for (const std::string& name : names) quoted.push_back(quote(name));
    throw BadRow{
        fmt::format("found the columns {}, expected a header with the column 'text'", fmt::join(quoted, ", "))};
  }
  return columns;
}

void parse_csv(std::string_view record, const CsvColumns& columns, char label_separator, TextRow& row) {
  std::vector<std::string> fields = csv_fields(record);
  if (fields.size() != columns.count) {
    throw BadRow{fmt::format("found {} fields, expected {} as in the header", fields.size(), columns.count)};
  }
  const auto given = [](std::size_t column) { return column != CsvColumns::kNone; };
  row.text = std::move(fields[columns.text]);
  if (given(columns.title)) row.text = join_title(std::move(fields[columns.title]), row.text);
  if (given(columns.id)) row.id = std::move(fields[columns.id]);
  if (given(columns.labels)) split_labels(fields[columns.labels], label_separator, row.labels);
}

}  // namespace xylem
