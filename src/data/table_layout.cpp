// SPDX-License-Identifier: Apache-2.0
// Tables: what stands between their fields, and which columns hold text, labels and id.
#include <fmt/format.h>

#include <algorithm>
#include <cassert>

#include "core/numbers.h"
#include "core/text.h"
#include "data/column_names.h"
#include "data/layout_parts.h"
#include "data/trimmed.h"
#include "data/utf8.h"

namespace xylem {
namespace {

constexpr std::string_view kDelimiters = ",;\t|";

struct Record {
  std::vector<std::string> fields;
  std::size_t begin_line = 1;  // of its first line
  std::size_t end_bytes = 0;   // where it ends, its line end included
  std::size_t end_lines = 0;   // so many lines end before that
};

// The records at the begin of a file that are not blank, as far as they can be understood.
struct Records {
  std::vector<Record> list;
  std::size_t bad = 0;
};

// Excel's first line `sep=;`.
std::optional<char> named_delimiter(std::string_view record) {
  const std::string_view line = without_line_end(record);
  if (line.size() != 5 || folded_name(line.substr(0, 4)) != "sep=") return std::nullopt;
  return line[4];
}

Records read_records(std::string_view lines, CsvSyntax syntax, std::size_t most) {
  Records records;
  std::size_t begin = 0, n_lines = 0;
  while (begin < lines.size() && records.list.size() < most) {
    const std::string_view rest = lines.substr(begin);
    std::size_t size = csv_record_end(rest, syntax);
    if (size == std::string_view::npos) {  // a quote that is not closed here
      if (rest.find('\n') != std::string_view::npos) break;
      size = rest.size();
    }
    const std::string_view record = lines.substr(begin, size);
    const std::size_t first = n_lines;
    begin += size;
    n_lines += static_cast<std::size_t>(std::ranges::count(record, '\n'));
    const std::string_view line = without_line_end(record);
    if (line.empty() || (records.list.empty() && named_delimiter(line))) continue;
    try {
      records.list.push_back({csv_fields(line, syntax), first + 1, begin, n_lines});
    } catch (const BadRow&) {
      ++records.bad;
    }
  }
  return records;
}

// Whether all records have as many fields as the first one.
bool even(const Records& records) {
  return records.bad == 0 && std::ranges::all_of(records.list, [&](const Record& record) {
           return record.fields.size() == records.list.front().fields.size();
         });
}

// What a reading of the begin of a file comes to.
struct Shape {
  std::size_t n_records = 0;
  std::size_t n_fields = 0;   // of each record, if it is even
  std::size_t end_bytes = 0;  // of the last record
  bool is_even = false;
};

Shape shape_of(std::string_view lines, CsvSyntax syntax) {
  const Records records = read_records(lines, syntax, kSampleRows);
  if (records.list.empty()) return {};
  return {records.list.size(), records.list.front().fields.size(), records.list.back().end_bytes, even(records)};
}

// Whether quotes make fewer records of the same lines.
bool quotes_join_lines(const Shape& quoted, const Shape& plain) {
  return quoted.n_records < plain.n_records || quoted.end_bytes > plain.end_bytes;
}

// Quotes are what RFC 4180 makes of them, unless only the other reading gives every record the same fields. In TSV they
// are often ordinary characters: there it suffices that they would join lines that are even without them.
CsvSyntax syntax_of(std::string_view lines, char delimiter) {
  const Shape quoted = shape_of(lines, {delimiter, true});
  const Shape plain = shape_of(lines, {delimiter, false});
  const bool plain_fits = plain.is_even && plain.n_fields > 1;
  if (!quoted.is_even) return {delimiter, !plain_fits};
  return {delimiter, !(plain_fits && delimiter == '\t' && quotes_join_lines(quoted, plain))};
}

std::string delimiters_of(std::string_view lines, const ReadOptions& options) {
  if (options.delimiter) return {*options.delimiter};
  if (options.format == "tsv") return "\t";
  const std::string_view first = first_line(lines).text;
  if (const auto named = named_delimiter(first)) return {*named};
  return std::string(kDelimiters);
}

bool names_a_table(const std::vector<std::string>& names, char delimiter) {
  const auto knows = [&](std::span<const std::string_view> known) { return find_known(names, known).has_value(); };
  const bool text = knows(known_text_names());
  const bool title = find_name(names, kTitleName).has_value();
  if (delimiter == '\t' || delimiter == '|') {
    return names.size() > 1 && (text || title) &&
           (knows(known_label_names()) || knows(known_id_names()) || (text && title));
  }
  if (std::ranges::find(names, "text") != names.end()) return true;
  return names.size() > 1 && (text || (title && knows(known_label_names())));
}

std::optional<Record> first_record(std::string_view lines, char delimiter, const ReadOptions& options) {
  const Records records = read_records(lines, {delimiter, true}, 1);
  if (records.list.empty() || records.bad > 0) return std::nullopt;
  // A comma in a line with TABs stands in a text.
  if (!options.delimiter && delimiter != '\t' && first_line(lines).text.find('\t') != std::string_view::npos)
    return std::nullopt;
  return records.list.front();
}

// The delimiter of the table whose header has these names; nothing if no header is known.
std::optional<char> header_delimiter(std::string_view lines, const ReadOptions& options) {
  for (const char delimiter : delimiters_of(lines, options)) {
    const auto record = first_record(lines, delimiter, options);
    if (record && names_a_table(record->fields, delimiter)) return delimiter;
  }
  return std::nullopt;
}

// The delimiter that gives most records the same number of fields, two or more.
std::optional<char> even_delimiter(std::string_view lines, const ReadOptions& options) {
  std::optional<char> best;
  std::size_t most_fields = 1;
  for (const char delimiter : delimiters_of(lines, options)) {
    const Shape shape = shape_of(lines, syntax_of(lines, delimiter));
    if (!shape.is_even || shape.n_fields <= most_fields) continue;
    best = delimiter;
    most_fields = shape.n_fields;
  }
  return best;
}

// The number, from 0, that the user gives a column; kNone if it is a name.
std::size_t numbered(const std::string& wanted) {
  const auto number = parse_number<std::size_t>(wanted);
  return number && *number > 0 ? *number - 1 : TableColumns::kNone;
}

std::optional<char> delimiter_of_named_columns(std::string_view lines, const ReadOptions& options) {
  for (const char delimiter : delimiters_of(lines, options)) {
    const auto record = first_record(lines, delimiter, options);
    if (!record) continue;
    const auto has = [&](const std::string& wanted) {
      return wanted.empty() || find_name(record->fields, wanted) ||
             (numbered(wanted) < record->fields.size() && record->fields.size() > 1);
    };
    if (has(options.text_column) && has(options.label_column)) return delimiter;
  }
  return std::nullopt;
}

// Names are surer than numbers, which fit any table that is wide enough.
bool names_columns_by_name(const ReadOptions& options) {
  return !(options.text_column.empty() && options.label_column.empty()) &&
         numbered(options.text_column) == TableColumns::kNone && numbered(options.label_column) == TableColumns::kNone;
}

class TableLayout {
 public:
  TableLayout(const FileStart& start, TextLayout& layout) : start_(start), layout_(layout) {}

