// SPDX-License-Identifier: Apache-2.0
// One row of a text format, and the parsers that fill it. The bytes they get are UTF-8 without NUL bytes.
#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "data/column_names.h"
#include "data/csv_row.h"
#include "xylem/corpus.h"

namespace xylem {

struct TextRow {
  std::string text;
  std::size_t title_bytes = 0;  // with which the text begins
  std::string id;               // as in Corpus: JSON, empty if the row has none
  TextList labels;              // none of them empty; as in label_key.h
  // A label that may be several, with another separator than the one that was looked for; empty if there is none.
  std::string joined_label;

  void clear() {
    joined_label.clear();
    text.clear();
    title_bytes = 0;
    id.clear();
    labels.clear();
  }
};

// What parsers throw: the row makes no sense. Never leaves the reader of the file.
struct BadRow {
  std::string problem;  // "found ..., expected ..."
};

// How labels stand in one cell of a table.
struct LabelSyntax {
  enum Kind {
    kSeparated,  // a,b
    kUris,       // <http://a> <http://b>, as Annif writes them; also without brackets
    kList,       // ['a', "b"], as programs print their lists
  };
  Kind kind = kSeparated;
  char separator = ',';
};

// Where the cells of a table stand, from 0.
struct TableColumns {
  static constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();
  std::size_t count = 0;
  std::size_t text = kNone, labels = kNone, id = kNone, title = kNone;
  bool from_header = true;  // for messages
};

// The keys that JSON objects have for the parts of a row: of several in a list the first that is there counts.
struct JsonKeys {
  std::vector<std::string> text = {"text"};
  std::string title = "title", content = "content";  // together where there is no text; empty: none
  std::vector<std::string> labels = {"labels", "subjects", "target_ind"};
  std::vector<std::string> ids{known_id_names().begin(), known_id_names().end()};
  std::optional<char> label_separator;  // of labels in one string; none: that is one label
};

// The row's text is `title` and `body` with a line break between them; if one is empty, the other alone.
inline void join_title(std::string title, std::string_view body, TextRow& row) {
  row.title_bytes = title.size();
  if (!title.empty() && !body.empty()) title += '\n';
  row.text = std::move(title.append(body));
}

// What a list as programs print it holds, with its opening bracket: of ['a', 'b'], ('a', 'b') or {'a', 'b'}. Empty if
// the cell is no list.
std::string_view list_content(std::string_view cell);

// The labels of a cell, without blanks around them; empty ones are no labels. Throws BadRow.
void split_labels(std::string_view cell, const LabelSyntax& syntax, TextList& labels);
// The same, into a row.
void take_labels(std::string_view cell, const LabelSyntax& syntax, TextRow& row);

// The words with the prefix `__label__` are labels, wherever they stand; the text is the rest. The line comes without
// its end; `row` is empty before. The same goes for all of them.
void parse_fasttext(std::string_view line, TextRow& row);

// `a,b<TAB>text`, further TABs belong to the text; or `text<TAB>a,b`, where earlier ones do.
void parse_tsv(std::string_view line, bool labels_last, const LabelSyntax& syntax, TextRow& row);

// A record of a table. A title is put before the text.
void parse_record(std::string_view record, CsvSyntax csv, const TableColumns& columns, const LabelSyntax& labels,
                  TextRow& row);

}  // namespace xylem
