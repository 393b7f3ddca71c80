// SPDX-License-Identifier: Apache-2.0
#include "methods/glas/label_text.h"

#include <algorithm>

namespace xylem::glas {
namespace {

// Sorted words as a row: each once, with its share of `total`.
void count_words(std::vector<Feature>& words, std::size_t total, std::vector<Feature>& ids,
                 std::vector<float>& values) {
  std::ranges::sort(words);
  ids.clear();
  values.clear();
  for (const Feature word : words) {
    if (ids.empty() || ids.back() != word) {
      ids.push_back(word);
      values.push_back(0);
    }
    values.back() += 1.0f / static_cast<float>(total);
  }
}

}  // namespace

LabelWords::LabelWords(const TextList& names, std::span<const Label> labels) {
  NameTable table;
  Tokenizer tokenizer;
  std::vector<Feature> found, ids;
  std::vector<float> values;
  for (const Label label : labels) {
    const Words& words = tokenizer.split(names[label]);
    found.clear();
    for (std::size_t i = 0; i < words.size(); ++i) found.push_back(table.number(words[i]));
    count_words(found, words.size(), ids, values);
    rows_.push_back({ids, values});
  }
  words_ = table.take_names();
  rows_.n_columns = words_.size();
}

NameReader::NameReader(const TextList& words) : n_words_(words.size()) {
  for (std::size_t i = 0; i < words.size(); ++i) table_.number(words[i]);
}

SparseRow NameReader::row(std::string_view name) {
  const Words& words = tokenizer_.split(name);
  std::vector<Feature> found;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::uint32_t number = table_.number(words[i]);
    if (number < n_words_) found.push_back(number);
  }
  count_words(found, std::max<std::size_t>(1, found.size()), ids_, values_);
  return {ids_, values_};
}

}  // namespace xylem::glas
