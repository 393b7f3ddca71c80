// SPDX-License-Identifier: Apache-2.0
#include "xylem/tagger.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "algorithms/fixed_layer.h"
#include "algorithms/label_vectors.h"
#include "algorithms/predict.h"
#include "algorithms/row_scaling.h"
#include "core/array.h"
#include "core/fail.h"
#include "core/options.h"
#include "core/parallel.h"
#include "core/text.h"
#include "data/label_finder.h"
#include "data/name_index.h"
#include "data/utf8.h"
#include "data/vectoriser.h"
#include "model_file/reader.h"
#include "model_file/writer.h"
#include "tagger/card.h"
#include "tagger/data_hash.h"
#include "tagger/date.h"
#include "tagger/probes.h"
#include "tagger/settings.h"
#include "tagger/text_labels.h"
#include "tagger/training.h"
#include "xylem/checked_rows.h"
#include "xylem/version.h"

namespace xylem {
namespace {

constexpr const char* kTexts = "texts";
constexpr const char* kRows = "rows";
constexpr const char* kNumbers = "numbers";
constexpr const char* kNames = "names";
constexpr std::uint64_t kMaxId = std::numeric_limits<std::uint32_t>::max();

// What training starts from.
Card source_card(const Dataset& data, const TrainSettings& settings, const TrainOptions& options, const Run& run) {
  Card card;
  card.data = {data.size(),    data.features.n_columns, data.n_labels, data.features.ids.size(),
               data.first_ids, data_hash(data)};
  card.seed = run.seed;
  card.settings = settings.options.values();
  card.program = kVersion;
  card.validation_share = options.valid_fraction;
  if (options.valid != nullptr) card.validation_hash = data_hash(*options.valid);
  return card;
}

// One for each label; `what` they are is for messages.
TextList load_texts(const ModelReader& in, const char* name, std::string_view what, std::size_t n_labels) {
  TextList texts = in.strings(name);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (find_bad_utf8(texts[i]).size > 0)
      in.damaged(fmt::format("damaged: the label {} {} is no UTF-8", what, quote(texts[i])));
  }
  if (texts.size() != n_labels) {
    in.damaged(fmt::format("damaged: it has {} {}s for {} labels", texts.size(), what, n_labels));
  }
  return texts;
}

void check_label(Label label, std::size_t n_labels) {
  if (label < n_labels) return;
  fail(ErrorKind::kUsage, "there is no label {} in a model with {} labels", label, n_labels);
}

void check_block(const RowBlock& rows) {
  if (!rows.texts.empty() && rows.texts.size() != rows.size()) {
    fail(ErrorKind::kUsage, "found {} texts for {} rows, expected as many of both", rows.texts.size(), rows.size());
  }
  check_rows(rows.rows);
}

// Every number of a model is finite, but numbers that no training gives may be too large for a sum.
void check_finite(const TopLabels& top) {
  if (is_finite(top.scores)) return;
  fail(ErrorKind::kModel,
       "the model gives scores that are no finite numbers: its file is damaged or was changed; train it again");
}

// Whether a text of the file is the first of two that it may be.
bool one_of(const ModelReader& in, const char* name, const char* first, const char* second) {
  const std::string& value = in.text(name);
  if (value != first && value != second) {
    in.damaged(fmt::format("damaged: '{}' is {}, expected '{}' or '{}'", name, quote(value), first, second));
  }
  return value == first;
}

}  // namespace

Tagger::Tagger() : card_(std::make_unique<Card>()) {}
Tagger::~Tagger() = default;
Tagger::Tagger(Tagger&&) noexcept = default;
Tagger& Tagger::operator=(Tagger&&) noexcept = default;

Tagger Tagger::train(Dataset data, const TrainOptions& options, const Run& run) {
  const TrainSettings settings = parse_settings(options.method, options.settings);
  check_date(options.date);
  if (!split_settings(options.settings).text.empty())
    run.remark("the settings text.* are for texts, not for sparse rows");
  Tagger tagger = train(std::move(data), settings, options, run);
  tagger.add_probes(run);
  return tagger;
}

