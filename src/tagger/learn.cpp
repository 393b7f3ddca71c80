// SPDX-License-Identifier: Apache-2.0
// More rows for a model that is there. Vocabulary, features and settings stay; rows, labels and their counts grow.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "algorithms/row_scaling.h"
#include "core/fail.h"
#include "core/hash.h"
#include "core/parallel.h"
#include "core/text.h"
#include "data/label_key.h"
#include "data/label_table.h"
#include "data/text_labels.h"
#include "data/vectoriser.h"
#include "tagger/card.h"
#include "tagger/data_hash.h"
#include "tagger/date.h"
#include "tagger/settings.h"
#include "tagger/training.h"
#include "xylem/checked_rows.h"
#include "xylem/tagger.h"
#include "xylem/version.h"

namespace xylem {
namespace {

constexpr std::uint64_t kMaxRows = std::numeric_limits<std::uint32_t>::max();

// Of all rows that the model has learned from.
DataShape known_shape(const Card& card, const TrainingCounts& counts, std::size_t n_features) {
  const std::uint64_t learned = card.learned ? card.learned->nonzeros : 0;
  DataShape shape{counts.rows, n_features, counts.labels.size(), card.data.nonzeros + learned, 0};
  for (const std::uint32_t count : counts.labels) shape.label_pairs += count;
  return shape;
}

// What the method was trained with.
CheckedOptions options_in(const Card& card, const Method& method) {
  try {
    return method.parse(split_settings(card.settings).method);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kUsage) throw;
    fail(ErrorKind::kModel, "damaged: the card of the model has settings that {} does not: {}", method.name,
         error.what());
  }
}

// Known labels keep their identifiers.
void keep_ids(const TextList& known_ids, std::size_t n_known, Dataset& rows) {
  const TextList given = std::exchange(rows.label_ids, {});
  if (known_ids.size() + given.size() == 0) return;
  for (std::size_t label = 0; label < rows.n_labels; ++label) {
    const TextList& ids = label < n_known ? known_ids : given;
    rows.label_ids.push_back(label < ids.size() ? ids[label] : std::string_view());
  }
}

// Gives `rows` the names of all labels, where labels have names, and at least as many labels as are known. Labels that
// are numbers have their names from a list: one that does not begin as the known names do is a list for other numbers.
void join_labels(const TextList& known, const TextList& known_ids, std::size_t n_known, Dataset& rows) {
  const TextList& given = rows.label_names;
  if (known.size() == 0) {
    if (given.size() > 0) fail(ErrorKind::kUsage, "the labels of the model have no names, so new ones can have none");
    rows.n_labels = std::max(rows.n_labels, n_known);
    return;
  }
  for (std::size_t label = 0; label < std::min(known.size(), given.size()); ++label) {
    if (given[label] == known[label]) continue;
    fail(ErrorKind::kData, "found {} as the name of label {}, expected {}, as in the model", quote_name(given[label]),
         label + rows.first_ids.label, quote_name(known[label]));
  }
  if (given.size() < known.size()) rows.label_names = known;
  const auto largest = std::ranges::max_element(rows.labels.ids);
  if (largest != rows.labels.ids.end() && *largest >= rows.label_names.size()) {
    fail(ErrorKind::kData, "found label {}, which the model does not have, expected a name for it, too",
         *largest + std::uint64_t{rows.first_ids.label});
  }
  rows.n_labels = rows.label_names.size();
  keep_ids(known_ids, n_known, rows);
}

// Returns how many values there were of features that the model does not have.
std::size_t drop_features_beyond(std::size_t n_features, SparseMatrix& rows) {
  const std::size_t before = rows.ids.size();
  if (rows.n_columns > n_features) {
    SparseMatrix kept;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const SparseRow row = rows[i];
      const auto n = static_cast<std::size_t>(std::ranges::lower_bound(row.ids, n_features) - row.ids.begin());
      kept.push_back({row.ids.first(n), row.values.first(n)});
    }
    rows = std::move(kept);
  }
  rows.n_columns = n_features;
  return before - rows.ids.size();
}

