// SPDX-License-Identifier: Apache-2.0
// Sparse files to data sets: blocks of lines are cut into chunks, the chunks parsed at once and appended in order.
// What only the whole file can tell is settled at the end: whether ids count from 0 or 1, and which rows that makes
// wrong.
#include "data/read_sparse.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "core/fail.h"
#include "core/parallel.h"
#include "data/bad_lines.h"
#include "data/chunks.h"
#include "data/foreign_files.h"
#include "data/format.h"
#include "data/id_spread.h"
#include "data/row_parser.h"
#include "data/sparse_header.h"

namespace xylem {
namespace {

struct SparseHeader {
  std::uint64_t rows, features, labels;
};

class SparseReader {
 public:
  SparseReader(LineBlocks& blocks, const ReadOptions& options, const Run& run, std::size_t chunk_bytes,
               const UseRows& use)
      : options_(options),
        run_(run),
        chunk_bytes_(chunk_bytes),
        blocks_(blocks),
        use_(use),
        bad_lines_(blocks.name(), options.max_bad_lines) {}

  ReadResult read();
  SparseSummary summarise();

 private:
  void read_blocks();
  std::string_view take_header(std::string_view lines);
  void parse(std::string_view lines);
  void make_room(std::size_t n_chunks);
  void append(const ParsedRows& rows);
  void append_ids(std::size_t n_chunks);
  std::optional<std::size_t> first_line_beyond_header(const ParsedRows& rows) const;
  std::size_t held() const;
  void hand_out();
  void drop_blank_end();
  void check_rows() const;
  void settle_ids();
  void size_data();
  std::size_t surplus_lines() const;
  std::size_t promised() const { return header_ ? header_->rows : 0; }
  void warn_of_oddities();
  void warn_of_far_id(std::string_view what, const IdSpread& spread, std::uint32_t first_id);
  void drop_rows_beyond(bool check_features, bool check_labels);

  const ReadOptions& options_;
  const Run& run_;
  std::size_t chunk_bytes_;
  LineBlocks& blocks_;
  const UseRows& use_;
  std::optional<SparseHeader> header_;
  RowRules rules_;
  std::vector<ParsedRows> chunks_;
  Dataset data_;  // what `use` has left
  // Of all lines so far, the header not counted:
  ReadReport report_;
  IdBounds feature_bounds_, label_bounds_;
  IdSpread feature_spread_, label_spread_;
  BadLines bad_lines_;
  std::size_t n_rows_ = 0;
  std::size_t n_lines_ = 0;
  std::size_t trailing_empty_ = 0;
  bool summarises_ = false;
  bool late_bad_lines_ = false;
};

ReadResult SparseReader::read() {
  read_blocks();
  bad_lines_.put_into(report_);
  if (!header_) warn_of_oddities();
  use_(data_, promised());
  return {std::move(data_), std::move(report_)};
}

SparseSummary SparseReader::summarise() {
  summarises_ = true;
  read_blocks();
  bad_lines_.put_into(report_);
  if (!header_) warn_of_oddities();
  return {data_.first_ids, n_rows_, data_.features.n_columns, data_.n_labels, late_bad_lines_, std::move(report_)};
}

void SparseReader::read_blocks() {
  bool at_start = true;
  for_each_block(blocks_, run_, [&](const std::string& lines) {
    parse(at_start ? take_header(lines) : std::string_view(lines));
    at_start = false;
    check_memory(blocks_, data_.size(), held(), options_.max_bytes);
    if (options_.first_ids || summarises_) hand_out();
    report_rows(run_, blocks_, n_rows_, promised());
  });
  drop_blank_end();
  check_rows();
  settle_ids();
}

// Looks at the first line, decides what rows may contain, and returns the lines that are rows.
std::string_view SparseReader::take_header(std::string_view lines) {
  const std::size_t line_end = lines.find('\n') + 1;
  if (options_.format != "libsvm") {
    if (const auto numbers = parse_header(lines.substr(0, line_end), 3, blocks_.name())) {
      header_ = SparseHeader{(*numbers)[0], (*numbers)[1], (*numbers)[2]};
      lines.remove_prefix(line_end);
      bad_lines_.set_first_line(2);
    }
  }
  report_.format = options_.format != "auto" ? options_.format : header_ ? "xmlrepo" : "libsvm";

  const auto range = [&](std::uint64_t promised, std::optional<std::uint32_t> first) {
    if (!header_) return IdRange{first.value_or(0), kMaxIds, false};
    // Where the first id is still open, both 0 and `promised` are possible.
    return IdRange{first.value_or(0), promised + first.value_or(1), true};
  };
  const auto& first = options_.first_ids;
  rules_.features = range(header_ ? header_->features : 0, first ? std::optional(first->feature) : std::nullopt);
  rules_.labels = range(header_ ? header_->labels : 0, first ? std::optional(first->label) : std::nullopt);
  return lines;
}

void SparseReader::parse(std::string_view lines) {
  const std::vector<std::string_view> texts = cut_chunks(lines, chunk_bytes_);
  chunks_.resize(std::max(chunks_.size(), texts.size()));
  parallel_for(texts.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) parse_rows(texts[i], rules_, options_.max_bad_lines, chunks_[i]);
  });
  make_room(texts.size());
  for (std::size_t i = 0; i < texts.size(); ++i) append(chunks_[i]);
  append_ids(texts.size());
}

