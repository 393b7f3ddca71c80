// SPDX-License-Identifier: Apache-2.0
// Files of texts to a corpus: blocks of lines are cut into chunks, the chunks parsed at once, each with numbers of its
// own for its labels, and appended in order. So labels are numbered as they first occur in the file.
#include "data/read_texts.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/fail.h"
#include "core/parallel.h"
#include "core/text.h"
#include "data/format.h"
#include "data/name_table.h"
#include "data/text_parser.h"
#include "data/text_row.h"

namespace xylem {
namespace {

class TextReader {
 public:
  TextReader(LineBlocks& blocks, const ReadOptions& options, const Run& run, std::size_t chunk_bytes)
      : options_(options),
        run_(run),
        chunk_bytes_(chunk_bytes),
        blocks_(blocks),
        replaced_lines_(blocks.name(), 0),
        bad_lines_(blocks.name(), options.max_bad_lines) {}

  CorpusResult read();

 private:
  void take(std::string_view lines);
  void take_csv(std::string_view lines);
  std::string_view take_csv_header(std::string_view text);
  void parse(const std::vector<std::string_view>& chunks);
  void append(const ParsedTexts& rows);
  void end_blank_lines();
  void append_labels(const ParsedTexts& rows);
  std::size_t held() const;

  const ReadOptions& options_;
  const Run& run_;
  std::size_t chunk_bytes_;
  LineBlocks& blocks_;
  TextRules rules_;
  std::vector<ParsedTexts> chunks_;
  std::string csv_text_;        // begins with a record that has no end so far
  std::size_t csv_enough_ = 0;  // bytes of it that make another look worth while
  // Of all lines so far:
  Corpus corpus_;
  NameTable label_names_;
  ReadReport report_;
  BadLines replaced_lines_;
  BadLines bad_lines_;
  std::size_t n_lines_ = 0;
  std::size_t trailing_blank_ = 0;
  std::vector<Label> numbers_;  // what a chunk's labels are called in the whole file
};

CorpusResult TextReader::read() {
  rules_.format = options_.format;
  if (options_.format == "auto") rules_.format = detect_text_format(blocks_.first_lines());
  if (rules_.format.empty()) {
    expect_texts(blocks_);
    rules_.format = options_.fallback;
  }
  if (rules_.format.empty()) fail_unknown_format(blocks_, text_formats());
  rules_.label_separator = options_.label_separator;
  rules_.replace_bad_utf8 = options_.replace_bad_utf8;
  rules_.max_bad_lines = options_.max_bad_lines;
  report_.format = rules_.format;

  for_each_block(blocks_, run_, [&](std::string_view lines) {
    take(lines);
    check_memory(blocks_, corpus_.size(), held(), options_.max_bytes);
    report_rows(run_, corpus_.size(), 0);
  });
  if (!csv_text_.empty()) parse({csv_text_});  // a quote that nobody closed
  bad_lines_.check_rows(corpus_.size());
  if (corpus_.size() == 0) fail(ErrorKind::kData, "{}:1: found an empty file, expected texts", blocks_.name());
  bad_lines_.put_into(report_);
  report_.replaced_line_messages = replaced_lines_.messages();
  if (corpus_.document_ids.bytes.empty()) corpus_.document_ids = {};
  corpus_.label_names = label_names_.take_names();
  return {std::move(corpus_), std::move(report_)};
}

void TextReader::take(std::string_view lines) {
  if (rules_.format == "csv") return take_csv(lines);
  parse(cut_chunks(lines, chunk_bytes_));
}

// Records may go on from block to block. One that still has no end is looked at again when it has doubled.
void TextReader::take_csv(std::string_view lines) {
  csv_text_ += lines;
  if (csv_text_.size() < csv_enough_) return;
  std::string_view text = csv_text_;
  if (rules_.csv_columns.count == 0) text = take_csv_header(text);
  const std::vector<std::string_view> chunks = cut_csv_chunks(text, chunk_bytes_);
  parse(chunks);
  for (const std::string_view chunk : chunks) text.remove_prefix(chunk.size());
  csv_text_ = std::string(text);
  csv_enough_ = chunks.empty() ? 2 * csv_text_.size() : 0;
}

// The header is the first record that is not blank. Returns what follows.
std::string_view TextReader::take_csv_header(std::string_view text) {
  while (rules_.csv_columns.count == 0 && !text.empty()) {
    const std::size_t end = std::min(csv_record_end(text), text.size());
    std::string_view header = text.substr(0, end - 1);
    if (header.ends_with('\r')) header.remove_suffix(1);
    try {
      if (!header.empty()) rules_.csv_columns = csv_columns(header);
    } catch (const BadRow& bad) {
      bad_lines_.fail_at(n_lines_, bad.problem);
    }
    n_lines_ += static_cast<std::size_t>(std::count(header.begin(), header.end(), '\n')) + 1;
    text.remove_prefix(end);
  }
  return text;
}

void TextReader::parse(const std::vector<std::string_view>& chunks) {
  chunks_.resize(std::max(chunks_.size(), chunks.size()));
  parallel_for(chunks.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) parse_texts(chunks[i], rules_, chunks_[i]);
  });
  for (std::size_t i = 0; i < chunks.size(); ++i) append(chunks_[i]);
}

