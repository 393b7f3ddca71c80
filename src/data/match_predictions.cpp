// SPDX-License-Identifier: Apache-2.0
#include "data/match_predictions.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/fail.h"
#include "core/numbers.h"
#include "core/text.h"
#include "data/label_finder.h"
#include "data/label_key.h"
#include "data/match_rows.h"
#include "data/name_index.h"
#include "data/name_table.h"
#include "data/sparse_header.h"

namespace xylem {
namespace {

// Whether the keys are those of the first labels, in their order. Then they stand for them even if names are shared.
bool are_same(const TextList& keys, const EvaluatedRows& rows) {
  if (keys.size() > rows.label_names.size()) return false;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const LabelKey key = split_label_key(keys[i]);
    const std::string_view id = rows.label_ids.size() > 0 ? rows.label_ids[i] : std::string_view();
    if (key.name != rows.label_names[i] || key.id != id) return false;
  }
  return true;
}

// In which row each label was met last.
class LastRows {
 public:
  explicit LastRows(std::size_t n_known) : known_(n_known) {}

  // The row after the last one with this label; 0 if there was none. Those that nobody knows may be huge numbers.
  std::size_t& operator[](Label label) { return label < known_.size() ? known_[label] : unknown_[label]; }

 private:
  std::vector<std::size_t> known_;
  std::unordered_map<Label, std::size_t> unknown_;
};

class Matcher {
 public:
  Matcher(const Predictions& predictions, const EvaluatedRows& rows)
      : predictions_(predictions),
        rows_(rows),
        finder_(rows.label_names, rows.label_ids, rows.n_labels, rows.first_number),
        last_rows_(rows.n_labels) {}

  MatchedPredictions match();

 private:
  void find_labels();
  Label number_beyond(std::string_view text) const;
  Label new_label(std::string_view name) { return static_cast<Label>(rows_.n_labels + new_labels_.number(name)); }
  std::string name_of(Label label) const;
  void take_row(std::size_t row);
  Label another(Label label);
  bool is_in_row(Label label) { return last_rows_[label] == result_.top.size() + 1; }
  void check_any_is_known() const;

  const Predictions& predictions_;
  const EvaluatedRows& rows_;
  LabelFinder finder_;
  LastRows last_rows_;
  std::vector<Label> label_of_;  // of each key
  NameTable new_labels_;
  MatchedPredictions result_;
};

// Labels without names keep their numbers, also those that nobody knows.
Label Matcher::number_beyond(std::string_view text) const {
  const Label number = label_of_number(text, *rows_.first_number, kMaxIds);
  if (number != kNoLabel) return number;
  fail(ErrorKind::kData,
       "{}: found the label {}, expected a number: the labels of the training and test rows are numbers; {} FILE gives "
       "them names",
       predictions_.file, quote_name(text), predictions_.names_option);
}

void Matcher::find_labels() {
  const TextList& keys = predictions_.label_keys;
  const bool same = are_same(keys, rows_);
  const bool numbers = rows_.label_names.size() == 0 && rows_.first_number;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const LabelKey key = split_label_key(keys[i]);
    Label label = same ? static_cast<Label>(i) : finder_.find(key);
    if (!same && key.id.empty() && finder_.called(key.name).size() > 1) ++result_.report.shared_names;
    if (label == kNoLabel) label = numbers ? number_beyond(key.name) : new_label(key.name);
    label_of_.push_back(label);
  }
}

// Predictions with numbers have no name for a label that nobody knows, even if the others have names.
std::string Matcher::name_of(Label label) const {
  if (label < rows_.label_names.size()) return std::string(rows_.label_names[label]);
  if (rows_.label_names.size() == 0 || label_of_.empty()) {
    return std::to_string(std::uint64_t{label} + rows_.first_number.value_or(0));
  }
  return std::string(new_labels_.names()[label - rows_.n_labels]);
}

// One that shares its name with `label`, which the row has already; else one that is wrong.
Label Matcher::another(Label label) {
  std::string name = name_of(label);
  for (const Label other : finder_.called(name)) {
    if (!is_in_row(other)) return other;
  }
  ++result_.report.repeated_labels;
  while (is_in_row(label)) label = new_label(name += " (again)");
  return label;
}

