// SPDX-License-Identifier: Apache-2.0
// The steps of decide_layout, a file each.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "data/layout.h"

namespace xylem {

// The begin of a file, and what the user says of it.
struct FileStart {
  std::string_view lines;  // each with its '\n'
  const ReadOptions& options;
  const std::string& name;  // for messages

  bool names_columns() const { return !options.text_column.empty() || !options.label_column.empty(); }
  // Throws kData. `line` counts from 1.
  [[noreturn]] void fail_at(std::size_t line, std::string_view problem) const;
};

constexpr std::size_t kSampleRows = 1000;
// How users settle what is open.
constexpr std::string_view kColumnOptions = "--text-column and --label-column";

// The first line that is not blank, without its end, and its number; an empty one if there is none.
struct FirstLine {
  std::string_view text;
  std::size_t number = 1;
};
FirstLine first_line(std::string_view lines);

// Lines that are not blank, without their ends, kSampleRows at most.
std::vector<std::string_view> sample_lines(std::string_view lines);

// How labels stand in these cells, unless the user has said it.
LabelSyntax label_syntax_of(std::span<const std::string> cells, const ReadOptions& options);
bool are_uris(std::string_view cell);

// Whether a header that names a text stands first, by any delimiter that may be meant. Then `lines` are a table.
bool has_table_header(std::string_view lines, const ReadOptions& options);
// Whether the columns that the first line names show what stands between them.
bool header_tells_delimiter(std::string_view lines, const ReadOptions& options);
// Whether the rows have the same number of fields, two or more, between commas, semicolons or bars.
bool looks_like_table(std::string_view lines);

// Whether every line begins with a quote and has two fields, as programs for tables write TSV without a header.
bool is_quoted_tsv(std::string_view lines);
void lay_out_quoted_tsv(const FileStart& start, bool labels_last, TextLayout& layout);

// A table with a header or with columns that the user numbers. Throws kData if the columns cannot be found.
void lay_out_table(const FileStart& start, TextLayout& layout);
// Labels, TAB, text; or text, TAB, labels. Throws kData if that is open.
void lay_out_tsv(const FileStart& start, TextLayout& layout);
void lay_out_json(const FileStart& start, TextLayout& layout);

}  // namespace xylem