void append_texts(TextList& all, const TextList& part) {
  const std::uint64_t base = all.bytes.size();
  all.bytes += part.bytes;
  for (std::size_t i = 1; i < part.offsets.size(); ++i) all.offsets.push_back(base + part.offsets[i]);
}

void TextReader::append(const ParsedTexts& rows) {
  if (rows.trailing_blank < rows.n_lines) end_blank_lines();
  report_.replaced_lines += rows.n_replaced_lines;
  for (const BadLine& line : rows.replaced_lines) {
    if (replaced_lines_.lines().size() < kMaxProblems) replaced_lines_.add(n_lines_ + line.line, line.problem);
  }
  for (const BadLine& bad : rows.bad_lines) bad_lines_.add(n_lines_ + bad.line, bad.problem);
  bad_lines_.check();
  append_texts(corpus_.texts, rows.texts);
  append_texts(corpus_.document_ids, rows.ids);
  append_labels(rows);
  report_.duplicate_labels += rows.duplicate_labels;
  report_.replaced_utf8 += rows.replaced_utf8;
  trailing_blank_ += rows.trailing_blank;
  n_lines_ += rows.n_lines;
}

// Something follows the blank lines before line n_lines_.
void TextReader::end_blank_lines() {
  const BlankLine blank = blank_line_in(rules_.format);
  for (; trailing_blank_ > 0; --trailing_blank_) {
    if (blank == BlankLine::kBad) bad_lines_.add(n_lines_ - trailing_blank_, kBlankLineProblem);
    if (blank == BlankLine::kRow) {
      corpus_.texts.push_back({});
      corpus_.document_ids.push_back({});
      corpus_.labels.push_back({});
    }
  }
}

void TextReader::append_labels(const ParsedTexts& rows) {
  numbers_.clear();
  const TextList& names = rows.label_names.names();
  for (std::size_t i = 0; i < names.size(); ++i) numbers_.push_back(label_names_.number(names[i]));
  std::vector<Label>& ids = corpus_.labels.ids;
  for (std::size_t row = 0; row < rows.labels.size(); ++row) {
    const auto begin = static_cast<std::ptrdiff_t>(ids.size());
    for (const Label label : rows.labels[row]) ids.push_back(numbers_[label]);
    std::sort(ids.begin() + begin, ids.end());
    corpus_.labels.offsets.push_back(ids.size());
  }
}

std::size_t TextReader::held() const {
  std::size_t bytes = held_bytes(corpus_.labels.ids) + held_bytes(corpus_.labels.offsets) + held_bytes(csv_text_);
  for (const TextList* list : {&corpus_.texts, &corpus_.document_ids}) {
    bytes += held_bytes(list->bytes) + held_bytes(list->offsets);
  }
  return bytes + label_names_.held();
}

}  // namespace

void check_label_separator(char separator) {
  if (separator >= ' ' && separator <= '~' && separator != '"') return;
  fail(ErrorKind::kUsage, "{} cannot stand between labels; expected a printable ASCII character other than '\"'",
       quote({&separator, 1}));
}

CorpusResult read_texts(LineBlocks& blocks, const ReadOptions& options, const Run& run, std::size_t chunk_bytes) {
  check_label_separator(options.label_separator);
  return TextReader(blocks, options, run, chunk_bytes).read();
}

CorpusResult read_texts(const std::string& path, const ReadOptions& options, const Run& run, const Cuts& cuts) {
  check_input_format(options.format, text_input_formats());
  LineBlocks blocks(path, cuts.block_bytes, options.max_bytes);
  return read_texts(blocks, options, run, cuts.chunk_bytes);
}

CorpusResult read_corpus(const std::string& path, const ReadOptions& options, const Run& run) {
  CorpusResult result;
  with_threads(run.threads, [&] { result = read_texts(path, options, run); });
  return result;
}

}  // namespace xylem