void Matcher::take_row(std::size_t row) {
  const auto labels = predictions_.top.row_labels(row);
  const auto scores = predictions_.top.row_scores(row);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    Label label = label_of_.empty() ? labels[i] : label_of_[labels[i]];
    if (label >= rows_.n_labels) {
      ++result_.report.unknown_predictions;
      if (last_rows_[label] == 0) ++result_.report.unknown_labels;
    }
    if (is_in_row(label)) label = another(label);
    last_rows_[label] = result_.top.size() + 1;
    result_.top.push_back(label, scores[i]);
  }
}

// Wrong answers are one thing, answers to another question something else.
void Matcher::check_any_is_known() const {
  const MatchReport& report = result_.report;
  const std::size_t n = result_.top.labels.size();
  if (n == 0 || report.unknown_predictions + report.repeated_labels < n) return;
  const std::string found = name_of(result_.top.labels[0]);
  fail(ErrorKind::kData,
       "{}: none of the labels that it predicts is one of the training or test rows: found labels like {}{}",
       predictions_.file, quote_name(found),
       rows_.n_labels > 0 ? fmt::format(", expected labels like {}", quote_name(name_of(0))) : "");
}

MatchedPredictions Matcher::match() {
  const RowMatch match = match_rows(predictions_.file, predictions_.top.size(), predictions_.document_ids, rows_.n_rows,
                                    rows_.document_ids);
  find_labels();
  MatchReport& report = result_.report;
  report.by_document_id = match.by_id;
  report.ids_on_one_side = match.ids_on_one_side;
  report.missing_rows = match.missing;
  report.unknown_rows = match.unknown;
  for (const std::size_t row : match.row_of) {
    if (row != kNoRow) take_row(row);
    result_.top.end_row();
  }
  check_any_is_known();
  result_.new_labels = new_labels_.take_names();
  return std::move(result_);
}

[[noreturn]] void fail_unnamed(const Predictions& predictions, const LabelNames& names, std::uint64_t number) {
  fail(ErrorKind::kData, "{}: found no name for label {}, which {} predicts", names.file, number, predictions.file);
}

// What the predictions call the label of the first name. A rare last label may never be predicted, so numbers that fit
// both ways leave it open.
Label first_number(const Predictions& predictions, const LabelNames& names, std::optional<Label> said) {
  if (names.numbered || predictions.top.labels.empty()) return 0;
  if (said) return *said;
  const auto [smallest, largest] = std::ranges::minmax(predictions.top.labels);
  if (smallest == 0 || largest > names.names.size()) return 0;
  if (largest == names.names.size()) return 1;
  fail_first_label_open(names,
                        fmt::format("labels from {} to {}, which {} predicts", smallest, largest, predictions.file));
}

}  // namespace

MatchedPredictions match_predictions(const Predictions& predictions, const EvaluatedRows& rows) {
  return Matcher(predictions, rows).match();
}

void number_predicted_labels(Predictions& predictions, const LabelNames& names, Label first_label) {
  const LabelFinder finder(names.names, names.ids, names.names.size(), std::nullopt);
  TextList numbers;
  for (std::size_t i = 0; i < predictions.label_keys.size(); ++i) {
    const LabelKey key = split_label_key(predictions.label_keys[i]);
    const Label place = finder.find(key);
    if (place == kNoLabel && !parse_number<Label>(key.name)) {
      fail(ErrorKind::kData, "{}: found no label called {}, which {} predicts", names.file, quote_name(key.name),
           predictions.file);
    }
    numbers.push_back(place == kNoLabel ? std::string(key.name)
                                        : std::to_string(std::uint64_t{place} + (names.numbered ? 0 : first_label)));
  }
  predictions.label_keys = std::move(numbers);
}

void name_predicted_labels(Predictions& predictions, const LabelNames& names, std::optional<Label> first_label) {
  const Label first = first_number(predictions, names, first_label);
  for (Label& label : predictions.top.labels) {
    const std::uint64_t place = std::uint64_t{label} - first;
    if (label < first || place >= names.names.size() || names.names[place].empty()) {
      fail_unnamed(predictions, names, label);
    }
    label = static_cast<Label>(place);
  }
  for (std::size_t i = 0; i < names.names.size(); ++i) {
    std::string key(names.names[i]);
    if (names.ids.size() > 0) add_label_id(names.ids[i], key);
    predictions.label_keys.push_back(key);
  }
}

}  // namespace xylem
