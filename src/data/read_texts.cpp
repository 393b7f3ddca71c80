// SPDX-License-Identifier: Apache-2.0
// Files of texts to a corpus: blocks of lines are cut into chunks, the chunks parsed at once, each with numbers of its
// own for its labels, and appended in order. So labels are numbered as they first occur in the file.
#include "data/read_texts.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "core/fail.h"
#include "core/parallel.h"
#include "core/text.h"
#include "data/foreign_files.h"
#include "data/format.h"
#include "data/label_table.h"
#include "data/layout.h"
#include "data/name_table.h"
#include "data/text_parser.h"
#include "data/text_row.h"

namespace xylem {
namespace {

// A line of this size has a block of its own, whose memory is worth more than keeping it for the next one.
constexpr std::size_t kLongBlock = std::size_t{20} << 20;
// The same for a chunk and what it becomes, which is a multiple of it.
constexpr std::size_t kLongChunk = std::size_t{1} << 20;

class TextReader {
 public:
  TextReader(LineBlocks& blocks, const ReadOptions& options, const Run& run, std::size_t chunk_bytes, NameTable* names,
             const UseTexts& use)
      : options_(options),
        run_(run),
        chunk_bytes_(chunk_bytes),
        blocks_(blocks),
        label_names_(names),
        use_(use),
        replaced_lines_(blocks.name(), 0),
        bad_lines_(blocks.name(), options.max_bad_lines) {}

  CorpusResult read();

 private:
  void decide_rules();
  void take(std::string& lines);
  void take_records();
  void parse(const std::vector<std::string_view>& chunks);
  void append(const ParsedTexts& rows);
  void end_blank_lines();
  std::string joined_labels_remark() const;
  void append_labels(const ParsedTexts& rows);
  std::size_t held() const;

  const ReadOptions& options_;
  const Run& run_;
  std::size_t chunk_bytes_;
  LineBlocks& blocks_;
  NameTable* label_names_;
  const UseTexts& use_;
  TextRules rules_;
  std::vector<ParsedTexts> chunks_;
  std::size_t to_skip_ = 0;  // bytes
  std::string open_record_;  // of a table: begins with a record that has no end so far
  std::size_t enough_ = 0;   // bytes of it that make another look worth while
  Corpus corpus_;            // what `use` has left
  // Of all lines so far:
  ReadReport report_;
  std::size_t n_joined_labels_ = 0;
  std::string joined_label_;
  std::size_t typed_rows_ = 0, typed_arrays_ = 0;
  BadLines replaced_lines_;
  BadLines bad_lines_;
  std::size_t n_rows_ = 0;
  std::size_t n_lines_ = 0;
  std::size_t trailing_blank_ = 0;
  std::vector<Label> numbers_;  // what a chunk's labels are called in the whole file
};

// A table that is being written is read as its header says: whoever waits for answers must not wait for more rows.
void TextReader::decide_rules() {
  const bool any_line = options_.format == "lines";
  const std::string_view header = blocks_.first_line();
  if (auto layout = layout_of_header(header, options_, blocks_.name())) {
    refuse_foreign_file(header, any_line, blocks_.name());
    rules_.layout = std::move(*layout);
    return;
  }
  const std::string_view first_lines = blocks_.first_lines();
  refuse_foreign_file(first_lines, any_line, blocks_.name());
  rules_.layout = decide_layout(first_lines, options_, blocks_.name());
}

CorpusResult TextReader::read() {
  decide_rules();
  if (rules_.layout.format.empty()) {
    expect_texts(blocks_);
    fail_unknown_format(blocks_, text_formats());
  }
  rules_.replace_bad_utf8 = options_.replace_bad_utf8;
  rules_.max_bad_lines = options_.max_bad_lines;
  rules_.keep_labels = label_names_ != nullptr;
  report_.format = rules_.layout.format;
  report_.remarks = rules_.layout.remarks;
  to_skip_ = rules_.layout.skipped_bytes;
  n_lines_ = rules_.layout.skipped_lines;

  for_each_block(blocks_, run_, [&](std::string& lines) {
    take(lines);
    if (lines.size() > kLongBlock) std::string().swap(lines);
    check_memory(blocks_, corpus_.size(), held(), options_.max_bytes);
    use_(corpus_);
    report_rows(run_, blocks_, n_rows_, 0);
  });
  if (!open_record_.empty()) {  // a quote that nobody closed
    parse({open_record_});
    std::string().swap(open_record_);
    use_(corpus_);
  }
  bad_lines_.check_rows(n_rows_);
  if (n_rows_ == 0) {
    fail(ErrorKind::kData, "{}:1: found {}, expected texts", blocks_.name(),
         rules_.layout.skipped_lines > 0 ? "a header and no rows" : "an empty file");
  }
  bad_lines_.put_into(report_);
  if (n_joined_labels_ > 0 && options_.labels_matter) report_.remarks.push_back(joined_labels_remark());
  if (typed_arrays_ > 0) {
    report_.remarks.push_back(fmt::format(
        "lines that begin a JSON array, each read as one text: {} (`jq -c '.[]'` makes JSONL of it)", typed_arrays_));
  }
  if (typed_rows_ > 0) {
    report_.remarks.push_back(fmt::format("lines that look like sparse rows, each read as one text: {}", typed_rows_));
  }
  report_.replaced_line_messages = replaced_lines_.messages();
  if (corpus_.document_ids.bytes.empty()) corpus_.document_ids = {};
  return {std::move(corpus_), std::move(report_)};
}

void TextReader::take(std::string& lines) {
  std::string_view rest = lines;
  const std::size_t skipped = std::min(to_skip_, rest.size());  // header and what stands before it
  rest.remove_prefix(skipped);
  to_skip_ -= skipped;
  if (!rules_.layout.is_table()) return parse(cut_chunks(rest, chunk_bytes_));
  if (open_record_.empty()) {
    lines.erase(0, skipped);
    open_record_.swap(lines);  // long records are not copied
  } else {
    open_record_ += rest;
    if (lines.size() > kLongBlock) std::string().swap(lines);
  }
  take_records();
}

// Records may go on from block to block. One that still has no end is looked at again when it has doubled.
void TextReader::take_records() {
  if (open_record_.size() < enough_) return;
  std::string_view text = open_record_;
  const std::vector<std::string_view> chunks = cut_csv_chunks(text, chunk_bytes_, rules_.layout.csv);
  parse(chunks);
  for (const std::string_view chunk : chunks) text.remove_prefix(chunk.size());
  std::string(text).swap(open_record_);  // an assignment would keep the memory of a long one
  enough_ = chunks.empty() ? 2 * open_record_.size() : 0;
}

void TextReader::parse(const std::vector<std::string_view>& chunks) {
  chunks_.resize(std::max(chunks_.size(), chunks.size()));
  parallel_for(chunks.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) parse_texts(chunks[i], rules_, chunks_[i]);
  });
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    append(chunks_[i]);
    if (chunks[i].size() <= kLongChunk) continue;
    ParsedTexts fresh;  // an assignment would leave strings their memory
    std::swap(chunks_[i], fresh);
  }
}

