// SPDX-License-Identifier: Apache-2.0
#include "cli/labels.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "core/fail.h"
#include "core/text.h"
#include "data/name_index.h"

namespace xylem::cli {

std::string no_such_label(const Tagger& tagger, std::string_view name) {
  std::string message = fmt::format("the model has no label {}", quote(name));
  const std::uint64_t first = tagger.first_ids().label;
  if (!tagger.has_label_names()) {
    return message + fmt::format(", expected a number from {} to {}", first, first + tagger.n_labels() - 1);
  }
  std::vector<std::string> fit_to_print;
  for (std::size_t i = 0; i < tagger.n_labels(); ++i) {
    const std::string_view known = tagger.label_names()[i];
    const bool plain = std::ranges::none_of(known, [](unsigned char c) { return c < ' ' || c == 0x7f; });
    if (plain) fit_to_print.emplace_back(known);
  }
  return message + nearest_name_hint(name, fit_to_print);
}

std::vector<Label> named_labels(const Tagger& tagger, const char* option, std::string_view name) {
  TextList names;
  names.push_back(name);
  const LabelLists labels = tagger.labels_called(names);
  if (labels[0].empty()) fail(ErrorKind::kUsage, "{}: {}", option, no_such_label(tagger, name));
  return {labels[0].begin(), labels[0].end()};
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

std::string as_field(std::string_view name) {
  std::string field(name);
  std::ranges::replace_if(
      field, [](unsigned char c) { return c < ' '; }, ' ');
  return field;
}

nlohmann::ordered_json label_json(const Tagger& tagger, Label label) {
  if (tagger.has_label_names()) return tagger.label_name(label);
  return std::uint64_t{label} + tagger.first_ids().label;
}

std::string label_members(const Tagger& tagger, Label label) {
  std::string members = fmt::format("\"label\":{}", label_json(tagger, label).dump());
  const std::string_view id = tagger.label_id(label);
  if (!id.empty()) members += fmt::format(",\"id\":{}", nlohmann::json(id).dump());
  return members;
}

}  // namespace xylem::cli