Tagger Tagger::train(Dataset data, const TrainSettings& settings, const TrainOptions& options, const Run& run) {
  check_dataset(data);
  if (options.valid != nullptr) check_dataset(*options.valid);
  const Method& method = settings.method;
  if (options.valid_fraction && !(*options.valid_fraction > 0 && *options.valid_fraction < 1)) {
    fail(ErrorKind::kUsage, "valid_fraction {}: expected more than 0 and less than 1", *options.valid_fraction);
  }
  const bool holds_out = options.valid == nullptr && (options.valid_fraction || method.chooses(settings.options));

  Tagger tagger;
  tagger.method_ = &method;
  tagger.plan_ = method.plan(shape_of(data), settings.options, thread_count(run.threads));
  const TrainingStages stages{.holds_out = holds_out, .refits = options.refit};
  check_memory("training", method, training_bytes(tagger.plan_, shape_of(data), stages), data_bytes(shape_of(data)),
               options.max_memory);
  tagger.n_features_ = data.features.n_columns;
  tagger.first_ids_ = data.first_ids;
  tagger.label_names_ = data.label_names;
  tagger.label_ids_ = data.label_ids;
  tagger.counts_ = {data.size(), label_counts(data)};
  *tagger.card_ = source_card(data, settings, options, run);

  drop_rows_without_labels(data);
  if (data.features.ids.empty()) run.remark("no training row has any feature");
  TrainingResult result;
  with_threads(run.threads, [&] {
    scale_to_unit(data.features);
    TrainOptions scaled = options;
    Dataset valid;
    if (options.valid != nullptr) {
      valid = *options.valid;
      scale_to_unit(valid.features);
      scaled.valid = &valid;
    }
    const std::string fingerprint = card_text(*tagger.card_) + std::string(method.name);
    result = train_method(settings, data, scaled, fingerprint, run);
  });
  tagger.card_->settings = result.options.values();
  tagger.card_->chosen = result.chosen;
  tagger.card_->held_out = result.held_out;
  tagger.card_->interrupted = result.interrupted;
  tagger.card_->validation = result.validation;
  tagger.card_->date = options.date;
  tagger.model_ = std::move(result.model);
  return tagger;
}

Tagger Tagger::train(const Corpus& corpus, const TrainOptions& options, const Run& run) {
  check_corpus(corpus);
  return train(corpus, ListedTexts(corpus.texts), options, run);
}

Tagger Tagger::train(const Corpus& corpus, const TextBlocks& texts, const TrainOptions& options, const Run& run) {
  const TrainSettings settings = parse_settings(options.method, options.settings);
  check_date(options.date);
  Dataset data;
  data.labels = corpus.labels;
  data.n_labels = corpus.label_names.size();
  data.label_names = corpus.label_names;
  data.label_ids = corpus.label_ids;
  data.first_ids.label = corpus.first_label.value_or(0);
  Tagger reader;  // knows texts and names, as the trained one will
  with_threads(run.threads,
               [&] { reader.vectoriser_ = std::make_shared<Vectoriser>(texts, settings.text, run, &data.features); });
  data.features.n_columns = reader.vectoriser_->n_features();
  data.feature_name = [words = reader.vectoriser_](Feature feature) { return words->word(feature); };
  reader.label_names_ = corpus.label_names;
  reader.label_ids_ = corpus.label_ids;
  reader.labels_are_numbers_ = corpus.first_label.has_value();
  reader.first_ids_ = data.first_ids;
  reader.counts_.labels.resize(data.n_labels);

  TrainOptions of_rows = options;
  Dataset valid;
  if (options.valid_texts != nullptr) {
    valid = reader.rows_of(*options.valid_texts, run);
    of_rows.valid = &valid;
  }
  Tagger tagger = train(std::move(data), settings, of_rows, run);
  for (const auto& [name, value] : option_values(reader.vectoriser_->options())) {
    tagger.card_->settings[std::string(kTextPrefix) + name] = value;
  }
  tagger.vectoriser_ = std::move(reader.vectoriser_);
  tagger.label_names_ = std::move(reader.label_names_);
  tagger.label_ids_ = std::move(reader.label_ids_);
  tagger.labels_are_numbers_ = reader.labels_are_numbers_;
  tagger.add_probes(run);
  return tagger;
}

