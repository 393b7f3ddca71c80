// SPDX-License-Identifier: Apache-2.0
// Lines of `label,label id:value id:value` to sparse rows. Both sparse formats have the same rows.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/raw_array.h"
#include "data/bad_lines.h"
#include "data/id_spread.h"
#include "xylem/sparse.h"

namespace xylem {

// Which ids a file may use: first <= id < end. What is kept is id - first.
struct IdRange {
  std::uint32_t first = 0;
  std::uint64_t end = 0;
  bool from_header = false;  // for the message
};

struct RowRules {
  IdRange features;
  IdRange labels;
};

// The smallest and the largest id kept.
struct IdBounds {
  std::uint32_t lowest = std::numeric_limits<std::uint32_t>::max();
  std::uint32_t highest = 0;

  bool any() const { return lowest <= highest; }
  void add(std::uint32_t low, std::uint32_t high) {
    lowest = std::min(lowest, low);
    highest = std::max(highest, high);
  }
};

// What became of some lines. Reused from block to block: the arrays keep their memory.
struct ParsedRows {
  std::vector<std::uint64_t> feature_ends;  // one for each row: where its features end
  RawArray<Feature> features;
  RawArray<float> values;
  std::vector<std::uint64_t> label_ends;
  RawArray<Label> labels;
  IdBounds feature_bounds, label_bounds;
  IdSpread feature_spread, label_spread;  // of a file without a header
  std::size_t duplicate_features = 0;
  std::size_t duplicate_labels = 0;
  std::vector<BadLine> bad_lines;  // in order
  std::size_t n_lines = 0;         // rows and bad lines
  std::size_t trailing_empty = 0;  // lines at the end without a single character

  std::size_t size() const { return feature_ends.size(); }
  std::size_t n_features() const { return feature_ends.empty() ? 0 : feature_ends.back(); }
  std::size_t n_labels() const { return label_ends.empty() ? 0 : label_ends.back(); }
  bool is_blank(std::size_t row) const {
    return feature_ends[row] == (row == 0 ? 0 : feature_ends[row - 1]) &&
           label_ends[row] == (row == 0 ? 0 : label_ends[row - 1]);
  }
};

// Parses `lines`, the last of which ends in '\n' too, and replaces what was in `out`. Each line is a row or a bad line;
// stops early after more than `max_bad_lines` of these.
void parse_rows(std::string_view lines, const RowRules& rules, std::size_t max_bad_lines, ParsedRows& out);

}  // namespace xylem
