// SPDX-License-Identifier: Apache-2.0
// Which side of the TAB has the labels. Labels are short and come again; texts are long and do not. Two of many
// millions of rows read backwards are no error that anybody would see in the figures, so what is open is refused.
#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "core/text.h"
#include "data/layout_parts.h"
#include "data/number_token.h"

namespace xylem {
namespace {

constexpr double kMuchLonger = 1.5;
constexpr double kRepeatsMore = 0.1;  // a larger share of the items
constexpr std::size_t kEnoughItems = 4;
constexpr std::size_t kManyRows = 20;
constexpr std::size_t kMostShown = 8;  // columns, in a message

// The cells of one column, taken for labels.
struct Column {
  std::vector<std::string> cells;
  std::size_t items = 0, different_items = 0;
  double mean_size = 0;  // of an item: its words, and its bytes for scripts without blanks
  bool uris = false;

  double repeated() const {
    return items < kEnoughItems ? 0 : 1 - static_cast<double>(different_items) / static_cast<double>(items);
  }
};

std::size_t count_words(std::string_view text) {
  std::size_t words = 0;
  bool within = false;
  for (const char c : text) {
    words += !is_blank(c) && !within ? 1 : 0;
    within = !is_blank(c);
  }
  return words;
}

void measure(Column& column, const ReadOptions& options) {
  const LabelSyntax syntax = label_syntax_of(column.cells, options);
  column.uris = syntax.kind == LabelSyntax::kUris;
  std::unordered_set<std::string> seen;
  TextList items;
  for (const std::string& cell : column.cells) {
    items.clear();
    try {
      split_labels(cell, syntax, items);
    } catch (const BadRow&) {
      items.push_back(cell);
    }
    for (std::size_t i = 0; i < items.size(); ++i) {
      column.mean_size += static_cast<double>(count_words(items[i])) + static_cast<double>(items[i].size()) / 8;
      seen.emplace(items[i]);
    }
    column.items += items.size();
  }
  column.different_items = seen.size();
  if (column.items > 0) column.mean_size /= static_cast<double>(column.items);
}

enum class Side { kFirst, kLast, kOpen };

// 1 for labels in the first column, -1 for the last, 0 for none.
int sign_of_size(const Column& first, const Column& last) {
  return (last.mean_size >= kMuchLonger * first.mean_size ? 1 : 0) -
         (first.mean_size >= kMuchLonger * last.mean_size ? 1 : 0);
}
int sign_of_repeats(const Column& first, const Column& last) {
  return (first.repeated() >= last.repeated() + kRepeatsMore ? 1 : 0) -
         (last.repeated() >= first.repeated() + kRepeatsMore ? 1 : 0);
}

bool contradict(const Column& first, const Column& last) {
  return sign_of_size(first, last) * sign_of_repeats(first, last) < 0;
}

Side side_of_labels(const Column& first, const Column& last) {
  if (first.uris != last.uris) return first.uris ? Side::kFirst : Side::kLast;
  const int size = sign_of_size(first, last), repeats = sign_of_repeats(first, last);
  if (size * repeats < 0) return Side::kOpen;
  // Texts that begin alike, such as short titles, come again too: labels are not longer.
  const bool longer = repeats > 0 ? first.mean_size > last.mean_size : last.mean_size > first.mean_size;
  const int signs = size + (longer ? 0 : repeats);
  return signs > 0 ? Side::kFirst : signs < 0 ? Side::kLast : Side::kOpen;
}

std::string_view before(std::string_view line, std::size_t tab) {
  return line.substr(0, tab);
}
std::string_view behind(std::string_view line, std::size_t tab) {
  return line.substr(tab + 1);
}

[[noreturn]] void fail_open(const FileStart& start, std::string_view line) {
  const std::size_t first = line.find('\t'), last = line.rfind('\t');
  start.fail_at(
      first_line(start.lines).number,
      fmt::format("found a line that may be the labels {} and the text {}, or the text {} and the labels {}; "
                  "expected to be told: --label-column 1 --text-column 2, or --text-column 1 --label-column 2",
                  quote(before(line, first)), quote(behind(line, first)), quote(before(line, last)),
                  quote(behind(line, last))));
}

[[noreturn]] void fail_columns(const FileStart& start, std::string_view line) {
  std::vector<std::string> shown;
  const std::vector<std::string_view> fields = split(line, '\t');
  for (std::size_t i = 0; i < std::min(fields.size(), kMostShown); ++i) shown.push_back(quote(fields[i]));
  if (shown.size() < fields.size()) shown.emplace_back("...");
  start.fail_at(first_line(start.lines).number,
                fmt::format("found {} columns ({}), expected labels, TAB and text; give their numbers, such as "
                            "--text-column 2 --label-column 3",
                            fields.size(), fmt::join(shown, ", ")));
}

// How many TABs all lines have; 0 if not all have the same.
std::size_t common_tabs(const std::vector<std::string_view>& lines) {
  const auto count = [](std::string_view line) { return static_cast<std::size_t>(std::ranges::count(line, '\t')); };
  const std::size_t n = count(lines.front());
  return std::ranges::all_of(lines, [&](std::string_view line) { return count(line) == n; }) ? n : 0;
}

Column column_of(const std::vector<std::string_view>& lines, const ReadOptions& options, auto cell_of) {
  Column column;
  for (const std::string_view line : lines) {
    if (line.find('\t') != std::string_view::npos) column.cells.emplace_back(cell_of(line));
  }
  measure(column, options);
  return column;
}

// Two words, while all other texts are longer, and a label that does not come again.
bool is_probably_header(const Column& labels, const Column& texts, const std::vector<std::string_view>& lines) {
  const std::size_t n = labels.cells.size();
  if (n < kEnoughItems || n != lines.size() || labels.repeated() == 0) return false;
  if (count_words(texts.cells[0]) != 1 || count_words(labels.cells[0]) != 1) return false;
  for (std::size_t i = 1; i < n; ++i) {
    if (labels.cells[i] == labels.cells[0] || count_words(texts.cells[i]) < 2) return false;
  }
  return true;
}

// The lines of a file, cut at their TABs.
struct TabbedLines {
  std::vector<std::string_view> all;
  Column first;  // before the first TAB
  Column rest;   // behind it
  Column last;   // behind the last TAB
};

TabbedLines cut_at_tabs(const FileStart& start) {
  const std::vector<std::string_view> lines = sample_lines(start.lines);
  return {lines, column_of(lines, start.options, [](auto line) { return before(line, line.find('\t')); }),
          column_of(lines, start.options, [](auto line) { return behind(line, line.find('\t')); }),
          column_of(lines, start.options, [](auto line) { return behind(line, line.rfind('\t')); })};
}

struct Choice {
  bool labels_last = false;
  bool guessed = false;
};

// Throws kData if the side is open.
Choice choose_side(const FileStart& start, const TabbedLines& lines) {
  const Column &first = lines.first, &last = lines.last;
  const Side side = side_of_labels(first, last);
  if (common_tabs(lines.all) > 1) {
    const bool first_are_labels = !last.uris && (first.different_items < first.items || lines.all.size() == 1) &&
                                  side_of_labels(first, lines.rest) == Side::kFirst && side != Side::kLast;
    if (!first_are_labels) fail_columns(start, lines.all.front());
    return {};
  }
  if (side == Side::kFirst) return {};
  // Whoever names the format means the documented order: rows that leave it open are read so, and rows that say the
  // opposite are refused, since one of the two is wrong. Of a few lines it is taken with a remark.
  const bool few = first.cells.size() < kEnoughItems && !contradict(first, last);
  const bool named = start.options.format == "tsv";
  if (side == Side::kOpen && (few || named)) return {.guessed = few && !named};
  const bool sure = side == Side::kLast && (last.uris || start.options.format == "auto");
  if (!sure) fail_open(start, lines.all.front());
  return {.labels_last = true};
}

void add_remarks(const TabbedLines& lines, bool guessed, TextLayout& layout) {
  const Column& labels = layout.labels_last ? lines.last : lines.first;
  const Column& texts = layout.labels_last ? lines.first : lines.rest;
  if (guessed || layout.labels_last || layout.label_syntax.kind != LabelSyntax::kSeparated) {
    layout.remarks.push_back(fmt::format("read as {} ({} say otherwise)",
                                         layout.labels_last ? "text, TAB, labels" : "labels, TAB, text",
                                         kColumnOptions));
  }
  if (is_probably_header(labels, texts, lines.all)) {
    layout.remarks.push_back(
        fmt::format("the first line is read as a row; if it is a header: --label-column {} "
                    "--text-column {}",
                    quote(labels.cells[0]), quote(texts.cells[0])));
  }
  if (labels.items >= kManyRows && labels.different_items == labels.items && labels.items == labels.cells.size()) {
    layout.remarks.push_back(
        fmt::format("each of the first {} rows has one label, and no two the same: "
                    "are they document ids?",
                    labels.items));
  }
}

}  // namespace

void lay_out_tsv(const FileStart& start, TextLayout& layout) {
  const TabbedLines lines = cut_at_tabs(start);
  if (lines.first.cells.empty()) return;  // the reader says so
  const Choice choice = choose_side(start, lines);
  layout.labels_last = choice.labels_last;
  if (is_quoted_tsv(start.lines)) lay_out_quoted_tsv(start, layout.labels_last, layout);
  if (!layout.is_table()) {
    layout.label_syntax = label_syntax_of((layout.labels_last ? lines.last : lines.first).cells, start.options);
  }
  add_remarks(lines, choice.guessed, layout);
}

}  // namespace xylem