void Tagger::save(const std::string& path, bool replace) const {
  ModelWriter out;
  out.text("method", std::string(method_->name));
  out.text("card", card());
  out.text("n_features", std::to_string(n_features_));
  out.text("first_feature", std::to_string(first_ids_.feature));
  out.text("first_label", std::to_string(first_ids_.label));
  out.text("training_rows", std::to_string(counts_.rows));
  out.array("training_label_counts", Array<std::uint32_t>(counts_.labels));
  out.text("input", vectoriser_ ? kTexts : kRows);
  out.text("labels", labels_are_numbers_ ? kNumbers : kNames);
  if (vectoriser_) vectoriser_->save(out, "text");
  if (has_label_names()) out.strings("label_names", label_names_);
  if (label_ids_.size() > 0) out.strings("label_ids", label_ids_);
  model_->save(out);
  out.write(path, replace ? IfExists::kReplace : IfExists::kFail);
}

Tagger Tagger::load(const std::string& path, const Run& run) {
  Tagger tagger;
  with_threads(run.threads, [&] {
    ModelReader in(path);
    const std::string& name = in.text("method");
    const auto known = std::ranges::find(methods(), name, [](const Method* method) { return method->name; });
    if (known == methods().end()) {
      in.damaged(fmt::format("trained by {}, a method this program does not know", quote(name)));
    }
    tagger.method_ = *known;
    tagger.checksum_ = in.text("checksum");
    std::optional<Card> card = read_card(in.text("card"));
    if (!card) in.damaged("damaged: the card is no flat JSON object");
    *tagger.card_ = std::move(*card);
    tagger.n_features_ = in.number("n_features", kMaxId);
    tagger.first_ids_ = {static_cast<std::uint32_t>(in.number("first_feature", 1)),
                         static_cast<std::uint32_t>(in.number("first_label", 1))};
    tagger.counts_.rows = in.number("training_rows", kMaxId);
    const auto counts = in.array<std::uint32_t>("training_label_counts");
    tagger.counts_.labels.assign(counts.begin(), counts.end());
    const bool texts = one_of(in, "input", kTexts, kRows);
    if (texts) tagger.vectoriser_ = std::make_shared<Vectoriser>(in, "text");
    // Files from before labels could have both have only the one that goes with their input.
    tagger.labels_are_numbers_ = in.has_text("labels") ? one_of(in, "labels", kNumbers, kNames) : !texts;
    if (texts || !tagger.labels_are_numbers_ || in.has_array("label_names.offsets")) {
      tagger.label_names_ = load_texts(in, "label_names", "name", tagger.n_labels());
    }
    if (in.has_array("label_ids.offsets")) {
      if (!tagger.has_label_names()) in.damaged("damaged: its labels have identifiers, but no names");
      tagger.label_ids_ = load_texts(in, "label_ids", "identifier", tagger.n_labels());
    }
    if (texts && tagger.vectoriser_->n_features() != tagger.n_features_) {
      in.damaged("damaged: the vocabulary is not of the model's size");
    }
    tagger.model_ = tagger.method_->load(in, {tagger.n_features_, tagger.n_labels()});
  });
  return tagger;
}

TopLabels Tagger::tag(const RowBlock& rows, std::size_t k, const Run& run, const LabelFilter* allowed) const {
  if (allowed != nullptr && allowed->size() != n_labels()) {
    fail(ErrorKind::kUsage, "the filter is for {} labels, and the model has {}", allowed->size(), n_labels());
  }
  check_block(rows);
  TopLabels result;
  with_threads(run.threads, [&] { result = predict_rows(*model_, rows, RowScale::kUnit, k, run, allowed); });
  check_finite(result);
  return result;
}

TopLabels Tagger::tag(const TextList& texts, std::size_t k, const Run& run, const LabelFilter* allowed) const {
  const SparseMatrix rows = features_of(texts, run);
  return tag({rows.rows(), views_of(texts)}, k, run, allowed);
}

