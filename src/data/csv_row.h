// SPDX-License-Identifier: Apache-2.0
// CSV as RFC 4180 has it, with any character between the fields; a field in quotes may hold that character, line breaks
// and, doubled, quotes.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace xylem {

struct CsvSyntax {
  char delimiter = ',';
  bool quotes = true;  // without, a quote is an ordinary character and every record is a line
  // A field that begins with a quote, but does not end with one as RFC 4180 demands, is taken as it is. A field that
  // ends nowhere in the file, too; only parse_texts() can know that.
  bool lenient = false;
};

// Where the record at the begin of `text` ends, its '\n' included; npos where it does not end within `text`.
std::size_t csv_record_end(std::string_view text, CsvSyntax syntax = {});

// `text` cut at the first record end behind each multiple of `chunk_bytes`. What follows the last record end is left
// out.
std::vector<std::string_view> cut_csv_chunks(std::string_view text, std::size_t chunk_bytes, CsvSyntax syntax = {});

// The fields of a record, which comes without its end. Throws BadRow.
std::vector<std::string> csv_fields(std::string_view record, CsvSyntax syntax = {});

}  // namespace xylem