  void decide();

 private:
  [[noreturn]] void fail_without_records() const;
  void take_header(const Record& first);
  void skip_what_is_before_rows(const Record& first);
  char find_delimiter() const;
  std::optional<std::size_t> column(const std::string& wanted, const char* what) const;
  void refuse_twice(std::optional<std::size_t> column) const;
  bool take_texts(std::optional<std::size_t> labels);
  void take_names();
  void take_numbers();
  bool becomes_plain_tsv(const Records& records);
  void find_label_syntax(const Records& records);
  void remark_on_columns();
  std::string name_of(std::size_t column) const { return list_names({&names_[column], 1}); }
  [[noreturn]] void fail_with_columns(std::string_view problem) const;

  const FileStart& start_;
  TextLayout& layout_;
  std::size_t first_line_ = 1;      // of the first record
  std::vector<std::string> names_;  // of the header
};

void TableLayout::fail_with_columns(std::string_view problem) const {
  start_.fail_at(first_line_, fmt::format("found the {} {}, expected {}", names_.size() == 1 ? "column" : "columns",
                                          list_names(names_), problem));
}

char TableLayout::find_delimiter() const {
  if (start_.options.delimiter) return *start_.options.delimiter;
  if (names_columns_by_name(start_.options)) {
    if (const auto found = delimiter_of_named_columns(start_.lines, start_.options)) return *found;
  }
  if (const auto found = header_delimiter(start_.lines, start_.options)) return *found;
  if (const auto found = even_delimiter(start_.lines, start_.options)) return *found;
  if (start_.names_columns()) {
    if (const auto found = delimiter_of_named_columns(start_.lines, start_.options)) return *found;
  }
  return delimiters_of(start_.lines, start_.options).front();
}

// Where the column is that the user wants; nothing if none is wanted.
std::optional<std::size_t> TableLayout::column(const std::string& wanted, const char* option) const {
  if (wanted.empty()) return std::nullopt;
  if (const auto found = find_name(names_, wanted)) return found;
  const std::size_t number = numbered(wanted);
  if (number < names_.size()) return number;
  fail_with_columns(fmt::format("the one that {} names: {}", option, quote_name(wanted)));
}

// Which of two columns of the same name is meant nobody knows.
void TableLayout::refuse_twice(std::optional<std::size_t> column) const {
  if (!column) return;
  const std::string folded = folded_name(names_[*column]);
  const auto same = std::ranges::count_if(names_, [&](const std::string& name) { return folded_name(name) == folded; });
  if (same < 2 || (*column != *find_name(names_, names_[*column]))) return;
  const auto exactly = std::ranges::count(names_, names_[*column]);
  if (exactly == 1 && names_[*column] == folded) return;  // text, beside a Text
  start_.fail_at(first_line_, fmt::format("found two columns called {}, expected one", quote_name(names_[*column])));
}

// The reader of rows would look for the end of an open quote, maybe through gigabytes.
void TableLayout::fail_without_records() const {
  const FirstLine first = first_line(start_.lines);
  try {
    csv_fields(first.text, layout_.csv);
  } catch (const BadRow& bad) {
    start_.fail_at(first.number, bad.problem);
  }
  start_.fail_at(first.number, "found no record, expected a header and rows");
}

// The names of the columns, which may prove to be no header.
void TableLayout::take_header(const Record& first) {
  first_line_ = first.begin_line;
  names_ = first.fields;
  for (std::string& name : names_) {
    std::string repaired;
    if (find_bad_utf8(name).size > 0) {
      replace_bad_utf8(name, repaired);
      name = repaired;
    }
  }
}

void TableLayout::skip_what_is_before_rows(const Record& first) {
  if (layout_.columns.from_header) {
    layout_.skipped_bytes = first.end_bytes;
    layout_.skipped_lines = first.end_lines;
    return;
  }
  const std::string_view line = first_line(start_.lines).text;
  const std::string_view before = start_.lines.substr(0, start_.lines.find(line));
  layout_.skipped_bytes = before.size();
  layout_.skipped_lines = static_cast<std::size_t>(std::ranges::count(before, '\n'));
  if (named_delimiter(line)) {
    layout_.skipped_bytes = start_.lines.find('\n', layout_.skipped_bytes) + 1;
    ++layout_.skipped_lines;
  }
}

void TableLayout::decide() {
  const char delimiter = find_delimiter();
  layout_.csv = syntax_of(start_.lines, delimiter);
  layout_.csv.lenient = delimiter == '\t';
  const Records records = read_records(start_.lines, layout_.csv, kSampleRows);
  if (records.list.empty()) fail_without_records();
  take_header(records.list.front());
  layout_.columns.count = names_.size();
  layout_.format = delimiter == '\t' ? "tsv" : "csv";
  if (start_.names_columns()) {
    take_numbers();
  } else {
    take_names();
  }
  find_label_syntax(records);
  if (becomes_plain_tsv(records)) return;
  for (const std::size_t* known :
       {&layout_.columns.text, &layout_.columns.labels, &layout_.columns.id, &layout_.columns.title}) {
    if (*known != TableColumns::kNone && layout_.columns.from_header) refuse_twice(*known);
  }
  skip_what_is_before_rows(records.list.front());
  remark_on_columns();
}

// Two numbered columns with a TAB between them: the text may hold more TABs.
bool TableLayout::becomes_plain_tsv(const Records& records) {
  TableColumns& columns = layout_.columns;
  if (layout_.csv.delimiter != '\t' || columns.from_header || columns.labels == TableColumns::kNone) return false;
  const auto has_quotes = [](std::string_view line) {
    return line.starts_with('"') || line.find("\t\"") != std::string_view::npos;
  };
  const std::vector<std::string_view> lines = sample_lines(start_.lines);
  if (layout_.csv.quotes && std::ranges::any_of(lines, has_quotes)) return false;
  const bool labels_first = columns.labels == 0 && columns.text == 1 && (columns.count == 2 || !even(records));
  const bool labels_last = columns.text == 0 && columns.labels == 1 && columns.count == 2;
  if (!labels_first && !labels_last) return false;
  layout_.labels_last = labels_last;
  columns = {};
  layout_.remarks.clear();  // the user has said it
  return true;
}

// The columns of text and title that the header names, the one with the labels left out; false if there is none.
bool TableLayout::take_texts(std::optional<std::size_t> labels) {
  const auto text = find_known(names_, known_text_names(), labels);
  const auto title = find_known(names_, {&kTitleName, 1}, labels);
  if (!text && !title) return false;
  layout_.columns.text = text ? *text : *title;
  if (text && title) layout_.columns.title = *title;
  return true;
}

void TableLayout::take_names() {
  if (!take_texts({})) {
    fail_with_columns(
        "a header with the column 'text'; --text-column NAME and --label-column NAME name others, or their numbers");
  }
  TableColumns& columns = layout_.columns;
  columns.labels = find_known(names_, known_label_names()).value_or(TableColumns::kNone);
  columns.id = find_known(names_, known_id_names()).value_or(TableColumns::kNone);
}

// What the user names or numbers; the rest follows from the header, if there is one.
void TableLayout::take_numbers() {
  const auto text = column(start_.options.text_column, "--text-column");
  const auto labels = column(start_.options.label_column, "--label-column");
  if (text && labels && *text == *labels) {
    fail_with_columns(fmt::format("one for the text and another for the labels, but both are {}", name_of(*text)));
  }
  const auto by_name = [&](const std::string& wanted) {
    return !wanted.empty() && find_name(names_, wanted).has_value();
  };
  const auto known_at = [&](std::optional<std::size_t> column, std::span<const std::string_view> known) {
    return column && std::ranges::find(known, folded_name(names_[*column])) != known.end();
  };
  TableColumns& columns = layout_.columns;
  columns.from_header = by_name(start_.options.text_column) || by_name(start_.options.label_column) ||
                        known_at(text, known_text_names()) || known_at(labels, known_label_names());
  if (text) columns.text = *text;
  if (labels) columns.labels = *labels;
  if (columns.from_header) {
    if (!text) take_texts(labels);
    const auto other = find_known(names_, known_label_names());
    if (!labels && other && *other != columns.text) columns.labels = *other;
    const auto id = find_known(names_, known_id_names());
    if (id && *id != columns.text && *id != columns.labels) columns.id = *id;
  } else if (!text && names_.size() == 2) {
    columns.text = 1 - *labels;
  }
  if (columns.text == TableColumns::kNone) fail_with_columns("to be told which is the text, with --text-column");
  if (columns.from_header) return;
  layout_.remarks.push_back(fmt::format("the first line is a row, not a header: {} as text{}", name_of(columns.text),
                                        labels ? fmt::format(", {} as labels", name_of(*labels)) : ""));
}

void TableLayout::find_label_syntax(const Records& records) {
  const std::size_t column = layout_.columns.labels;
  if (column == TableColumns::kNone) return;
  std::vector<std::string> cells;
  const std::size_t begin = layout_.columns.from_header ? 1 : 0;
  for (std::size_t i = begin; i < records.list.size(); ++i) {
    if (column < records.list[i].fields.size()) cells.push_back(records.list[i].fields[column]);
  }
  layout_.label_syntax = label_syntax_of(cells, start_.options);
  if (!start_.options.label_separator && folded_name(names_[column]) == "subject_uris") {
    layout_.label_syntax.kind = LabelSyntax::kUris;
  }
}

// Silent only about what docs/data-format.md says a table looks like.
void TableLayout::remark_on_columns() {
  const TableColumns& columns = layout_.columns;
  if (!columns.from_header) return;
  const auto is = [&](std::size_t column, std::string_view name) {
    return column == TableColumns::kNone || names_[column] == name;
  };
  std::vector<std::string> unused;
  for (std::size_t i = 0; i < names_.size(); ++i) {
    if (i != columns.text && i != columns.labels && i != columns.id && i != columns.title) unused.push_back(names_[i]);
  }
  if (!layout_.csv.quotes) layout_.remarks.push_back("quotes are ordinary characters, since they do not come in pairs");
  const bool plain = layout_.csv.delimiter == ',' && is(columns.text, "text") && is(columns.labels, "labels") &&
                     layout_.label_syntax.kind == LabelSyntax::kSeparated;
  if (!plain && !start_.names_columns()) {
    std::string remark = fmt::format("texts are read from the column {}", name_of(columns.text));
    if (columns.title != TableColumns::kNone) remark += fmt::format(" below {}", name_of(columns.title));
    if (columns.labels != TableColumns::kNone) remark += fmt::format(", labels from {}", name_of(columns.labels));
    if (layout_.label_syntax.kind == LabelSyntax::kList) remark += " (lists in brackets)";
    if (layout_.label_syntax.kind == LabelSyntax::kUris) remark += " (URIs or <names>)";
    if (!unused.empty()) remark += fmt::format("; not from {}", list_names(unused));
    layout_.remarks.push_back(remark + fmt::format(" ({} say otherwise)", kColumnOptions));
  }
  if (columns.labels == TableColumns::kNone && !unused.empty() && start_.options.labels_matter) {
    layout_.remarks.push_back(fmt::format(
        "no labels are read: of the columns {} none has a known name for them; --label-column NAME names one",
        list_names(unused)));
  }
}

}  // namespace

bool has_table_header(std::string_view lines, const ReadOptions& options) {
  return header_delimiter(lines, options).has_value();
}

bool header_tells_delimiter(std::string_view lines, const ReadOptions& options) {
  return options.delimiter || has_table_header(lines, options) ||
         (names_columns_by_name(options) && delimiter_of_named_columns(lines, options));
}

bool looks_like_table(std::string_view lines) {
  const auto delimiter = even_delimiter(lines, {});
  return (delimiter == ',' || delimiter == ';') && sample_lines(lines).size() > 1;
}

bool is_quoted_tsv(std::string_view lines) {
  const Records records = read_records(lines, {'\t', true}, kSampleRows);
  if (records.list.empty() || !even(records) || records.list.front().fields.size() != 2) return false;
  return std::ranges::all_of(sample_lines(lines), [](std::string_view line) { return line.starts_with('"'); });
}

void lay_out_quoted_tsv(const FileStart& start, bool labels_last, TextLayout& layout) {
  layout.csv = {'\t', true, true};
  layout.columns.count = 2;
  layout.columns.from_header = false;
  layout.columns.labels = labels_last ? 1 : 0;
  layout.columns.text = labels_last ? 0 : 1;
  std::vector<std::string> cells;
  for (const Record& record : read_records(start.lines, layout.csv, kSampleRows).list) {
    cells.push_back(record.fields[layout.columns.labels]);
  }
  layout.label_syntax = label_syntax_of(cells, start.options);
  layout.remarks.push_back("fields are in quotes, as programs for tables write them");
}

void lay_out_table(const FileStart& start, TextLayout& layout) {
  TableLayout(start, layout).decide();
}

}  // namespace xylem
