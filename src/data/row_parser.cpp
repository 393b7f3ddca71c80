// SPDX-License-Identifier: Apache-2.0
#include "data/row_parser.h"

#include <fmt/format.h>

#include <cassert>
#include <cmath>
#include <cstring>
#include <utility>

#include "core/text.h"
#include "data/number_token.h"

namespace xylem {
namespace {

class RowParser {
 public:
  RowParser(const char* end, const RowRules& rules, ParsedRows& out) : end_(end), rules_(rules), out_(out) {}

  // Parses the line at `p` and returns where it ends, or nullptr where it is bad: then problem() says why, and nothing
  // of the line is kept.
  const char* row(const char* p) {
    p = labels(p);
    if (p != nullptr) p = features(p);
    if (p == nullptr) return nullptr;
    const std::size_t labels_begin = out_.n_labels();
    const std::size_t features_begin = out_.n_features();
    if (n_labels_ > labels_begin)
      out_.label_bounds.add(out_.labels.data()[labels_begin], out_.labels.data()[n_labels_ - 1]);
    if (n_features_ > features_begin) {
      out_.feature_bounds.add(out_.features.data()[features_begin], out_.features.data()[n_features_ - 1]);
    }
    if (!rules_.features.from_header) {
      for (std::size_t i = labels_begin; i < n_labels_; ++i) out_.label_spread.add(out_.labels.data()[i], out_.n_lines);
      for (std::size_t i = features_begin; i < n_features_; ++i) {
        out_.feature_spread.add(out_.features.data()[i], out_.n_lines);
      }
    }
    out_.label_ends.push_back(n_labels_);
    out_.feature_ends.push_back(n_features_);
    out_.duplicate_labels += duplicate_labels_;
    out_.duplicate_features += duplicate_features_;
    return p;
  }

  std::string problem() const { return fmt::format("found {}, expected {}", found_, expected_); }

 private:
  const char* labels(const char* p);
  const char* features(const char* p);
  void sort_labels();
  bool sort_features();

  const char* bad(std::string found, std::string expected) {
    found_ = std::move(found);
    expected_ = std::move(expected);
    return nullptr;
  }
  const char* bad_token(const char* token, std::string expected) {
    return bad(quote({token, token_end(token)}), std::move(expected));
  }
  static const char* token_end(const char* p) {
    while (!is_blank(*p) && !is_line_end(p)) ++p;
    return p;
  }
  static std::string range_text(std::string_view what, const IdRange& range) {
    const char* reason = range.from_header ? ", as the header promises" : "";
    if (range.end <= range.first) return fmt::format("no {}{}", what, reason);
    return fmt::format("a {} id from {} to {}{}", what, range.first, range.end - 1, reason);
  }

