// SPDX-License-Identifier: Apache-2.0
// How the rows of a file of texts are laid out: decided once, from its first lines and what the user says, before any
// row is parsed.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/csv_row.h"
#include "data/text_row.h"
#include "xylem/dataset.h"

namespace xylem {

struct TextLayout {
  bool is_table() const { return columns.count > 0; }

  std::string_view format;  // one of text_input_formats()
  bool typed = false;       // lines that nobody named so: what looks like another format is counted
  // csv, and tsv with more than labels and text: a table. columns.count is 0 for plain tsv.
  CsvSyntax csv;
  TableColumns columns;
  bool labels_last = false;  // plain tsv: labels stand behind the last TAB, not before the first
  LabelSyntax label_syntax;  // of a cell of csv or tsv
  JsonKeys keys;
  // What stands before the first row: blank lines, a header.
  std::size_t skipped_bytes = 0;
  std::size_t skipped_lines = 0;
  // What was guessed, a sentence each; none if the file is as docs/data-format.md says it should be.
  std::vector<std::string> remarks;
};

// `lines` are what LineBlocks::first_lines() gives, not all blank; `name` is what messages call the file. Throws kData
// if the format is open, kUsage for column options that do not go together.
TextLayout decide_layout(std::string_view lines, const ReadOptions& options, const std::string& name);

// The layout of a table whose header, its first line, leaves nothing open: rows need not be seen. Only they can tell
// how labels stand in their cells, and whether quotes are ordinary characters: labels are not to matter, and quotes are
// `lenient`. Nothing if the line leaves more open.
std::optional<TextLayout> layout_of_header(std::string_view line, const ReadOptions& options, const std::string& name);

// Throws kUsage for a separator or delimiter that cannot be one, and for column options that contradict each other.
void check_layout_options(const ReadOptions& options);

}  // namespace xylem