// Features that the model does not have, and rows without labels.
void leave_out_unknown(Dataset& rows, std::size_t n_features, const char* feature, const Run& run) {
  const auto remark = [&](std::size_t count, const std::string& what) {
    if (count > 0) run.remark(fmt::format("{}: {}", what, count));
  };
  remark(drop_features_beyond(n_features, rows.features), "values of features that the model does not have, ignored");
  remark(drop_rows_without_labels(rows), "rows without labels, not learned");
  std::size_t empty = 0;
  for (std::size_t row = 0; row < rows.size(); ++row) empty += rows.features[row].size() == 0 ? 1 : 0;
  remark(empty, fmt::format("rows without any {} that the model knows", feature));
}

// Of rows whose labels and features are numbered as in the model, whatever it has learned since.
std::string part_hash(const Dataset& rows) {
  return data_hash(rows, {rows.size(), 0, 0});
}

// Whoever learns rows twice gives them twice the weight, and seldom means it.
void remark_on_known_rows(const Card& card, const Dataset& rows, const Run& run) {
  if (card.data.hash == data_hash(rows, {rows.size(), card.data.features, card.data.labels})) {
    run.remark("these are the rows that the model was trained on: they count twice now");
  }
  const auto times = card.learned ? std::ranges::count(card.learned->parts, part_hash(rows)) : 0;
  if (times > 0) {
    run.remark(fmt::format("the same rows were learned before: they count {} times now", times + 1));
  }
}

// With what is learned from `rows` added to what was learned before.
Card card_after_learning(Card card, const Dataset& rows, std::size_t n_known_labels, const CheckedOptions& settings,
                         const std::string& date) {
  const std::string earlier = card.learned ? fmt::format("\"{}\"", card.learned->hash) : "null";
  Card::Learned learned = card.learned.value_or(Card::Learned());
  learned.times += 1;
  learned.rows += count_labelled(rows.labels);
  learned.labels += rows.n_labels - n_known_labels;
  learned.nonzeros += rows.features.ids.size();
  const std::string names =
      rows.size() == 0 ? rows.label_names.bytes : std::string();  // where they are all that is new
  learned.hash = fmt::format("{:016x}", hash_bytes(earlier + data_hash(rows) + names));
  if (rows.size() > 0) learned.parts.push_back(part_hash(rows));
  if (!settings.values().empty()) learned.settings = settings.values();
  learned.program = kVersion;
  learned.date = date;
  card.learned = std::move(learned);
  return card;
}

CheckedOptions checked(const Method& method, const LearnOptions& options) {
  check_date(options.date);
  return parse_learn_settings(method, options.settings);
}

[[noreturn]] void fail_to_read_names(const Method& method) {
  std::vector<std::string> others;
  for (const Method* other : methods()) {
    if (!other->names_setting.empty()) others.push_back(fmt::format("{} with {}", other->name, other->names_setting));
  }
  fail(ErrorKind::kUsage, "this model of {} cannot use the names of labels; train {}", method.name,
       fmt::join(others, ", or "));
}

}  // namespace

Tagger Tagger::learn(Dataset rows, const LearnOptions& options, const Run& run) const {
  return learn(std::move(rows), checked(*method_, options), options, run);
}

Tagger Tagger::learn(Dataset rows, const CheckedOptions& settings, const LearnOptions& options, const Run& run) const {
  rows.first_ids = first_ids_;
  join_labels(label_names_, label_ids_, n_labels(), rows);
  check_dataset(rows);
  if (rows.labels.ids.empty()) fail(ErrorKind::kData, "none of the {} training rows has a label", rows.size());
  return with_more(std::move(rows), settings, options, run);
}

