// SPDX-License-Identifier: Apache-2.0
// Names for the labels of data that have numbers. The danger is a shift by one: every name would be wrong, and nothing
// would look wrong. So whether data count from 0 or 1 is never guessed here.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "core/fail.h"
#include "core/numbers.h"
#include "core/text.h"
#include "data/label_finder.h"
#include "data/label_table.h"
#include "data/name_index.h"
#include "xylem/checked_rows.h"
#include "xylem/corpus.h"

namespace xylem {
namespace {

[[noreturn]] void fail_beyond(const LabelNames& names, std::uint64_t number, Label first) {
  fail(ErrorKind::kData, "{}: found names for labels {} to {}, expected one for label {} too, which the data have",
       names.file, first, names.names.size() + first - 1, number);
}

// The names from the data's first label on; names without numbers begin there.
TextList names_from(const LabelNames& names, Label first) {
  if (!names.numbered || first == 0) return names.names;
  if (!names.names[0].empty()) {
    fail(ErrorKind::kUsage, "{} names a label 0, and the data seem to count from 1; --first-id says how they count",
         names.file);
  }
  TextList rest;
  for (std::size_t i = 1; i < names.names.size(); ++i) rest.push_back(names.names[i]);
  return rest;
}

// Labels without a name are called by their numbers, up to `n_labels` of them.
TextList filled(const TextList& names, std::size_t n_labels, Label first) {
  TextList all;
  for (std::size_t i = 0; i < std::max(n_labels, names.size()); ++i) {
    const bool named = i < names.size() && !names[i].empty();
    all.push_back(named ? std::string(names[i]) : std::to_string(i + first));
  }
  return all;
}

// A label of a corpus as a number, where it is one.
std::vector<std::optional<std::uint64_t>> numbers_of(const TextList& labels) {
  std::vector<std::optional<std::uint64_t>> numbers;
  for (std::size_t i = 0; i < labels.size(); ++i) numbers.push_back(parse_number<std::uint64_t>(labels[i]));
  return numbers;
}

Label first_label_of(const std::vector<std::optional<std::uint64_t>>& numbers, const LabelNames& names) {
  std::uint64_t largest = 0, smallest = UINT64_MAX;
  for (const auto& number : numbers) {
    if (!number) continue;
    largest = std::max(largest, *number);
    smallest = std::min(smallest, *number);
  }
  if (smallest == 0 || smallest > largest) return 0;
  if (names.numbered) return names.names[0].empty() ? 1 : 0;
  if (largest == names.names.size()) return 1;
  if (largest > names.names.size()) fail_beyond(names, largest, 0);
  fail_first_label_open(names, fmt::format("labels from {} to {}", smallest, largest));
}

// The identifiers that come with the names, and for labels without one there those that the corpus has.
TextList joined_ids(const Corpus& corpus, const TextList& of_names, const std::vector<Label>& label_of,
                    std::size_t n_labels) {
  std::vector<std::string_view> ids(n_labels);
  for (std::size_t i = 0; i < corpus.label_ids.size(); ++i) ids[label_of[i]] = corpus.label_ids[i];
  for (std::size_t i = 0; i < of_names.size(); ++i) {
    if (!of_names[i].empty()) ids[i] = of_names[i];
  }
  TextList joined;
  if (corpus.label_ids.size() + of_names.size() == 0) return joined;
  for (const std::string_view id : ids) joined.push_back(id);
  return joined;
}

}  // namespace

NamingReport name_labels(Dataset& data, const LabelNames& names, std::optional<Label> first_label) {
  check_labels(data.labels, data.n_labels);
  const Label first = data.first_ids.label;
  const TextList list = names_from(names, first);
  const std::vector<std::uint32_t> counts = label_counts(data);
  NamingReport report;
  for (std::size_t label = 0; label < data.n_labels; ++label) {
    if (counts[label] == 0) continue;
    if (label >= list.size()) fail_beyond({names.file, list}, label + first, first);
    report.unnamed += list[label].empty() ? 1 : 0;
  }
  const bool counts_from_0 = first == 0 && data.n_labels > 0 && counts[0] > 0;
  if (!first_label && !names.numbered && !counts_from_0 && list.size() != data.n_labels) {
    fail_first_label_open(names, fmt::format("{} labels without a label 0", data.n_labels));
  }
  data.label_names = filled(list, data.n_labels, first);
  data.n_labels = data.label_names.size();
  data.label_ids = names.ids;
  if (data.label_ids.size() > 0) data.label_ids.pad(data.n_labels);
  report.shared = NameIndex(data.label_names).shared();
  return report;
}

NamingReport name_labels(Corpus& corpus, const LabelNames& names, std::optional<Label> first_label) {
  check_labels(corpus.labels, corpus.label_names.size());
  const auto numbers = numbers_of(corpus.label_names);
  const Label first = first_label ? *first_label : first_label_of(numbers, names);
  const TextList list = names_from(names, first);
  TextList all = filled(list, 0, first);
  const LabelFinder finder(all, names.ids, all.size(), std::nullopt);
  NamingReport report;
  report.shared = NameIndex(all).shared();
  std::vector<Label> id_of;  // of each label as the corpus has it
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const std::string_view id = corpus.label_ids.size() > 0 ? corpus.label_ids[i] : std::string_view();
    const Label known = finder.find({corpus.label_names[i], id});
    const Label label = label_of_number(corpus.label_names[i], first, all.size());
    if (label != kNoLabel) {
      id_of.push_back(label);
      report.unnamed += list[label].empty() ? 1 : 0;
    } else if (known != kNoLabel) {
      id_of.push_back(known);
    } else if (numbers[i]) {
      fail_beyond({names.file, list}, *numbers[i], first);
    } else {
      fail(ErrorKind::kData, "{}: found no name {}, which is a label of the data, expected it, or a number in the data",
           names.file, quote(corpus.label_names[i]));
    }
  }
  corpus.labels = renumbered(corpus.labels, id_of);
  corpus.label_ids = joined_ids(corpus, names.ids, id_of, all.size());
  corpus.label_names = std::move(all);
  corpus.first_label = first;
  return report;
}

}  // namespace xylem
