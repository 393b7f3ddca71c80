// SPDX-License-Identifier: Apache-2.0
// One row of a text format, and the parsers that fill it. The bytes they get are UTF-8 without NUL bytes.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "xylem/corpus.h"

namespace xylem {

struct TextRow {
  std::string text;
  std::string id;   // empty where the row has none
  TextList labels;  // none of them empty

  void clear() {
    text.clear();
    id.clear();
    labels.clear();
  }
};

// What parsers throw: the row makes no sense. Never leaves the reader of the file.
struct BadRow {
  std::string problem;  // "found ..., expected ..."
};

// `title` and `body` with a line break between them; where one is empty, the other alone.
inline std::string join_title(std::string title, std::string_view body) {
  if (!title.empty() && !body.empty()) title += '\n';
  return std::move(title.append(body));
}

// The parts of `list` between separators, without blanks around them; empty ones are no labels.
void split_labels(std::string_view list, char separator, TextList& labels);

// `__label__a __label__b text`. The line comes without its end; `row` is empty before. The same goes for all of them.
void parse_fasttext(std::string_view line, TextRow& row);

// `a,b<TAB>text`; further TABs belong to the text.
void parse_tsv(std::string_view line, char label_separator, TextRow& row);

}  // namespace xylem
