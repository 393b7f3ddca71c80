// SPDX-License-Identifier: Apache-2.0
// CSV as RFC 4180 has it: fields between commas; a field in quotes may hold commas, line breaks and, doubled, quotes.
#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "data/text_row.h"

namespace xylem {

// Where the record at the begin of `text` ends, its '\n' included; npos where it does not end within `text`.
std::size_t csv_record_end(std::string_view text);

// `text` cut at the first record end behind each multiple of `chunk_bytes`. What follows the last record end is left
// out.
std::vector<std::string_view> cut_csv_chunks(std::string_view text, std::size_t chunk_bytes);

// The fields of a record, which comes without its end. Throws BadRow.
std::vector<std::string> csv_fields(std::string_view record);

// Where the header says things stand.
struct CsvColumns {
  static constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();
  std::size_t count = 0;
  std::size_t text = kNone, labels = kNone, id = kNone, title = kNone;
};

// Throws BadRow where there is no text among the columns, or one of those we know occurs twice.
CsvColumns csv_columns(std::string_view header);

// A title is put before the text. Throws BadRow.
void parse_csv(std::string_view record, const CsvColumns& columns, char label_separator, TextRow& row);

}  // namespace xylem
