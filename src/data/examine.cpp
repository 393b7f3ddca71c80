// SPDX-License-Identifier: Apache-2.0
#include "data/examine.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "core/parallel.h"
#include "data/text_chunks.h"
#include "data/text_faults.h"
#include "metrics/label_tallies.h"

namespace xylem {
namespace {

PerRow per_row(const std::vector<std::uint64_t>& offsets) {
  PerRow result{static_cast<std::size_t>(offsets.back()), 0};
  for (std::size_t i = 1; i < offsets.size(); ++i)
    result.most = std::max<std::size_t>(result.most, offsets[i] - offsets[i - 1]);
  return result;
}

std::size_t count_empty(const std::vector<std::uint64_t>& offsets) {
  std::size_t n = 0;
  for (std::size_t i = 1; i < offsets.size(); ++i) n += offsets[i] == offsets[i - 1];
  return n;
}

LabelSpread spread_of(const std::vector<std::uint32_t>& counts, std::size_t rows) {
  LabelSpread spread;
  spread.labels = counts.size();
  LabelTallies nothing_predicted;
  nothing_predicted.known.resize(counts.size());
  spread.groups = frequency_groups(nothing_predicted, {rows, counts});
  std::erase_if(spread.groups, [](const FrequencyGroup& group) { return group.to == 0; });
  for (std::size_t label = 0; label < counts.size(); ++label) {
    spread.unused += counts[label] == 0;
    spread.on_one_row += counts[label] == 1;
    if (counts[label] > rows / 2) spread.on_most_rows.push_back(static_cast<Label>(label));
  }
  std::ranges::stable_sort(spread.on_most_rows, [&](Label a, Label b) { return counts[a] > counts[b]; });
  return spread;
}

// What sparse rows and texts have in common.
Examination examine_labels(const LabelLists& labels, std::size_t n_labels) {
  Examination result;
  result.rows = labels.size();
  result.labels = per_row(labels.offsets);
  result.rows_without_labels = count_empty(labels.offsets);
  result.label_counts.resize(n_labels);
  for (const Label label : labels.ids) ++result.label_counts[label];
  result.spread = spread_of(result.label_counts, result.rows);
  return result;
}

template <class Rows>
void examine_repeats(const Rows& rows, const LabelLists& labels, Examination& result) {
  result.keys = sorted_row_keys(rows, labels);
  result.rows_without_content = result.rows - result.keys.size();
  result.repeats = find_repeats(result.keys);
  if (result.repeats.rows > 0) result.repeat_example = first_two_rows(rows, result.repeats.example);
}

std::size_t count_visible_words(std::string_view text) {
  std::size_t n = 0;
  bool inside = false;
  for (const char c : text) {
    const bool visible = static_cast<unsigned char>(c) > ' ';
    n += visible && !inside;
    inside = visible;
  }
  return n;
}

void examine_texts(const TextList& texts, Examination& result) {
  struct Part {
    PerRow words;
    std::size_t replacements = 0, mojibake = 0;
  };
  const std::vector<TextChunk> chunks = text_chunks(texts);
  std::vector<Part> parts(chunks.size());
  parallel_for(chunks.size(), 1, [&](std::size_t i, std::size_t) {
    for (std::size_t text = chunks[i].begin; text < chunks[i].end; ++text) {
      const std::size_t words = count_visible_words(texts[text]);
      parts[i].words.total += words;
      parts[i].words.most = std::max(parts[i].words.most, words);
      parts[i].replacements += count_replacement_characters(texts[text]);
      parts[i].mojibake += has_mojibake(texts[text]);
    }
  });
  for (const Part& part : parts) {
    result.contents.total += part.words.total;
    result.contents.most = std::max(result.contents.most, part.words.most);
    result.replacement_characters += part.replacements;
    result.mojibake_rows += part.mojibake;
  }
}

// `name_of` tells what an unseen label is called.
template <class NameOf>
TestComparison compare(const Examination& train, const Examination& test, const LabelLists& test_labels,
                       const std::vector<char>& seen, NameOf name_of) {
  TestComparison result;
  result.rows_in_training = count_shared(test.keys, train.keys);
  for (std::size_t label = 0; label < test.label_counts.size(); ++label) {
    if (seen[label] || test.label_counts[label] == 0) continue;
    if (result.unseen_labels++ < NameFault::kMaxExamples) result.unseen_examples.push_back(name_of(label));
    result.unseen_pairs += test.label_counts[label];
  }
  for (std::size_t row = 0; row < test_labels.size(); ++row) {
    const auto labels = test_labels[row];
    result.rows_with_unseen_only +=
        !labels.empty() && std::ranges::none_of(labels, [&](Label label) { return seen[label] != 0; });
  }
  return result;
}

}  // namespace

Examination examine(const Dataset& data) {
  Examination result = examine_labels(data.labels, data.n_labels);
  result.features = data.features.n_columns;
  result.contents = per_row(data.features.offsets);
  examine_repeats(data.features, data.labels, result);
  return result;
}

Examination examine(const Corpus& corpus, char label_separator) {
  Examination result = examine_labels(corpus.labels, corpus.label_names.size());
  result.texts = true;
  result.bytes = corpus.texts.bytes.size();
  examine_texts(corpus.texts, result);
  examine_repeats(corpus.texts, corpus.labels, result);
  result.names = find_name_faults(corpus.label_names, label_separator);
  return result;
}

TestComparison compare_with_training(const Examination& train, const Examination& test, const Dataset& test_data) {
  std::vector<char> seen(test.label_counts.size());
  for (std::size_t label = 0; label < std::min(seen.size(), train.label_counts.size()); ++label)
    seen[label] = train.label_counts[label] > 0;
  return compare(train, test, test_data.labels, seen,
                 [&](std::size_t label) { return std::to_string(label + test_data.first_ids.label); });
}

TestComparison compare_with_training(const Examination& train, const TextList& train_names, const Examination& test,
                                     const Corpus& test_corpus) {
  std::unordered_map<std::string_view, std::size_t> known;
  for (std::size_t i = 0; i < train_names.size(); ++i) known.emplace(train_names[i], i);
  std::vector<char> seen(test.label_counts.size());
  for (std::size_t label = 0; label < seen.size(); ++label) {
    const auto found = known.find(test_corpus.label_names[label]);
    seen[label] = found != known.end() && train.label_counts[found->second] > 0;
  }
  return compare(train, test, test_corpus.labels, seen,
                 [&](std::size_t label) { return std::string(test_corpus.label_names[label]); });
}

}  // namespace xylem