Tagger Tagger::learn_labels(const TextList& names, const LearnOptions& options, const Run& run,
                            const TextList& ids) const {
  const CheckedOptions settings = checked(*method_, options);
  if (!has_label_names()) fail(ErrorKind::kUsage, "the labels of the model have no names, so new ones can have none");
  if (!model_->reads_label_names()) fail_to_read_names(*method_);
  check_texts(names, "name of label");
  check_texts(ids, "identifier of label");
  if (ids.size() != 0 && ids.size() != names.size()) {
    fail(ErrorKind::kData, "found {} identifiers for {} names, expected one for each, or none", ids.size(),
         names.size());
  }
  Dataset rows;
  rows.first_ids = first_ids_;
  rows.features.n_columns = n_features_;
  TextList listed;
  for (std::size_t i = 0; i < names.size(); ++i) {
    std::string key(names[i]);
    if (ids.size() > 0) add_label_id(ids[i], key);
    if (!names[i].empty()) listed.push_back(key);
  }
  TextLabels labels(label_names_, label_ids_, std::nullopt);
  labels.ids({}, listed);
  rows.label_names = labels.names();
  rows.label_ids = labels.label_ids();
  rows.n_labels = rows.label_names.size();
  const std::size_t left_out = names.size() - (rows.n_labels - n_labels());
  if (left_out > 0)
    run.remark(fmt::format("names that the model has already, or that came before, left out: {}", left_out));
  if (rows.n_labels == n_labels()) fail(ErrorKind::kData, "none of the {} labels is new", names.size());
  return with_more(std::move(rows), settings, options, run);
}

Tagger Tagger::with_more(Dataset rows, const CheckedOptions& settings, const LearnOptions& options,
                         const Run& run) const {
  const DataShape more = shape_of(rows);
  if (counts_.rows + more.rows > kMaxRows) {
    fail(ErrorKind::kData, "found {} rows, expected at most {} with the {} that the model has", more.rows, kMaxRows,
         counts_.rows);
  }
  const Card& card = *card_;
  const DataShape known = known_shape(card, counts_, n_features_);
  const DataShape joined{known.rows + more.rows, n_features_, rows.n_labels, known.nonzeros + more.nonzeros,
                         known.label_pairs + more.label_pairs};

  const CheckedOptions trained_with = options_in(card, *method_);
  const auto plan_for = [&](const DataShape& shape) {
    return method_->plan(shape, trained_with, thread_count(run.threads));
  };

  Tagger tagger;
  tagger.method_ = method_;
  tagger.plan_ = plan_for(joined);
  check_memory("learning with", *method_, training_bytes(tagger.plan_, joined, {}),
               data_bytes(more) + plan_for(known).model, options.max_memory);
  tagger.n_features_ = n_features_;
  tagger.first_ids_ = first_ids_;
  tagger.vectoriser_ = vectoriser_;
  tagger.label_names_ = rows.label_names;
  tagger.label_ids_ = rows.label_ids;
  tagger.labels_are_numbers_ = labels_are_numbers_;
  tagger.counts_ = {joined.rows, label_counts(rows)};
  for (std::size_t label = 0; label < n_labels(); ++label) tagger.counts_.labels[label] += counts_.labels[label];
  *tagger.card_ = card_after_learning(card, rows, n_labels(), settings, options.date);

  if (rows.size() > 0) {
    remark_on_known_rows(card, rows, run);
    leave_out_unknown(rows, n_features_, vectoriser_ ? "word" : "feature", run);
  }
  Run whole = run;
  whole.keep_unfinished = false;  // the best model so far is the one that is there
  whole.checkpoints = nullptr;
  with_threads(run.threads, [&] {
    scale_to_unit(rows.features);
    whole.check();
    tagger.model_ = model_->learn(rows, settings, whole);
    whole.check();
  });
  tagger.add_probes(run);
  return tagger;
}

Tagger Tagger::learn(const Corpus& corpus, const LearnOptions& options, const Run& run) const {
  const CheckedOptions settings = checked(*method_, options);
  if (!labels_are_numbers_) return learn(rows_of(corpus, run), settings, options, run);
  if (!corpus.first_label) {
    Dataset rows = rows_of(corpus, run);
    if (rows.n_labels > n_labels()) {
      fail(ErrorKind::kData, "found label {}, which the model does not have, expected a list of names with it, too",
           quote_name(rows.label_names[n_labels()]));
    }
    return learn(std::move(rows), settings, options, run);
  }
  // By their numbers: names may be shared.
  Dataset rows;
  rows.features = features_of(corpus.texts, run);
  rows.features.n_columns = n_features_;
  rows.labels = corpus.labels;
  rows.n_labels = corpus.label_names.size();
  rows.label_names = corpus.label_names;
  rows.label_ids = corpus.label_ids;
  return learn(std::move(rows), settings, options, run);
}

}  // namespace xylem
