// SPDX-License-Identifier: Apache-2.0
#include "data/label_rules.h"

#include <fmt/format.h>

#include <span>

#include "core/fail.h"
#include "core/text.h"
#include "data/name_index.h"
#include "data/number_token.h"

namespace xylem {
namespace {

// Why the format cannot hold this label; empty if it can.
std::string_view trouble_with_label(std::string_view label, std::string_view format, char separator) {
  if (label.empty()) return "an empty name";
  if (format == "jsonl") return {};
  if (label.find_first_of("\r\n") != std::string_view::npos) return "a line break";
  // fastText ends a word at any of these.
  if (format == "fasttext") return label.find_first_of(" \t\v\f") != std::string_view::npos ? "a blank" : "";
  if (label.find(separator) != std::string_view::npos) return "the separator of labels";
  if (format == "tsv" && label.find('\t') != std::string_view::npos) return "a TAB";
  return is_blank(label.front()) || is_blank(label.back()) ? "a blank at its begin or end" : "";
}

}  // namespace

void check_label_separator(char separator) {
  if (separator >= ' ' && separator <= '~' && separator != '"') return;
  fail(ErrorKind::kUsage, "{} cannot stand between labels; expected a printable ASCII character other than '\"'",
       quote({&separator, 1}));
}

void check_labels_fit(const TextList& labels, std::string_view format, char separator) {
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const std::string_view trouble = trouble_with_label(labels[i], format, separator);
    if (trouble.empty()) continue;
    fail(ErrorKind::kData, "label {} has {}, which {} cannot hold{}", quote_name(labels[i]), trouble, format,
         labels[i].empty() ? "" : "; jsonl can");
  }
}

std::string shared_names_warning(const TextList& names, const TextList& ids, std::string_view format) {
  if (ids.size() == 0) return "";
  const NameIndex index(names);
  std::size_t count = 0;
  std::span<const Label> example;
  for (std::size_t label = 0; label < names.size(); ++label) {
    const std::span<const Label> called = index.find(names[label]);
    if (called.size() > 1 && count++ == 0) example = called;
  }
  if (count == 0) return "";
  return fmt::format(
      "labels that share their name with another: {}, such as {} and {}, both {}; {} has no identifiers, so nothing "
      "tells them apart there; jsonl has them",
      count, quote_name(ids[example[0]]), quote_name(ids[example[1]]), quote_name(names[example[0]]), format);
}

}  // namespace xylem
