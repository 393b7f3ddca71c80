// SPDX-License-Identifier: Apache-2.0
#include "data/predictions.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "core/fail.h"
#include "core/text.h"
#include "data/foreign_files.h"
#include "data/format.h"
#include "data/format_hints.h"
#include "data/line_blocks.h"
#include "data/name_table.h"
#include "data/prediction_rows.h"
#include "data/utf8.h"
#include "data/xmlrepo_predictions.h"

namespace xylem {
namespace {

constexpr std::size_t kBlockBytes = std::size_t{4} << 20;
constexpr std::string_view kBlanks = " \t\r\n";

std::string_view detect(LineBlocks& blocks) {
  const std::string_view lines = blocks.first_lines();
  const std::size_t begin = lines.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return "xmlrepo";  // without a prediction, or without a row
  const std::string_view rest = lines.substr(begin);
  if (rest.starts_with('{')) return "jsonl";
  if (rest.starts_with(kFasttextPrefix)) return "fasttext";
  if (rest.front() >= '0' && rest.front() <= '9') return "xmlrepo";
  const auto line = 1 + std::count(lines.begin(), lines.begin() + static_cast<std::ptrdiff_t>(begin), '\n');
  if (rest.starts_with('[')) fail(ErrorKind::kData, "{}:{}: {}", blocks.name(), line, kJsonArrayProblem);
  fail(ErrorKind::kData,
       "{}:{}: found {}, expected predictions: `label:score` with numbers for labels, JSONL like "
       "{{\"labels\":[{{\"label\":\"a\",\"score\":0.9}}]}}, or `__label__a 0.9`",
       blocks.name(), line, quote(rest.substr(0, rest.find_first_of("\r\n"))));
}

// Throws BadRow for bytes that are no text.
void check_bytes(std::string_view line) {
  if (is_plain_ascii(line)) return;
  if (line.find('\0') != std::string_view::npos) throw BadRow{"found a NUL byte, expected text"};
  const BadUtf8 bad = find_bad_utf8(line);
  if (bad.size > 0)
    throw BadRow{fmt::format("found invalid UTF-8 {}, expected UTF-8", quote(line.substr(bad.begin, bad.size)))};
}

// Predictions with names for labels.
class NamedReader {
 public:
  NamedReader(LineBlocks& blocks, std::string_view format) : blocks_(blocks), format_(format) {}

  Predictions read();

 private:
  void take_line(std::string_view line);
  void keep_row();

  LineBlocks& blocks_;
  std::string_view format_;
  PredictedRow row_;
  std::vector<std::size_t> order_;
  NameTable labels_;
  bool any_score_ = false, any_label_ = false, any_row_without_id_ = false;
  Predictions result_;
};

Predictions NamedReader::read() {
  std::string block;
  std::size_t number = 0;
  while (blocks_.next(block)) {
    for (std::string_view rest = block; !rest.empty();) {
      const std::size_t end = rest.find('\n');
      ++number;
      try {
        take_line(rest.substr(0, end));
      } catch (const BadRow& bad) {
        fail(ErrorKind::kData, "{}:{}: {}", blocks_.name(), number, bad.problem);
      }
      rest.remove_prefix(end + 1);
    }
  }
  if (any_row_without_id_) result_.document_ids.clear();
  result_.label_keys = labels_.take_names();
  result_.scored = any_score_ || !any_label_;
  return std::move(result_);
}

// An empty line is a row without a prediction, but in JSONL nothing.
void NamedReader::take_line(std::string_view line) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  const bool blank = line.find_first_not_of(kBlanks) == std::string_view::npos;
  if (blank && format_ == "jsonl") return;
  check_bytes(line);
  row_.clear();
  if (format_ == "fasttext") {
    parse_fasttext_predictions(line, row_);
  } else {
    parse_json_predictions(line, row_);
  }
  keep_row();
}

void NamedReader::keep_row() {
  const std::size_t n = row_.labels.size();
  const bool scored = !row_.scores.empty();
  if (n > 0 && any_label_ && scored != any_score_) {
    throw BadRow{scored ? "found scores, expected none as in the rows before"
                        : "found labels without scores, expected scores as in the rows before"};
  }
  any_label_ |= n > 0;
  any_score_ |= scored;
  for (std::size_t i = 0; !scored && i < n; ++i) row_.scores.push_back(1.0F / static_cast<float>(i + 1));
  order_.resize(n);
  std::iota(order_.begin(), order_.end(), std::size_t{0});
  std::ranges::stable_sort(order_, std::greater<>(), [&](std::size_t i) { return row_.scores[i]; });
  for (const std::size_t i : order_) result_.top.push_back(labels_.number(row_.labels[i]), row_.scores[i]);
  result_.top.end_row();
  any_row_without_id_ |= row_.document_id.empty();
  if (!any_row_without_id_) result_.document_ids.push_back(row_.document_id);
}

}  // namespace

std::vector<std::string_view> prediction_formats() {
  return {"xmlrepo", "jsonl", "fasttext"};
}

Predictions read_predictions(const std::string& path, const PredictionOptions& options) {
  check_input_format(options.format, prediction_formats());
  LineBlocks blocks(path, kBlockBytes);
  if (blocks.first_lines().empty()) {
    fail(ErrorKind::kData, "{}:1: found an empty file, expected predictions", blocks.name());
  }
  refuse_foreign_file(blocks.first_lines(), false, blocks.name());
  const std::string_view format = options.format == "auto" ? detect(blocks) : std::string_view(options.format);
  Predictions result =
      format == "xmlrepo" ? read_xmlrepo_predictions(blocks, options.first_label) : NamedReader(blocks, format).read();
  result.file = blocks.name();
  result.format = format;
  return result;
}

}  // namespace xylem
