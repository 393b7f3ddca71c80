// SPDX-License-Identifier: Apache-2.0
#include "data/format.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "core/fail.h"
#include "core/text.h"
#include "data/foreign_files.h"
#include "data/format_hints.h"
#include "data/layout_parts.h"
#include "data/number_token.h"
#include "xylem/corpus.h"
#include "xylem/dataset.h"
#include "xylem/input.h"

namespace xylem {
namespace {

std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  while (true) {
    const auto begin = std::find_if_not(line.begin(), line.end(), is_blank);
    const auto end = std::find_if(begin, line.end(), is_blank);
    if (begin == end) return words;
    words.emplace_back(begin, end);
    line = {end, line.end()};
  }
}

// Signs and points too: what is wrong with them the reader can say better.
bool looks_like_labels(std::string_view word) {
  return std::any_of(word.begin(), word.end(), is_digit) &&
         word.find_first_not_of("0123456789,+-.") == std::string_view::npos;
}

// An id, or an id, a colon and something.
bool looks_like_feature(std::string_view word) {
  const auto colon = std::find_if_not(word.begin(), word.end(), is_digit);
  if (colon == word.begin()) return false;
  return colon == word.end() || (*colon == ':' && colon + 1 != word.end());
}

bool looks_sparse(std::string_view line) {
  const std::vector<std::string_view> words = words_of(line);
  return !words.empty() && (looks_like_labels(words.front()) || looks_like_feature(words.front())) &&
         std::all_of(words.begin() + 1, words.end(), looks_like_feature);
}

// `3<TAB>2001` may be a label and the name of a film. Lines without a value say it together.
bool may_be_sparse(std::string_view lines, std::string_view first) {
  if (!looks_sparse(first)) return false;
  if (first.find('\t') == std::string_view::npos || first.find(':') != std::string_view::npos) return true;
  return std::ranges::all_of(sample_lines(lines), looks_sparse);
}

// An array of objects, lists or strings, which begin in this line or the next.
bool begins_json_array(std::string_view lines) {
  std::size_t at = lines.find('[') + 1;
  at = lines.find_first_not_of(" \t\r\n", at);
  return at != std::string_view::npos && std::string_view("{[\"").find(lines[at]) != std::string_view::npos;
}

void check_format(std::string_view format, std::span<const std::string_view> known) {
  if (std::find(known.begin(), known.end(), format) != known.end()) return;
  const std::vector<std::string> names(known.begin(), known.end());
  fail(ErrorKind::kUsage, "no data format is called {}; there are {}{}", quote(format), fmt::join(names, ", "),
       nearest_name_hint(format, names));
}

}  // namespace

bool has_fasttext_label(std::string_view text) {
  for (std::size_t at = 0; (at = text.find(kFasttextPrefix, at)) != std::string_view::npos; ++at) {
    if (at == 0 || std::string_view(" \t\r\n").find(text[at - 1]) != std::string_view::npos) return true;
  }
  return false;
}

bool looks_like_sparse_row(std::string_view line) {
  return line.find(':') != std::string_view::npos && looks_sparse(line);
}

bool begins_json_objects(std::string_view line) {
  if (!line.starts_with('[')) return false;
  const std::size_t at = line.find_first_not_of(" \t", 1);
  return at != std::string_view::npos && line[at] == '{';
}

bool says_texts(const ReadOptions& options) {
  return !options.text_column.empty() || !options.label_column.empty() || options.delimiter;
}

std::vector<std::string_view> dataset_formats() {
  return {"xmlrepo", "libsvm"};
}

std::vector<std::string_view> text_formats() {
  return {"fasttext", "tsv", "jsonl", "csv"};
}

std::vector<std::string_view> text_input_formats() {
  std::vector<std::string_view> formats = text_formats();
  formats.push_back("lines");
  return formats;
}

std::vector<std::string_view> input_formats() {
  std::vector<std::string_view> formats = dataset_formats();
  for (const std::string_view format : text_input_formats()) formats.push_back(format);
  return formats;
}

void check_input_format(std::string_view format, std::vector<std::string_view> known) {
  known.insert(known.begin(), "auto");
  check_format(format, known);
}