// With a header the size of the whole is known about from the first block on, and growing by doubling, which copies all
// and touches new pages each time, can be avoided. A header that lies costs addresses rather than memory, and not more
// than kMostAhead times what is there.
void SparseReader::make_room(std::size_t n_chunks) {
  constexpr double kMargin = 1.03, kLeastAhead = 1.25, kMostAhead = 16;
  std::size_t lines = n_lines_, features = data_.features.ids.size(), labels = data_.labels.ids.size();
  for (std::size_t i = 0; i < n_chunks; ++i) {
    lines += chunks_[i].n_lines;
    features += chunks_[i].n_features();
    labels += chunks_[i].n_labels();
  }
  if (!header_ || lines == 0 || lines >= header_->rows) return;
  const double expected = kMargin * static_cast<double>(header_->rows) / static_cast<double>(lines);
  const double ahead = std::clamp(expected, kLeastAhead, kMostAhead);
  const auto reserve = [&](auto& values, std::size_t needed) {
    if (needed > values.capacity()) values.reserve(static_cast<std::size_t>(static_cast<double>(needed) * ahead));
  };
  reserve(data_.features.ids, features);
  reserve(data_.features.values, features);
  reserve(data_.labels.ids, labels);
}

// All but the ids and values.
void SparseReader::append(const ParsedRows& rows) {
  const auto beyond = first_line_beyond_header(rows);
  for (const BadLine& bad : rows.bad_lines) {
    if (beyond && bad.line >= *beyond) break;
    bad_lines_.add(n_lines_ + bad.line, bad.problem);
  }
  bad_lines_.check();
  if (beyond) {
    bad_lines_.fail_at(n_lines_ + *beyond,
                       fmt::format("found more rows, expected the {} that the header promises", header_->rows));
  }

  const auto append_ends = [](std::vector<std::uint64_t>& offsets, const std::vector<std::uint64_t>& ends) {
    const std::uint64_t base = offsets.back();
    for (const std::uint64_t end : ends) offsets.push_back(base + end);
  };
  append_ends(data_.features.offsets, rows.feature_ends);
  append_ends(data_.labels.offsets, rows.label_ends);
  feature_bounds_.add(rows.feature_bounds.lowest, rows.feature_bounds.highest);
  label_bounds_.add(rows.label_bounds.lowest, rows.label_bounds.highest);
  feature_spread_.add(rows.feature_spread, n_lines_);
  label_spread_.add(rows.label_spread, n_lines_);
  report_.duplicate_features += rows.duplicate_features;
  report_.duplicate_labels += rows.duplicate_labels;
  trailing_empty_ = rows.trailing_empty + (rows.trailing_empty == rows.n_lines ? trailing_empty_ : 0);
  n_lines_ += rows.n_lines;
  n_rows_ += rows.size();
}

// Of the first chunks. Most of the time goes into touching new memory: each array is a task.
void SparseReader::append_ids(std::size_t n_chunks) {
  TaskGroup arrays;
  const auto append_array = [&](auto& all, auto ParsedRows::*part, std::size_t (ParsedRows::*size)() const) {
    arrays.run([&all, part, size, n_chunks, this] {
      for (std::size_t i = 0; i < n_chunks; ++i) {
        const auto* values = (chunks_[i].*part).data();
        all.insert(all.end(), values, values + (chunks_[i].*size)());
      }
    });
  };
  append_array(data_.features.ids, &ParsedRows::features, &ParsedRows::n_features);
  append_array(data_.features.values, &ParsedRows::values, &ParsedRows::n_features);
  append_array(data_.labels.ids, &ParsedRows::labels, &ParsedRows::n_labels);
  arrays.wait();
}