  const char* end_;  // of all lines
  const RowRules& rules_;
  ParsedRows& out_;
  std::size_t n_labels_ = 0, n_features_ = 0;                  // kept so far, this row's included
  std::size_t duplicate_labels_ = 0, duplicate_features_ = 0;  // of this row
  std::vector<std::pair<Feature, float>> sorting_;
  std::string found_, expected_;
};

const char* RowParser::labels(const char* p) {
  n_labels_ = out_.n_labels();
  duplicate_labels_ = 0;
  if (is_blank(*p) || is_line_end(p)) return p;
  const char* token = p;
  const IdRange range = rules_.labels;
  bool rising = true;
  std::int64_t previous = -1;
  while (true) {
    const char* piece = p;
    const std::uint64_t id = read_id(p, end_);
    if (*p == ':' && piece == token) {  // a feature: the row has no labels
      n_labels_ = out_.n_labels();
      return token;
    }
    const bool last = is_blank(*p) || is_line_end(p);
    if (id == kNoId || (*p != ',' && !last)) {
      const char* stop = token_end(token);
      // Only the wrong label of a long list, but all of the list where that would be nothing.
      const char* piece_end = std::find(piece, stop, ',');
      if (piece_end != piece) return bad(quote({piece, piece_end}), "a label: a whole number");
      return bad(quote({token, stop}), "labels: whole numbers with commas between them");
    }
    if (id < range.first || id >= range.end) return bad(quote({piece, p}), range_text("label", range));
    rising &= static_cast<std::int64_t>(id) > previous;
    previous = static_cast<std::int64_t>(id);
    out_.labels.data()[n_labels_++] = static_cast<Label>(id - range.first);
    if (last) break;
    ++p;
  }
  if (!rising) sort_labels();
  return p;
}

const char* RowParser::features(const char* p) {
  const IdRange range = rules_.features;
  Feature* const ids = out_.features.data();
  float* const values = out_.values.data();
  std::size_t n = out_.n_features();
  bool rising = true;
  std::int64_t previous = -1;
  while (true) {
    while (is_blank(*p)) ++p;
    if (is_line_end(p)) break;
    const char* token = p;
    const std::uint64_t id = read_id(p, end_);
    float value = 1;
    if (*p == ':') {
      ++p;
      if (!read_value(p, end_, value) && id != kNoId)
        return bad_token(token, "a feature as id:value with a finite value");
    }
    if (id == kNoId || !(is_blank(*p) || is_line_end(p))) return bad_token(token, "a feature as id:value");
    if (id < range.first || id >= range.end) return bad_token(token, range_text("feature", range));
    rising &= static_cast<std::int64_t>(id) > previous;
    previous = static_cast<std::int64_t>(id);
    ids[n] = static_cast<Feature>(id - range.first);
    values[n++] = value;
  }
  n_features_ = n;
  duplicate_features_ = 0;
  return rising || sort_features() ? p : nullptr;
}

void RowParser::sort_labels() {
  Label* const begin = out_.labels.data() + out_.n_labels();
  Label* const end = out_.labels.data() + n_labels_;
  std::sort(begin, end);
  Label* const kept_end = std::unique(begin, end);
  duplicate_labels_ = static_cast<std::size_t>(end - kept_end);
  n_labels_ -= duplicate_labels_;
}

// Also adds up the values of features that occur more than once; false where the sum is too large.
bool RowParser::sort_features() {
  const std::size_t begin = out_.n_features();
  Feature* const ids = out_.features.data();
  float* const values = out_.values.data();
  sorting_.clear();
  for (std::size_t i = begin; i < n_features_; ++i) sorting_.emplace_back(ids[i], values[i]);
  std::stable_sort(sorting_.begin(), sorting_.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::size_t n = begin;
  for (std::size_t i = 0; i < sorting_.size();) {
    const Feature id = sorting_[i].first;
    double sum = sorting_[i].second;
    std::size_t next = i + 1;
    for (; next < sorting_.size() && sorting_[next].first == id; ++next) sum += sorting_[next].second;
    if (std::abs(sum) > std::numeric_limits<float>::max()) {
      bad(fmt::format("feature {} more than once with a sum of {:.3g}", id + rules_.features.first, sum),
          "a sum that a 32-bit float can hold");
      return false;
    }
    ids[n] = id;
    values[n++] = static_cast<float>(sum);
    i = next;
  }
  duplicate_features_ = n_features_ - n;
  n_features_ = n;
  return true;
}

}  // namespace

void parse_rows(std::string_view lines, const RowRules& rules, std::size_t max_bad_lines, ParsedRows& out) {
  assert(!lines.empty() && lines.back() == '\n');
  out.feature_ends.clear();
  out.label_ends.clear();
  out.bad_lines.clear();
  out.feature_bounds = out.label_bounds = {};
  out.feature_spread = out.label_spread = {};
  out.duplicate_features = out.duplicate_labels = out.n_lines = out.trailing_empty = 0;
  // An id and what separates it from the next take two bytes at least.
  const std::size_t most = lines.size() / 2 + 1;
  out.features.reserve(most);
  out.values.reserve(most);
  out.labels.reserve(most);

  const char* p = lines.data();
  const char* const end = p + lines.size();
  RowParser parser(end, rules, out);
  while (p != end && out.bad_lines.size() <= max_bad_lines) {
    const char* line_end = parser.row(p);
    if (line_end == nullptr) {
      out.bad_lines.push_back({out.n_lines, out.bad_lines.size() < kMaxProblems ? parser.problem() : std::string()});
      line_end = static_cast<const char*>(std::memchr(p, '\n', static_cast<std::size_t>(end - p)));
    }
    out.trailing_empty = is_line_end(p) ? out.trailing_empty + 1 : 0;
    ++out.n_lines;
    p = line_end + (*line_end == '\r' ? 2 : 1);
  }
}

}  // namespace xylem
