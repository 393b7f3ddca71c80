// SPDX-License-Identifier: Apache-2.0
#include "data/xmlrepo_predictions.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "core/fail.h"
#include "core/text.h"
#include "data/number_token.h"
#include "data/sparse_header.h"

namespace xylem {
namespace {

struct PredictionsHeader {
  std::uint64_t rows, labels;
};

class PredictionReader {
 public:
  PredictionReader(LineBlocks& blocks, std::optional<Label> first_label)
      : blocks_(blocks), first_label_(first_label.value_or(0)), first_is_known_(first_label.has_value()) {}

  Predictions read();

 private:
  const char* take_header(const std::string& block);
  const char* take_line(const char* p, const char* end);
  void sort_row();

  [[noreturn]] void fail_here(std::string_view problem) const {
    fail(ErrorKind::kData, "{}:{}: {}", blocks_.name(), line_, problem);
  }
  [[noreturn]] void fail_token(const char* token, std::string_view expected) const {
    const char* end = token;
    while (!is_blank(*end) && !is_line_end(end)) ++end;
    fail_here(fmt::format("found {}, expected {}", quote({token, end}), expected));
  }

  LineBlocks& blocks_;
  Label first_label_;
  bool first_is_known_;
  std::optional<PredictionsHeader> header_;
  std::uint64_t labels_end_ = kMaxIds;  // what the file may call its labels ends before this
  std::size_t line_ = 1;
  Predictions result_;
  std::vector<std::pair<Label, float>> row_;
  std::vector<Label> seen_;
};

Predictions PredictionReader::read() {
  std::string block;
  bool more = blocks_.next(block);
  if (!more) fail_here("found an empty file, expected predictions");
  const char* p = take_header(block);
  while (more) {
    const char* const end = block.data() + block.size();
    while (p != end) p = take_line(p, end);
    more = blocks_.next(block);
    p = block.data();
  }
  if (header_ && result_.top.size() < header_->rows) {
    fail(ErrorKind::kData, "{}:1: found {} rows, expected the {} that the header promises", blocks_.name(),
         result_.top.size(), header_->rows);
  }
  return std::move(result_);
}

// Returns where the rows begin.
const char* PredictionReader::take_header(const std::string& block) {
  const std::size_t line_end = block.find('\n') + 1;
  const auto numbers = parse_header(std::string_view(block).substr(0, line_end), 2, blocks_.name());
  if (!numbers) return block.data();
  header_ = PredictionsHeader{(*numbers)[0], (*numbers)[1]};
  result_.n_labels = header_->labels;
  labels_end_ = header_->labels + (first_is_known_ ? first_label_ : 1);
  ++line_;
  return block.data() + line_end;
}

const char* PredictionReader::take_line(const char* p, const char* end) {
  row_.clear();
  while (true) {
    while (is_blank(*p)) ++p;
    if (is_line_end(p)) break;
    const char* token = p;
    const std::uint64_t label = read_id(p, end);
    if (label == kNoId || *p != ':') fail_token(token, "a prediction as label:score");
    float score = 0;
    if (!read_value(++p, end, score)) fail_token(token, "a prediction as label:score with a finite score");
    if (!is_blank(*p) && !is_line_end(p)) fail_token(token, "a prediction as label:score");
    if (label < first_label_ || label >= labels_end_) {
      if (labels_end_ <= first_label_) fail_token(token, "no label, as the header promises");
      fail_token(token, fmt::format("a label from {} to {}{}", first_label_, labels_end_ - 1,
                                    header_ ? ", as the header promises" : ""));
    }
    row_.emplace_back(static_cast<Label>(label - first_label_), score);
  }
  p += *p == '\r' ? 2 : 1;
  if (header_ && result_.top.size() == header_->rows) {
    if (!row_.empty()) {
      fail_here(fmt::format("found more rows, expected the {} that the header promises", header_->rows));
    }
  } else {
    sort_row();
    for (const auto& [label, score] : row_) result_.top.push_back(label, score);
    result_.top.end_row();
  }
  ++line_;
  return p;
}

void PredictionReader::sort_row() {
  std::stable_sort(row_.begin(), row_.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  seen_.clear();
  for (const auto& entry : row_) seen_.push_back(entry.first);
  std::sort(seen_.begin(), seen_.end());
  const auto twice = std::adjacent_find(seen_.begin(), seen_.end());
  if (twice != seen_.end()) fail_here(fmt::format("found label {} twice, expected it once", *twice + first_label_));
  if (!header_ && !seen_.empty()) result_.n_labels = std::max(result_.n_labels, std::size_t{seen_.back()} + 1);
}

}  // namespace

Predictions read_xmlrepo_predictions(LineBlocks& blocks, std::optional<Label> first_label) {
  return PredictionReader(blocks, first_label).read();
}

std::string xmlrepo_header(std::size_t n_rows, std::size_t n_labels) {
  return fmt::format("{} {}\n", n_rows, n_labels);
}

void append_xmlrepo_row(const TopLabels& top, std::size_t row, Label first_label, std::string& out) {
  const auto labels = top.row_labels(row);
  const auto scores = top.row_scores(row);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    fmt::format_to(std::back_inserter(out), "{}{}:{}", i == 0 ? "" : " ", labels[i] + first_label, scores[i]);
  }
  out += '\n';
}

}  // namespace xylem
