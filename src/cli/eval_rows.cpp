// SPDX-License-Identifier: Apache-2.0
#include "cli/eval_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>
#include <utility>
#include <variant>

#include "cli/read_for_model.h"
#include "cli/read_input.h"
#include "core/fail.h"
#include "core/numbers.h"
#include "core/text.h"
#include "data/json_text.h"
#include "data/label_table.h"
#include "data/text_labels.h"

namespace xylem::cli {
namespace {

InputOptions without_names(InputOptions options) {
  options.label_names.clear();
  return options;
}

// Sparse rows may have labels beyond the names: these are called by their numbers.
void fill_names(EvaluatedRows& known, Label first) {
  if (known.label_names.size() == 0) return;
  for (std::size_t i = known.label_names.size(); i < known.n_labels; ++i) {
    known.label_names.push_back(std::to_string(i + first));
  }
  if (known.label_ids.size() > 0) known.label_ids.pad(known.n_labels);
}

bool all_are_numbers(const TextList& labels) {
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (!parse_number<std::uint64_t>(labels[i])) return false;
  }
  return labels.size() > 0;
}

InputOptions at(const std::string& path, InputOptions options) {
  options.path = path;
  options.more_paths.clear();
  return options;
}

TestRows beside_texts(Corpus train, const InputOptions& input, Session& session) {
  TestRows rows;
  if (!input.label_names.empty() && all_are_numbers(train.label_names)) name_labels(train, input, session);
  rows.numbers = train.first_label.has_value();
  rows.are_texts = true;
  rows.first_ids.label = train.first_label.value_or(0);
  rows.counts.rows = train.labels.size();
  rows.counts.labels.resize(train.label_names.size());
  for (const Label label : train.labels.ids) ++rows.counts.labels[label];
  rows.known.label_names = std::move(train.label_names);
  rows.known.label_ids = std::move(train.label_ids);
  rows.known.first_number = train.first_label;
  return rows;
}

TestRows beside_rows(Dataset train, const InputOptions& input, Session& session) {
  TestRows rows;
  name_labels(train, input, session);
  rows.first_ids = train.first_ids;
  rows.counts = {train.size(), label_counts(train)};
  rows.n_features = train.features.n_columns;
  rows.known.n_labels = train.n_labels;
  rows.known.label_names = std::move(train.label_names);
  rows.known.label_ids = std::move(train.label_ids);
  rows.known.first_number = train.first_ids.label;
  return rows;
}

void read_texts(const std::string& train, const InputOptions& input, const UseModelRows& use, Session& session,
                TestRows& rows) {
  Input truth = open_input(without_names(input), kNoLimit, session);
  Corpus* const corpus = std::get_if<Corpus>(&truth.data);
  if (corpus == nullptr) {
    fail(ErrorKind::kData, "{}: found sparse rows, expected texts, as in {}", input.path, train);
  }
  EvaluatedRows& known = rows.known;
  TextLabels labels(known.label_names, known.label_ids, known.first_number);
  rows.labels = labels.ids(corpus->labels, label_keys(corpus->label_names, corpus->label_ids));
  TextList names = labels.names(), ids = labels.label_ids();
  known.label_names = std::move(names);
  known.label_ids = std::move(ids);
  known.n_labels = known.label_names.size();
  known.document_ids = json_token_texts(corpus->document_ids);
  if (!use) return;
  truth.texts->for_each([&](const TextList& texts) {
    ModelRows block;
    block.texts = texts;
    use(block);
  });
}

void read_rows(const InputOptions& input, const UseModelRows& use, Session& session, TestRows& rows) {
  const TrainingSpace space{rows.n_features, rows.counts.labels.size(), rows.first_ids};
  for (const std::string& path : all_paths(input)) {
    Dataset data = read_beside(space, path, input, session);
    rows.labels.append(data.labels);
    rows.known.n_labels = std::max(rows.known.n_labels, data.n_labels);
    ModelRows block;
    block.features = std::move(data.features);
    if (use) use(block);
  }
  fill_names(rows.known, rows.first_ids.label);
}

}  // namespace