// The first of these lines that is not blank and comes after as many as the header promises.
std::optional<std::size_t> SparseReader::first_line_beyond_header(const ParsedRows& rows) const {
  if (!header_) return std::nullopt;
  auto bad = rows.bad_lines.begin();
  for (std::size_t line = 0, row = 0; line < rows.n_lines && n_lines_ + rows.n_lines > header_->rows; ++line) {
    const bool is_bad = bad != rows.bad_lines.end() && bad->line == line;
    if (n_lines_ + line >= header_->rows && (is_bad || !rows.is_blank(row))) return line;
    if (is_bad) {
      ++bad;
    } else {
      ++row;
    }
  }
  return std::nullopt;
}

std::size_t SparseReader::held() const {
  return held_bytes(data_.features.offsets) + held_bytes(data_.features.ids) + held_bytes(data_.features.values) +
         held_bytes(data_.labels.offsets) + held_bytes(data_.labels.ids);
}

// With a header every line that it promises is a row, however blank; all beyond are known to be blank.
std::size_t SparseReader::surplus_lines() const {
  if (!header_) return trailing_empty_;
  return n_lines_ > header_->rows ? n_lines_ - header_->rows : 0;
}

// All but the blank rows at the end, which may prove to be none.
void SparseReader::hand_out() {
  const std::size_t withheld = std::min(data_.size(), std::max(trailing_empty_, surplus_lines()));
  const auto resize = [&](std::vector<std::uint64_t>& offsets, std::size_t n_rows) {
    offsets.resize(n_rows + 1, offsets.back());
  };
  resize(data_.features.offsets, data_.size() - withheld);
  resize(data_.labels.offsets, data_.labels.size() - withheld);
  size_data();
  use_(data_, promised());
  resize(data_.features.offsets, data_.size() + withheld);
  resize(data_.labels.offsets, data_.labels.size() + withheld);
}

void SparseReader::drop_blank_end() {
  const std::size_t surplus = surplus_lines();
  data_.features.offsets.resize(data_.features.offsets.size() - surplus);
  data_.labels.offsets.resize(data_.labels.offsets.size() - surplus);
  n_lines_ -= surplus;
  n_rows_ -= surplus;
}

void SparseReader::check_rows() const {
  if (header_ && n_lines_ < header_->rows) {
    fail(ErrorKind::kData, "{}:1: found {} rows, expected the {} that the header promises", blocks_.name(), n_lines_,
         header_->rows);
  }
  bad_lines_.check_rows(n_rows_);
  if (!header_ && n_rows_ == 0) {
    fail(ErrorKind::kData, "{}:1: found an empty file, expected rows of labels and features", blocks_.name());
  }
}

// Where nobody has said what the first id is: 1 if 0 does not occur and nothing else (a largest id that only counting
// from 1 allows, or no header to say) speaks against it.
void SparseReader::settle_ids() {
  const auto counts_from_one = [&](const IdBounds& bounds, std::uint64_t promised) {
    return bounds.any() && bounds.lowest > 0 && (!header_ || bounds.highest == promised);
  };
  const std::uint64_t features = header_ ? header_->features : 0;
  const std::uint64_t labels = header_ ? header_->labels : 0;
  if (!options_.first_ids) {
    data_.first_ids = {counts_from_one(feature_bounds_, features), counts_from_one(label_bounds_, labels)};
    const auto shift = [](std::vector<std::uint32_t>& ids, std::uint32_t first, IdBounds& bounds) {
      if (first == 0) return;
      for (std::uint32_t& id : ids) id -= first;
      bounds = {bounds.lowest - first, bounds.highest - first};
    };
    shift(data_.features.ids, data_.first_ids.feature, feature_bounds_);
    shift(data_.labels.ids, data_.first_ids.label, label_bounds_);
  }
  size_data();
  const bool features_beyond = feature_bounds_.any() && feature_bounds_.highest >= data_.features.n_columns;
  const bool labels_beyond = label_bounds_.any() && label_bounds_.highest >= data_.n_labels;
  late_bad_lines_ = features_beyond || labels_beyond;
  if (late_bad_lines_ && !summarises_) drop_rows_beyond(features_beyond, labels_beyond);
}

