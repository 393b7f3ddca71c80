// SPDX-License-Identifier: Apache-2.0
#include "data/csv_row.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/text.h"
#include "data/text_row.h"

namespace xylem {
namespace {

constexpr std::size_t kOpen = std::string_view::npos;

// Where the quotes that open at text[begin] close; kOpen where they do not.
std::size_t closing_quote(std::string_view text, std::size_t begin) {
  std::size_t quote = text.find('"', begin + 1);
  while (quote != kOpen && quote + 1 < text.size() && text[quote + 1] == '"') quote = text.find('"', quote + 2);
  return quote;
}

// Whether the field that is in quotes up to `quote` ends there.
bool ends_field(std::string_view text, std::size_t quote, CsvSyntax syntax) {
  const std::string_view rest = text.substr(quote + 1);
  return rest.empty() || rest.front() == syntax.delimiter || rest.front() == '\n' || rest.starts_with("\r\n");
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

std::size_t csv_record_end(std::string_view text, CsvSyntax syntax) {
  std::size_t p = 0;
  while (p < text.size()) {
    if (syntax.quotes && text[p] == '"') {  // only at the begin of a field does a quote mean anything
      const std::size_t quote = closing_quote(text, p);
      if (quote == kOpen) return kOpen;
      if (!syntax.lenient || ends_field(text, quote, syntax)) p = quote;
    }
    while (p < text.size() && text[p] != syntax.delimiter && text[p] != '\n') ++p;
    if (p == text.size()) return kOpen;
    if (text[p++] == '\n') return p;
  }
  return kOpen;
}

std::vector<std::string_view> cut_csv_chunks(std::string_view text, std::size_t chunk_bytes, CsvSyntax syntax) {
  std::vector<std::string_view> chunks;
  std::size_t size = 0;
  while (true) {
    const std::size_t length = csv_record_end(text.substr(size), syntax);
    if (length != kOpen) size += length;
    if (size > 0 && (length == kOpen || size >= chunk_bytes)) {
      chunks.push_back(text.substr(0, size));
      text.remove_prefix(size);
      size = 0;
    }
    if (length == kOpen) return chunks;
  }
}

std::vector<std::string> csv_fields(std::string_view record, CsvSyntax syntax) {
  std::vector<std::string> fields;
  while (true) {
    std::size_t end = record.find(syntax.delimiter);
    const bool begins_quoted = syntax.quotes && record.starts_with('"');
    const std::size_t quote_end = begins_quoted ? closing_quote(record, 0) : kOpen;
    const bool is_ordinary = syntax.lenient && (quote_end == kOpen || !ends_field(record, quote_end, syntax));
    if (begins_quoted && !is_ordinary) {
      if (quote_end == kOpen) {
        throw BadRow{fmt::format("found {} without an end, expected a closing '\"'", quote(record))};
      }
      fields.push_back(without_doubled_quotes(record.substr(1, quote_end - 1)));
      end = quote_end + 1;
      if (end == record.size()) return fields;
      if (record[end] != syntax.delimiter) {
        throw BadRow{fmt::format("found {} after a closing quote, expected {}", quote(record.substr(end)),
                                 syntax.delimiter == '\t' ? "a TAB" : fmt::format("'{}'", syntax.delimiter))};
      }
    } else {
      fields.emplace_back(record.substr(0, end));
      if (end == kOpen) return fields;
    }
    record.remove_prefix(end + 1);
  }
}

}  // namespace xylem