TestRows rows_beside(const Tagger& tagger, const InputOptions& input) {
  TestRows rows;
  rows.path = input.path;
  rows.counts = tagger.training_counts();
  rows.first_ids = tagger.first_ids();
  rows.are_texts = tagger.takes_texts();
  rows.numbers = tagger.labels_are_numbers();
  rows.known.n_labels = tagger.n_labels();
  if (tagger.labels_are_numbers()) rows.known.first_number = rows.first_ids.label;
  return rows;
}

TestRows rows_beside(const std::string& train, const InputOptions& input, Session& session) {
  Input read = open_input(without_names(at(train, input)), kNoLimit, session);
  TestRows rows = std::holds_alternative<Corpus>(read.data)
                      ? beside_texts(std::move(std::get<Corpus>(read.data)), input, session)
                      : beside_rows(std::move(std::get<Dataset>(read.data)), input, session);
  rows.path = input.path;
  return rows;
}

void read_test_rows(const Tagger& tagger, const InputOptions& input, const UseModelRows& use, Session& session,
                    TestRows& rows) {
  const auto take = [&](const ModelRows& block) {
    rows.labels.append(block.labels);
    const TextList ids = json_token_texts(block.document_ids);
    if (ids.size() > 0) rows.known.document_ids.pad(rows.labels.size() - block.size());
    rows.known.document_ids.append(ids);
    if (use) use(block);
  };
  AllLabels labels = read_for_model(session, tagger, input, LabelsMatter::kYes, "evaluate", take);
  EvaluatedRows& known = rows.known;
  known.n_rows = rows.labels.size();
  if (known.document_ids.size() > 0) known.document_ids.pad(known.n_rows);
  known.n_labels = std::max(tagger.n_labels(), labels.names.size());
  for (const Label label : rows.labels.ids) known.n_labels = std::max<std::size_t>(known.n_labels, label + 1);
  known.label_names = std::move(labels.names);
  known.label_ids = std::move(labels.ids);
  fill_names(known, rows.first_ids.label);
}

void read_test_rows(const std::string& train, const InputOptions& input, const UseModelRows& use, Session& session,
                    TestRows& rows) {
  if (rows.are_texts) {
    read_texts(train, input, use, session, rows);
  } else {
    read_rows(input, use, session, rows);
  }
  rows.known.n_rows = rows.labels.size();
}

UnknownLabels unknown_labels(const TestRows& rows) {
  UnknownLabels unknown;
  std::unordered_set<Label> met;
  for (std::size_t row = 0; row < rows.labels.size(); ++row) {
    const auto labels = rows.labels[row];
    const auto n = std::ranges::count_if(labels, [&](Label label) { return label >= rows.counts.labels.size(); });
    // The labels of a row rise: the unknown ones are the last.
    met.insert(labels.end() - n, labels.end());
    unknown.rows += n > 0 ? 1 : 0;
    unknown.lost_rows += n > 0 && static_cast<std::size_t>(n) == labels.size() ? 1 : 0;
  }
  unknown.labels = met.size();
  return unknown;
}

void warn_of(const UnknownLabels& unknown, const TestRows& rows, bool of_model, Session& session) {
  if (unknown.labels == 0) return;
  session.warn(fmt::format("{}: labels that no training row has: {}, in {} of {} rows; {} rows have no other label",
                           rows.path, unknown.labels, unknown.rows, rows.labels.size(), unknown.lost_rows));
  if (unknown.lost_rows < count_labelled(rows.labels)) return;
  const auto called = [&](Label label) {
    return rows.known.label_names.size() > 0 ? quote_name(rows.known.label_names[label])
                                             : std::to_string(std::uint64_t{label} + rows.first_ids.label);
  };
  const char* const consequence =
      of_model ? "so all figures are 0"
               : "so these are probably not the training rows, and PSP and the groups by frequency mean nothing";
  session.warn(fmt::format("{}: no row has a label that was trained, {}: found labels like {}{}", rows.path,
                           consequence, called(rows.labels.ids[0]),
                           rows.counts.labels.empty() ? "" : fmt::format(", expected labels like {}", called(0))));
}

}  // namespace xylem::cli
