// SPDX-License-Identifier: Apache-2.0
#include "data/text_parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cstring>
#include <string>
#include <utility>

#include "core/text.h"
#include "data/format.h"
#include "data/json_row.h"
#include "data/text_row.h"
#include "data/utf8.h"

namespace xylem {
namespace {

class TextParser {
 public:
  TextParser(const TextRules& rules, ParsedTexts& out)
      : rules_(rules), layout_(rules.layout), blank_(blank_line_in(rules.layout)), out_(out) {}

  void parse(std::string_view lines);

 private:
  std::size_t line_size(std::string_view lines) const {
    const std::size_t line_end = lines.find('\n') + 1;
    if (!layout_.is_table()) return line_end;
    const std::size_t record_end = csv_record_end(lines, layout_.csv);
    // A quote that is open up to the end of the file.
    return record_end == std::string_view::npos && layout_.csv.lenient ? line_end : record_end;
  }
  void take_line(std::string_view line);
  void end_blank_lines();
  bool parse_row(std::string_view line);
  bool check_bytes(std::string_view& line);
  void keep_row();
  void bad_line(std::size_t line, std::string_view problem) {
    out_.bad_lines.push_back({line, std::string(out_.bad_lines.size() < kMaxProblems ? problem : "")});
  }

  const TextRules& rules_;
  const TextLayout& layout_;
  BlankLine blank_;
  ParsedTexts& out_;
  TextRow row_;
  JsonRowParser json_{layout_.keys};
  std::string repaired_;
  std::vector<Label> labels_;
};

void TextParser::parse(std::string_view lines) {
  while (!lines.empty() && out_.bad_lines.size() <= rules_.max_bad_lines) {
    const std::size_t size = std::min(line_size(lines), lines.size());  // an open quote goes on to the end
    std::string_view line = lines.substr(0, size);
    lines.remove_prefix(size);
    const std::size_t n_lines =
        layout_.is_table() ? static_cast<std::size_t>(std::count(line.begin(), line.end(), '\n')) : 1;
    line.remove_suffix(1);
    if (line.ends_with('\r')) line.remove_suffix(1);
    take_line(line);
    out_.n_lines += n_lines;
  }
}

void TextParser::take_line(std::string_view line) {
  if (line.empty()) {
    ++out_.trailing_blank;
    return;
  }
  end_blank_lines();
  row_.clear();
  try {
    if (parse_row(line)) keep_row();
  } catch (const BadRow& bad) {
    bad_line(out_.n_lines, bad.problem);
  }
}

// Something follows the blank lines before line n_lines.
void TextParser::end_blank_lines() {
  for (; out_.trailing_blank > 0; --out_.trailing_blank) {
    if (blank_ == BlankLine::kBad) bad_line(out_.n_lines - out_.trailing_blank, kBlankLineProblem);
    if (blank_ == BlankLine::kRow) {
      row_.clear();
      keep_row();
    }
  }
}

// False where the line holds no row.
bool TextParser::parse_row(std::string_view line) {
  const bool plain = check_bytes(line);
  if (layout_.format == "fasttext") {
    parse_fasttext(line, row_);
  } else if (layout_.format == "lines") {
    row_.text = line;
    if (layout_.typed) {
      out_.typed_tabs += line.find('\t') != std::string_view::npos;
      out_.typed_labels += line.find(kFasttextPrefix) != std::string_view::npos;
      out_.typed_rows += looks_like_sparse_row(line);
      out_.typed_arrays += line == "[" || begins_json_objects(line);
    }
  } else if (layout_.is_table()) {
    parse_record(line, layout_.csv, layout_.columns, layout_.label_syntax, row_);
  } else if (layout_.format == "tsv") {
    parse_tsv(line, layout_.labels_last, layout_.label_syntax, row_);
  } else {
    if (line.find_first_not_of(" \t") == std::string_view::npos) return false;
    json_.parse(line, plain, row_);
  }
  return true;
}

// Throws BadRow for bytes that are no text; where allowed, `line` becomes a repaired one instead. Returns whether all
// are printable ASCII.
bool TextParser::check_bytes(std::string_view& line) {
  if (is_plain_ascii(line)) return true;
  if (const std::size_t nul = line.find('\0'); nul != std::string_view::npos) {
    throw BadRow{fmt::format("found a NUL byte at byte {}, expected text", nul + 1)};
  }
  const BadUtf8 bad = find_bad_utf8(line);
  if (bad.size == 0) return false;
  std::string problem =
      fmt::format("found invalid UTF-8 {} at byte {}", quote(line.substr(bad.begin, bad.size)), bad.begin + 1);
  if (!rules_.replace_bad_utf8)
    throw BadRow{
        problem +
        ", expected UTF-8: convert the file (`iconv -f WINDOWS-1252 -t UTF-8`, or whatever it is in), or --bad-utf8 "
        "replace"};
  ++out_.n_replaced_lines;
  if (out_.replaced_lines.size() < kMaxProblems) out_.replaced_lines.push_back({out_.n_lines, std::move(problem)});
  out_.replaced_utf8 += replace_bad_utf8(line, repaired_);
  line = repaired_;
  return false;
}

void TextParser::keep_row() {
  labels_.clear();
  if (!rules_.keep_labels) row_.labels.clear();
  for (std::size_t i = 0; i < row_.labels.size(); ++i) labels_.push_back(out_.label_names.number(row_.labels[i]));
  std::sort(labels_.begin(), labels_.end());
  const auto duplicates = std::unique(labels_.begin(), labels_.end());
  out_.duplicate_labels += static_cast<std::size_t>(labels_.end() - duplicates);
  labels_.erase(duplicates, labels_.end());
  out_.labels.push_back(labels_);
  if (!row_.joined_label.empty() && out_.n_joined_labels++ == 0) out_.joined_label = row_.joined_label;
  out_.texts.push_back(row_.text, row_.title_bytes);
  out_.ids.push_back(row_.id);
}

}  // namespace

BlankLine blank_line_in(const TextLayout& layout) {
  if (layout.format == "fasttext" || layout.format == "lines") return BlankLine::kRow;
  return layout.format == "tsv" && !layout.is_table() ? BlankLine::kBad : BlankLine::kNothing;
}

void ParsedTexts::clear() {
  joined_label.clear();
  texts.clear();
  ids.clear();
  labels.ids.clear();
  labels.offsets.assign(1, 0);
  label_names.clear();
  replaced_lines.clear();
  bad_lines.clear();
  n_joined_labels = duplicate_labels = typed_tabs = typed_labels = typed_arrays = typed_rows = replaced_utf8 =
      n_replaced_lines = n_lines = trailing_blank = 0;
}

void parse_texts(std::string_view lines, const TextRules& rules, ParsedTexts& out) {
  assert(!lines.empty() && lines.back() == '\n');
  out.clear();
  TextParser(rules, out).parse(lines);
}

}  // namespace xylem