void TextReader::append(const ParsedTexts& rows) {
  if (rows.trailing_blank < rows.n_lines) end_blank_lines();
  report_.replaced_lines += rows.n_replaced_lines;
  for (const BadLine& line : rows.replaced_lines) {
    if (replaced_lines_.lines().size() < kMaxProblems) replaced_lines_.add(n_lines_ + line.line, line.problem);
  }
  for (const BadLine& bad : rows.bad_lines) bad_lines_.add(n_lines_ + bad.line, bad.problem);
  bad_lines_.check();
  n_rows_ += rows.texts.size();
  corpus_.texts.append(rows.texts);
  corpus_.document_ids.append(rows.ids);
  append_labels(rows);
  report_.duplicate_labels += rows.duplicate_labels;
  if (n_joined_labels_ == 0) joined_label_ = rows.joined_label;
  n_joined_labels_ += rows.n_joined_labels;
  report_.typed_tabs += rows.typed_tabs;
  report_.typed_labels += rows.typed_labels;
  typed_rows_ += rows.typed_rows;
  typed_arrays_ += rows.typed_arrays;
  report_.replaced_utf8 += rows.replaced_utf8;
  trailing_blank_ += rows.trailing_blank;
  n_lines_ += rows.n_lines;
}

// Something follows the blank lines before line n_lines_.
void TextReader::end_blank_lines() {
  const BlankLine blank = blank_line_in(rules_.layout);
  for (; trailing_blank_ > 0; --trailing_blank_) {
    if (blank == BlankLine::kBad) bad_lines_.add(n_lines_ - trailing_blank_, kBlankLineProblem);
    if (blank == BlankLine::kRow) {
      ++n_rows_;
      corpus_.texts.push_back({});
      corpus_.document_ids.push_back({});
      corpus_.labels.push_back({});
    }
  }
}

std::string TextReader::joined_labels_remark() const {
  const char separator = joined_label_[joined_label_.find_first_of(",;|")];
  return fmt::format(
      "{} {} one label with '{}' in it, such as {}; if these are several, --label-separator '{}' splits them",
      n_joined_labels_, n_joined_labels_ == 1 ? "row has" : "rows have", separator, quote_name(joined_label_),
      separator);
}

void TextReader::append_labels(const ParsedTexts& rows) {
  numbers_.clear();
  const TextList& names = rows.label_names.names();
  for (std::size_t i = 0; i < names.size(); ++i) numbers_.push_back(label_names_->number(names[i]));
  std::vector<Label>& ids = corpus_.labels.ids;
  for (std::size_t row = 0; row < rows.labels.size(); ++row) {
    const auto begin = static_cast<std::ptrdiff_t>(ids.size());
    for (const Label label : rows.labels[row]) ids.push_back(numbers_[label]);
    std::sort(ids.begin() + begin, ids.end());
    corpus_.labels.offsets.push_back(ids.size());
  }
}

std::size_t TextReader::held() const {
  std::size_t bytes = held_bytes(corpus_.labels.ids) + held_bytes(corpus_.labels.offsets) + held_bytes(open_record_);
  for (const TextList* list : {&corpus_.texts, &corpus_.document_ids}) {
    bytes += held_bytes(list->bytes) + held_bytes(list->offsets);
  }
  return bytes + (label_names_ != nullptr ? label_names_->held() : 0);
}

}  // namespace

CorpusResult read_text_blocks(LineBlocks& blocks, const ReadOptions& options, const Run& run, std::size_t chunk_bytes,
                              NameTable* names, const UseTexts& use) {
  check_layout_options(options);
  return TextReader(blocks, options, run, chunk_bytes, names, use).read();
}

CorpusResult read_texts(LineBlocks& blocks, const ReadOptions& options, const Run& run, std::size_t chunk_bytes) {
  NameTable labels;
  CorpusResult result = read_text_blocks(blocks, options, run, chunk_bytes, &labels, [](Corpus&) {});
  name_labels_by_keys(labels.take_names(), result.corpus);
  return result;
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
