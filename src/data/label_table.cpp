// SPDX-License-Identifier: Apache-2.0
#include "data/label_table.h"

#include <algorithm>
#include <optional>
#include <string>

#include "data/chunks.h"
#include "data/name_index.h"

namespace xylem {

Label LabelTable::Index::find(std::string_view text) const {
  const std::optional<std::uint32_t> place = texts_.find(text);
  return place ? labels_[*place] : kNoLabel;
}

std::uint32_t LabelTable::Index::add(std::string_view text, Label label) {
  const std::uint32_t place = texts_.number(text);
  if (place == labels_.size()) labels_.push_back(label);
  return place;
}

std::size_t LabelTable::Index::held() const {
  return texts_.held() + held_bytes(labels_);
}

Label LabelTable::number(std::string_view text) {
  const LabelKey key = split_label_key(text);
  return key.id.empty() ? number_without_id(key.name) : number_with_id(key);
}

Label LabelTable::number_without_id(std::string_view name) {
  if (const Label label = by_name_.find(name); label != kNoLabel) return label;
  const Label label = by_id_.find(name);
  if (label == kNoLabel) return add(name);
  by_name_.add(name, label);  // also if a label of this name comes later
  return label;
}

Label LabelTable::number_with_id(LabelKey key) {
  if (const Label label = by_id_.find(key.id); label != kNoLabel) return label;
  const auto without_id = [&](Label label) { return label != kNoLabel && id_of_[label] == kNone; };
  Label label = by_name_.find(key.id);
  if (without_id(label)) {
    name_of_[label] = by_name_.add(key.name, label);
  } else if (label = by_name_.find(key.name); !without_id(label)) {
    label = add(key.name);
  }
  id_of_[label] = by_id_.add(key.id, label);
  return label;
}

Label LabelTable::add(std::string_view name) {
  const auto label = static_cast<Label>(size());
  name_of_.push_back(by_name_.add(name, label));
  id_of_.push_back(kNone);
  return label;
}

TextList LabelTable::names() const {
  TextList names;
  for (const std::uint32_t place : name_of_) names.push_back(by_name_[place]);
  return names;
}

TextList LabelTable::ids() const {
  TextList ids;
  if (std::ranges::all_of(id_of_, [](std::uint32_t place) { return place == kNone; })) return ids;
  for (const std::uint32_t place : id_of_) ids.push_back(place == kNone ? std::string_view() : by_id_[place]);
  return ids;
}

std::size_t LabelTable::held() const {
  return by_name_.held() + by_id_.held() + held_bytes(name_of_) + held_bytes(id_of_);
}

TextList label_keys(const TextList& names, const TextList& ids) {
  TextList keys;
  std::string key;
  for (std::size_t i = 0; i < names.size(); ++i) {
    key = names[i];
    if (ids.size() > 0) add_label_id(ids[i], key);
    keys.push_back(key);
  }
  return keys;
}

void name_labels_by_keys(TextList keys, Corpus& corpus) {
  if (keys.bytes.find('\0') == std::string::npos) {  // no identifiers: the keys are the names
    corpus.label_names = std::move(keys);
    return;
  }
  LabelTable table;
  std::vector<Label> numbers;
  for (std::size_t i = 0; i < keys.size(); ++i) numbers.push_back(table.number(keys[i]));
  if (table.size() < keys.size()) corpus.labels = renumbered(corpus.labels, numbers);
  corpus.label_names = table.names();
  corpus.label_ids = table.ids();
}

LabelLists renumbered(const LabelLists& rows, const std::vector<Label>& numbers) {
  LabelLists result;
  std::vector<Label> row_labels;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    row_labels.clear();
    for (const Label label : rows[row]) row_labels.push_back(numbers[label]);
    std::ranges::sort(row_labels);
    row_labels.erase(std::unique(row_labels.begin(), row_labels.end()), row_labels.end());
    result.push_back(row_labels);
  }
  return result;
}

std::size_t count_labelled(const LabelLists& rows) {
  std::size_t n = 0;
  for (std::size_t row = 0; row < rows.size(); ++row) n += rows[row].empty() ? 0 : 1;
  return n;
}

}  // namespace xylem
