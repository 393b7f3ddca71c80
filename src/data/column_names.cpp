// SPDX-License-Identifier: Apache-2.0
#include "data/column_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/text.h"
#include "data/trimmed.h"

namespace xylem {
namespace {

constexpr std::array<std::string_view, 6> kTextNames = {"text",     "content",     "body",
                                                        "abstract", "description", "sentence"};
constexpr std::array<std::string_view, 15> kLabelNames = {
    "labels",  "subjects", "target_ind", "subject_uris", "tags",  "keywords", "topics", "categories",
    "classes", "label",    "subject",    "tag",          "topic", "category", "class"};
constexpr std::array<std::string_view, 4> kIdNames = {"id", "document_id", "uid", "doc_id"};
constexpr std::size_t kMostListed = 10;

}  // namespace

std::span<const std::string_view> known_text_names() {
  return kTextNames;
}

std::span<const std::string_view> known_label_names() {
  return kLabelNames;
}

std::span<const std::string_view> known_id_names() {
  return kIdNames;
}

std::string folded_name(std::string_view name) {
  std::string folded(without_blanks(name));
  for (char& c : folded) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return folded;
}

std::optional<std::size_t> find_known(std::span<const std::string> names, std::span<const std::string_view> known,
                                      std::optional<std::size_t> except) {
  for (const std::string_view wanted : known) {
    if (const auto found = find_name(names, wanted); found && found != except) return found;
  }
  return std::nullopt;
}

std::optional<std::size_t> find_name(std::span<const std::string> names, std::string_view wanted) {
  auto found = std::ranges::find(names, wanted);
  if (found == names.end()) {
    const std::string folded = folded_name(wanted);
    found = std::ranges::find_if(names, [&](const std::string& name) { return folded_name(name) == folded; });
  }
  if (found == names.end()) return std::nullopt;
  return static_cast<std::size_t>(found - names.begin());
}

std::string list_names(std::span<const std::string> names) {
  std::string list;
  const std::size_t n = std::min(names.size(), kMostListed);
  for (std::size_t i = 0; i < n; ++i) {
    if (i > 0) list += i + 1 == n && n == names.size() ? " and " : ", ";
    list += quote_name(names[i]);
  }
  if (n < names.size()) list += fmt::format(" and {} more", names.size() - n);
  return list;
}

}  // namespace xylem