void check_output_format(std::string_view format, const std::vector<std::string_view>& known) {
  check_format(format, known);
}

std::string_view detect_format(std::string_view lines, const ReadOptions& options) {
  if (says_texts(options)) return detect_text_format(lines, options);
  const FirstLine first = first_line(lines);
  const std::vector<std::string_view> words = words_of(first.text);
  if (words.empty()) return "libsvm";
  const bool numbers = std::all_of(words.begin(), words.end(),
                                   [](auto word) { return std::all_of(word.begin(), word.end(), is_digit); });
  // A header stands at the very begin of the file.
  if (numbers && words.size() == 3 && first.number == 1 && !is_blank(first.text.front())) return "xmlrepo";
  return may_be_sparse(lines, first.text) ? "libsvm" : detect_text_format(lines, options);
}

std::string_view detect_text_format(std::string_view lines, const ReadOptions& options) {
  const std::string_view line = first_line(lines).text;
  const std::vector<std::string_view> words = words_of(line);
  if (words.empty()) return {};
  if (words.front().starts_with('{')) return "jsonl";
  if (words.front().starts_with('[') && begins_json_array(lines)) return "jsonl";
  if (says_texts(options)) return "csv";
  if (has_fasttext_label(line)) return "fasttext";
  if (has_table_header(lines, options)) return "csv";
  if (line.find('\t') != std::string_view::npos) return "tsv";
  return looks_like_table(lines) ? "csv" : "";
}

std::string_view typed_format(std::string_view lines) {
  std::string_view line = first_line(lines).text;
  const auto skip_blanks = [&] { line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size())); };
  skip_blanks();
  if (!line.starts_with('{')) return "lines";
  line.remove_prefix(1);
  skip_blanks();
  // A lone bracket begins an object that goes on in the next line: JSON that is refused, with a better word than this.
  return line.empty() || line.starts_with('"') || line.starts_with('}') ? "jsonl" : "lines";
}

void expect_sparse(LineBlocks& blocks) {
  const std::string_view format = detect_format(blocks.first_lines());
  if (format.empty() || format == "xmlrepo" || format == "libsvm") return;
  fail(ErrorKind::kData, "{}:{}: found texts ({}), expected sparse rows", blocks.name(),
       first_line(blocks.first_lines()).number, format);
}

void expect_texts(LineBlocks& blocks) {
  const std::string_view format = detect_format(blocks.first_lines());
  const FirstLine first = first_line(blocks.first_lines());
  // Numbers alone may be a text; with a colon in them they are not.
  if (format != "xmlrepo" && (format != "libsvm" || first.text.find(':') == std::string_view::npos)) return;
  fail(ErrorKind::kData, "{}:{}: found sparse rows ({}), expected texts; --input-format lines takes any line as a text",
       blocks.name(), first.number, format);
}

ReadOptions with_known_format(LineBlocks& lines, const ReadOptions& options) {
  ReadOptions known = options;
  if (options.format != "auto") return known;
  refuse_foreign_file(lines.first_lines(), false, lines.name());
  known.format = detect_format(lines.first_lines(), options);
  if (known.format.empty()) fail_unknown_format(lines, input_formats());
  return known;
}

bool holds_sparse_rows(std::string_view format) {
  const std::vector<std::string_view> sparse = dataset_formats();
  return std::find(sparse.begin(), sparse.end(), format) != sparse.end();
}

void fail_unknown_format(LineBlocks& blocks, std::vector<std::string_view> known) {
  std::erase(known, "lines");  // no line looks like it
  const FirstLine first = first_line(blocks.first_lines());
  if (first.text.empty()) fail(ErrorKind::kData, "{}:1: found an empty file, expected texts", blocks.name());
  if (const std::string_view hint = unknown_format_hint(first.text); !hint.empty()) {
    fail(ErrorKind::kData, "{}:{}: found {}, {}", blocks.name(), first.number, quote(first.text), hint);
  }
  fail(ErrorKind::kData,
       "{}:{}: found {}, expected a line that looks like {}; CSV begins with a header that has the column text; "
       "--text-column and --label-column name others, and with --input-format lines every line is a text",
       blocks.name(), first.number, quote(first.text), fmt::join(known, ", "));
}

}  // namespace xylem
