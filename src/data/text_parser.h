// SPDX-License-Identifier: Apache-2.0
// Lines of a text format to rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "data/bad_lines.h"
#include "data/layout.h"
#include "data/name_table.h"
#include "xylem/corpus.h"

namespace xylem {

struct TextRules {
  TextLayout layout;
  bool replace_bad_utf8 = false;
  std::size_t max_bad_lines = 0;
  bool keep_labels = true;  // otherwise rows come without labels
};

// What a line without a single character is; at the end of a file it is nothing in any format.
enum class BlankLine { kRow, kNothing, kBad };
BlankLine blank_line_in(const TextLayout& layout);
constexpr std::string_view kBlankLineProblem = "found an empty line, expected labels, TAB and text";

// What became of some lines. Reused from block to block: all keep their memory.
struct ParsedTexts {
  TextList texts;
  TextList ids;  // as in Corpus
  LabelLists labels;
  NameTable label_names;
  std::size_t duplicate_labels = 0;
  std::size_t n_joined_labels = 0;               // rows with a label that may be several
  std::string joined_label;                      // the first
  std::size_t typed_tabs = 0, typed_labels = 0;  // as in ReadReport
  std::size_t typed_arrays = 0;                  // for those that begin a JSON array
  std::size_t typed_rows = 0;                    // the same for lines that look like sparse rows
  std::size_t replaced_utf8 = 0;
  std::vector<BadLine> replaced_lines;  // the first kMaxProblems; they are no bad ones
  std::size_t n_replaced_lines = 0;
  std::vector<BadLine> bad_lines;  // in order
  std::size_t n_lines = 0;         // in all
  std::size_t trailing_blank = 0;  // those at the end: they become rows or bad lines only if something follows

  void clear();
};

// Parses `lines`, the last of which ends in '\n' too (records for a table), and replaces what was in `out`. Stops early
// after more than rules.max_bad_lines bad lines.
void parse_texts(std::string_view lines, const TextRules& rules, ParsedTexts& out);

}  // namespace xylem