Explanation Tagger::explain(const RowBlock& row, Label label, const Run& run) const {
  check_label(label, n_labels());
  if (row.size() != 1) fail(ErrorKind::kUsage, "found {} rows to explain, expected one", row.size());
  check_block(row);
  SparseMatrix scaled;
  copy_as_unit(row.rows, scaled);
  Explanation result;
  with_threads(run.threads, [&] {
    Scratch scratch;
    result = model_->explain({scaled.rows(), row.texts}, label, scratch);
  });
  return result;
}

Explanation Tagger::explain(SparseRow row, Label label, const Run& run) const {
  SparseMatrix rows;
  rows.push_back(row);
  return explain(rows.rows(), label, run);
}

Explanation Tagger::explain(std::string_view text, Label label, const Run& run) const {
  TextList texts;
  texts.push_back(text);
  const SparseMatrix rows = features_of(texts, run);
  return explain({rows.rows(), views_of(texts)}, label, run);
}

TopLabels Tagger::near_labels(Label label, std::size_t k) const {
  check_label(label, n_labels());
  if (!method_->has_label_vectors) {
    std::vector<std::string_view> others;
    for (const Method* method : methods()) {
      if (method->has_label_vectors) others.push_back(method->name);
    }
    fail(ErrorKind::kUsage, "models of {} have no label vectors; those of {} have", method_->name,
         fmt::join(others, ", "));
  }
  return nearest_labels(model_->label_vectors(), label, n_labels(), k);
}

SparseMatrix Tagger::features_of(const TextList& texts, const Run& run) const {
  if (!takes_texts()) {
    fail(ErrorKind::kUsage,
         "the model was trained on sparse rows, and these are texts; pass rows, or a model that was trained on texts");
  }
  check_texts(texts);
  SparseMatrix features;
  with_threads(run.threads, [&] { features = vectoriser_->transform(texts, run); });
  return features;
}

Dataset Tagger::rows_of(const Corpus& corpus, const Run& run) const {
  check_corpus(corpus);
  Dataset data;
  data.features = features_of(corpus.texts, run);
  data.first_ids = first_ids_;
  TextLabels labels = text_labels(*this, corpus.first_label);
  data.labels = labels.ids(corpus.labels, label_keys(corpus.label_names, corpus.label_ids));
  data.label_names = labels.names();
  data.label_ids = labels.label_ids();
  data.n_labels = data.label_names.size();
  return data;
}

std::string Tagger::card() const {
  return card_text(*card_);
}

std::string Tagger::interrupted() const {
  return card_->interrupted;
}

void Tagger::add_probes(const Run& run) {
  card_->probes = make_probes(*this, card_->seed, run);
}

std::optional<ProbeOutcome> Tagger::verify_probes(const Run& run) const {
  if (!card_->probes) return std::nullopt;
  return run_probes(*this, *card_->probes, run);
}

std::string Tagger::label_name(Label label) const {
  check_label(label, n_labels());
  return has_label_names() ? std::string(label_names_[label]) : std::to_string(label + first_ids_.label);
}

std::string_view Tagger::label_id(Label label) const {
  check_label(label, n_labels());
  return label_ids_.size() > 0 ? label_ids_[label] : std::string_view();
}

std::string Tagger::feature_name(Feature feature) const {
  if (takes_texts() && feature >= n_features_) {
    fail(ErrorKind::kUsage, "there is no feature {} in a model with {} features", feature, n_features_);
  }
  return takes_texts() ? vectoriser_->word(feature) : std::to_string(feature + first_ids_.feature);
}

LabelLists Tagger::labels_called(const TextList& names) const {
  const LabelFinder finder(label_names_, label_ids_, n_labels(), first_ids_.label);
  LabelLists found;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const Label number = has_label_names() ? kNoLabel : label_of_number(names[i], first_ids_.label, n_labels());
    found.push_back(number != kNoLabel ? std::span(&number, 1) : finder.called(names[i]));
  }
  return found;
}

}  // namespace xylem
