// SPDX-License-Identifier: Apache-2.0
#include "tagger/label_lists.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <string>

#include "core/fail.h"
#include "core/text.h"
#include "data/name_index.h"

namespace xylem {
namespace {

// "the model has no label 'x'", and what might be meant.
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

// Lines `number<TAB>name`, `identifier<TAB>name` or `<identifier>`.
class VocabularyLines {
 public:
  VocabularyLines(const Tagger& tagger, const TextList& lines) : tagger_(tagger) {
    TextList names;
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const std::string_view line = lines[i];
      const std::size_t tab = line.find('\t');
      std::string_view key = line.substr(0, tab);
      if (key.starts_with('<') && key.ends_with('>')) key = key.substr(1, key.size() - 2);
      keys_.push_back(key);
      names.push_back(tab == std::string_view::npos ? std::string_view() : line.substr(tab + 1));
    }
    called_so_ = tagger.labels_called(names);
    called_as_keys_ = tagger.labels_called(keys_);
  }

  // Of labels that share the name, the one with the number or identifier before it, if there is one.
  std::span<const Label> labels(std::size_t line) const {
    const std::span<const Label> named = called_so_[line];
    const std::string_view key = keys_[line];
    const Label number = label_of_number(key, tagger_.first_ids().label, tagger_.n_labels());
    for (const Label& label : named) {
      if (label == number || (!key.empty() && tagger_.label_id(label) == key)) return {&label, 1};
    }
    return named.empty() ? called_as_keys_[line] : named;
  }

 private:
  const Tagger& tagger_;
  TextList keys_;
  LabelLists called_so_, called_as_keys_;
};

}  // namespace

std::vector<Label> named_labels(const Tagger& tagger, std::string_view option, std::string_view name) {
  TextList names;
  names.push_back(name);
  const LabelLists labels = tagger.labels_called(names);
  if (labels[0].empty()) fail(ErrorKind::kUsage, "{}: {}", option, no_such_label(tagger, name));
  return {labels[0].begin(), labels[0].end()};
}

LabelFilter filter_of(const Tagger& tagger, const FileLines& list, Listed listed) {
  const LabelLists labels = tagger.labels_called(list.lines);
  const VocabularyLines vocabulary(tagger, list.lines);
  LabelFilter allowed(tagger.n_labels(), listed == Listed::kExcluded);
  for (std::size_t line = 0; line < labels.size(); ++line) {
    const std::string_view name = list.lines[line];
    if (name.empty()) continue;
    const std::span<const Label> found = labels[line].empty() ? vocabulary.labels(line) : labels[line];
    if (found.empty()) fail(ErrorKind::kData, "{}:{}: {}", list.file, line + 1, no_such_label(tagger, name));
    for (const Label label : found) allowed[label] = listed == Listed::kAllowed;
  }
  if (std::ranges::count(allowed, true) == 0) fail(ErrorKind::kData, "{} leaves no label to give", list.file);
  return allowed;
}

}  // namespace xylem
