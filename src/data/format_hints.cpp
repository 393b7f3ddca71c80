// SPDX-License-Identifier: Apache-2.0
#include "data/format_hints.h"

#include <algorithm>

#include "data/column_names.h"
#include "data/number_token.h"
#include "data/trimmed.h"

namespace xylem {
namespace {

constexpr std::string_view kComments =
    "which seems to be SVMlight with comments or qid, expected rows without them: `sed 's/#.*//; s/ qid:[0-9]*//; "
    "/^ *$/d' OLD > NEW`";
constexpr std::string_view kOtherPrefix =
    "which seems to be fastText with another prefix, expected '__label__': `sed -E 's/(^| )__[a-z]+__/\\1__label__/g' "
    "OLD > NEW`";

// __class__name
bool has_other_prefix(std::string_view line) {
  if (!line.starts_with("__")) return false;
  const std::size_t end = line.find("__", 2);
  return end != std::string_view::npos && end > 2 &&
         line.substr(2, end - 2).find_first_of(" \t") == std::string_view::npos;
}

// A digit, then # or qid: somewhere.
bool has_comment(std::string_view line) {
  return line.starts_with('#') || (is_digit(line.front()) && (line.find(" #") != std::string_view::npos ||
                                                              line.find(" qid:") != std::string_view::npos));
}

}  // namespace

std::string_view unknown_format_hint(std::string_view line) {
  line = without_blanks_before(line);
  if (line.empty()) return {};
  const std::string folded = folded_name(line);
  if (folded.starts_with("@relation") || folded.starts_with("@attribute") || line.starts_with('%')) {
    return line.starts_with("%%MatrixMarket")
               ? "which is a Matrix Market file, expected rows with their labels: scikit-learn's dump_svmlight_file "
                 "writes them"
               : "which seems to be ARFF, expected rows: write them with scikit-learn's dump_svmlight_file, or texts "
                 "as CSV";
  }
  if (folded.starts_with("<?xml") || folded.starts_with("<!doctype") || folded.starts_with("<html")) {
    return "which is XML or HTML, expected a text per line: export texts and labels as CSV or JSONL";
  }
  if (has_other_prefix(line)) return kOtherPrefix;
  if (has_comment(line)) return kComments;
  const std::size_t bar = line.find('|');
  if (bar != std::string_view::npos &&
      line.substr(0, bar).find_first_not_of("0123456789.:,- ") == std::string_view::npos) {
    return "which seems to be for Vowpal Wabbit, expected another format: `__label__NAME text` (fasttext) is the "
           "nearest";
  }
  return {};
}

}  // namespace xylem