// How many features and labels there are, by the header or as far as has been seen.
void SparseReader::size_data() {
  const auto count = [&](const IdBounds& bounds, std::uint64_t promised) {
    if (header_) return static_cast<std::size_t>(promised);
    return bounds.any() ? std::size_t{bounds.highest} + 1 : 0;
  };
  if (options_.first_ids) data_.first_ids = *options_.first_ids;
  data_.features.n_columns = count(feature_bounds_, header_ ? header_->features : 0);
  data_.n_labels = count(label_bounds_, header_ ? header_->labels : 0);
}

// Ids that would have been right if the file counted from 1, but a 0 elsewhere says that it counts from 0.
void SparseReader::drop_rows_beyond(bool check_features, bool check_labels) {
  std::vector<std::size_t> kept;
  std::vector<BadLine> late;
  std::size_t line = 0;
  auto bad = bad_lines_.lines().begin();
  for (std::size_t row = 0; row < data_.size(); ++row, ++line) {
    for (; bad != bad_lines_.lines().end() && bad->line == line; ++bad) ++line;
    const auto features = data_.features[row].ids;
    const auto labels = data_.labels[row];
    const auto late_line = [&](std::string_view what, std::uint32_t id, std::size_t count) {
      late.push_back({line, {}});
      if (late.size() > kMaxProblems) return;
      late.back().problem = fmt::format(
          "found {} {}, expected less than the {} that the header promises, because ids count from 0 in this file",
          what, id, count);
    };
    if (check_labels && !labels.empty() && labels.back() >= data_.n_labels) {
      late_line("label", labels.back(), data_.n_labels);
    } else if (check_features && !features.empty() && features.back() >= data_.features.n_columns) {
      late_line("feature", features.back(), data_.features.n_columns);
    } else {
      kept.push_back(row);
    }
  }
  bad_lines_.merge(std::move(late));
  bad_lines_.check();
  data_ = select_rows(data_, kept);
  n_rows_ = data_.size();
  check_rows();
}

// What a header would have told.
void SparseReader::warn_of_oddities() {
  const FirstIds first = options_.first_ids.value_or(FirstIds());
  warn_of_far_id("label", label_spread_, first.label);
  warn_of_far_id("feature", feature_spread_, first.feature);
  if (!feature_bounds_.any() && label_bounds_.any()) {
    report_.warnings.push_back(
        fmt::format("{}: every row has labels alone, expected `labels feature:value feature:value ...`: is it a table?",
                    blocks_.name()));
  }
}

void SparseReader::warn_of_far_id(std::string_view what, const IdSpread& spread, std::uint32_t first_id) {
  const auto far = spread.far_id();
  if (!far) return;
  report_.warnings.push_back(
      fmt::format("{}:{}: {}", blocks_.name(), far->line + 1, far_id_problem(*far, what, first_id)));
}

}  // namespace

ReadResult read_sparse_blocks(LineBlocks& blocks, const ReadOptions& options, const Run& run, std::size_t chunk_bytes,
                              const UseRows& use) {
  return SparseReader(blocks, options, run, chunk_bytes, use).read();
}

SparseSummary summarise_sparse(LineBlocks& blocks, const ReadOptions& options, const Run& run,
                               std::size_t chunk_bytes) {
  const auto forget = [](Dataset& rows, std::size_t) {
    rows.features.clear();
    rows.labels.clear();
  };
  return SparseReader(blocks, options, run, chunk_bytes, forget).summarise();
}

ReadResult read_sparse(LineBlocks& blocks, const ReadOptions& options, const Run& run, std::size_t chunk_bytes) {
  return read_sparse_blocks(blocks, options, run, chunk_bytes, [](Dataset&, std::size_t) {});
}

ReadResult read_sparse(const std::string& path, const ReadOptions& options, const Run& run, const Cuts& cuts) {
  check_input_format(options.format, dataset_formats());
  LineBlocks blocks(path, cuts.block_bytes, options.max_bytes);
  refuse_foreign_file(blocks.first_lines(), false, blocks.name());
  if (options.format == "auto") expect_sparse(blocks);
  return read_sparse(blocks, options, run, cuts.chunk_bytes);
}

ReadResult read_dataset(const std::string& path, const ReadOptions& options, const Run& run) {
  ReadResult result;
  with_threads(run.threads, [&] { result = read_sparse(path, options, run); });
  return result;
}

}  // namespace xylem
