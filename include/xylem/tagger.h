// SPDX-License-Identifier: Apache-2.0
// What a user calls a model: the method's model, and what is known of its training. Rows are scaled to length 1 before
// the method sees them, in training and in tagging.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "xylem/corpus.h"
#include "xylem/dataset.h"
#include "xylem/explanation.h"
#include "xylem/method.h"
#include "xylem/metrics.h"
#include "xylem/model.h"
#include "xylem/run.h"
#include "xylem/sparse.h"

namespace xylem {

struct TrainOptions {
  std::string method = "parabel";
  Settings settings;
  // Rows to choose on and to report. Without any, a method that must choose something holds out valid_fraction of the
  // training rows, at most kMaxHeldOut.
  const Dataset* valid = nullptr;
  const Corpus* valid_texts = nullptr;   // instead of `valid`, when training on texts
  std::optional<double> valid_fraction;  // hold out so much, whether or not something must be chosen
  bool refit = true;                     // after choosing on held-out rows, train again on all rows
  std::uint64_t max_memory = 0;          // bytes; 0: what the machine has
  std::string date = {};                 // for the card: 2026-01-31 or 2026-01-31T12:00:00Z, or empty
};
inline constexpr double kHeldOutFraction = 0.1;
inline constexpr std::size_t kMaxHeldOut = 5000;

// The options of the vectoriser, as they are set: "text.ngrams", ...
std::vector<OptionInfo> text_options();

// Throws kUsage where a name or value is wrong, for the method or for the vectoriser.
void check_settings(const std::string& method, const Settings& settings);

struct LearnOptions {
  Settings settings;             // of the method's `learn`
  std::uint64_t max_memory = 0;  // bytes; 0: what the machine has
  std::string date = {};         // for the card, as in TrainOptions
};

// Throws kUsage where models of the method cannot learn more, with the names of those that can, or a setting is wrong.
void check_learning(const Method& method, const Settings& settings);

// Which labels may be given: an entry for each label of the tagger.
using LabelFilter = std::vector<bool>;

// What came of predicting the probe rows of a model again.
struct ProbeOutcome {
  std::size_t rows = 0;
  double difference = 0;  // largest of a score; infinite if the labels are others
  bool equal = false;     // to the last bit if g++ built the program, else within 1e-6
};

class Vectoriser;
struct Card;
struct TrainSettings;

class Tagger {
 public:
  ~Tagger();
  Tagger(Tagger&&) noexcept;
  Tagger& operator=(Tagger&&) noexcept;

  // Trains on `data`, which it uses up. Throws kUsage for settings that make no sense, kMemory before any work if the
  // plan exceeds the limit, and kInterrupted when asked to stop while there is no model worth keeping; see
  // interrupted(). Otherwise the result depends on data, options and run.seed only.
  static Tagger train(Dataset data, const TrainOptions& options, const Run& run);
  // Learns a vocabulary first, from the training texts alone. Settings that begin with "text." are the vectoriser's.
  static Tagger train(const Corpus& corpus, const TrainOptions& options, const Run& run);
  // The same for texts that are elsewhere, in a file say; `rows` has all else of them.
  static Tagger train(const Corpus& rows, const TextBlocks& texts, const TrainOptions& options, const Run& run);

  // A tagger that knows these rows, too, and the labels that are new in them, without retraining. Ids are the
  // model's; labels from n_labels() on are new, and where the model has names `rows` brings those of all labels.
  // Features that the model does not have are ignored, rows without labels count in training_counts() only; remarks say
  // so. Throws kUsage where the method cannot, kData where no row has a label or the names are others, kMemory before
  // any work, kInterrupted. The result does not depend on run.threads.
  Tagger learn(Dataset rows, const LearnOptions& options, const Run& run) const;
  // For a tagger that takes texts, whose vocabulary stays as it is. Labels that it does not have are new; where they
  // are numbers in its data, name_labels() must have given the corpus the names of all.
  Tagger learn(const Corpus& corpus, const LearnOptions& options, const Run& run) const;

  // A tagger that knows labels of these names, too, of which there is no row: for methods that read names. Those that
  // it has already are left out; a remark says so. `ids` are their identifiers, or none. Throws as learn() does.
  Tagger learn_labels(const TextList& names, const LearnOptions& options, const Run& run,
                      const TextList& ids = {}) const;

  // Throws kIo, kModel.
  static Tagger load(const std::string& path, const Run& run = {});
  // Writes the whole file or none; an existing file is an Error unless `replace`.
  void save(const std::string& path, bool replace) const;

  // The k best labels of every row, best first. Returns fewer than k labels if the model has no more candidates. With a
  // filter, only labels that it allows; a model that searches among candidates may miss allowed labels that are far
  // from the row. Rows must be as check_rows() expects them, and texts need a model of texts, else kUsage. The result
  // does not depend on run.threads.
  TopLabels tag(const RowBlock& rows, std::size_t k, const Run& run, const LabelFilter* allowed = nullptr) const;
  TopLabels tag(const TextList& texts, std::size_t k, const Run& run, const LabelFilter* allowed = nullptr) const;

  // Why a label below n_labels() gets its score for a row or a text, or would get it where tag() misses it. For names
  // there are feature_name() and label_name().
  Explanation explain(SparseRow row, Label label, const Run& run = {}) const;
  Explanation explain(const RowBlock& row, Label label, const Run& run = {}) const;  // a block of one row
  Explanation explain(std::string_view text, Label label, const Run& run = {}) const;

  // The k other labels whose vectors have the largest cosines to that of a label below n_labels(), and the cosines, as
  // one row; fewer where there are fewer. Labels of which training told nothing are near to none. Throws kUsage where
  // the method has no label vectors.
  TopLabels near_labels(Label label, std::size_t k) const;

  // Whether it was trained on texts, and so wants texts.
  bool takes_texts() const { return vectoriser_ != nullptr; }
  // Texts as rows for this model.
  SparseMatrix features_of(const TextList& texts, const Run& run) const;
  // The same with their labels, by their numbers where it knows numbers, or by their names. Those it never saw
  // get ids from n_labels() on; label_names has them too.
  Dataset rows_of(const Corpus& corpus, const Run& run) const;
  // One for each label, or none at all.
  const TextList& label_names() const { return label_names_; }
  bool has_label_names() const { return label_names_.size() > 0; }
  // Whether its data have numbers for labels, besides the names that labels may have.
  bool labels_are_numbers() const { return labels_are_numbers_; }
  // Its name, or where there are none its number, as the training data had it.
  std::string label_name(Label label) const;
  // Identifiers, URIs for example: one for each label, empty for a label without; or none at all.
  const TextList& label_ids() const { return label_ids_; }
  std::string_view label_id(Label label) const;
  // The word, or the two words with a blank between them; for sparse rows its number.
  std::string feature_name(Feature feature) const;
  // For each of `names` the labels that label_name() calls so, none, one, or several that share it; or else the one
  // with this identifier.
  LabelLists labels_called(const TextList& names) const;

  const Method& method() const { return *method_; }
  std::size_t n_features() const { return n_features_; }
  std::size_t n_labels() const { return counts_.labels.size(); }
  FirstIds first_ids() const { return first_ids_; }
  const TrainingCounts& training_counts() const { return counts_; }
  // A JSON object: data, seed, what was held out, settings, validation figures, what was learned since. Only what
  // changes the result or follows from it; docs/model-format.md lists the keys.
  std::string card() const;
  const Card& card_fields() const { return *card_; }  // the same as a struct, for what is built with the library
  // Predicts the made-up rows that the model keeps with their predictions, and compares. None for a model from before
  // models had such rows. Throws kModel if they make no sense.
  std::optional<ProbeOutcome> verify_probes(const Run& run = {}) const;
  // Empty where training came to its end. Otherwise somebody asked it to stop, and this says what the model is, the
  // best one until then: "epoch 7". So does the card.
  std::string interrupted() const;
  // Of the model file that it was loaded from, 16 digits; empty for one that was not.
  const std::string& checksum() const { return checksum_; }
  // What the plan said, for comparing with what was used.
  const MemoryPlan& plan() const { return plan_; }

 private:
  Tagger();
  static Tagger train(Dataset data, const TrainSettings& settings, const TrainOptions& options, const Run& run);
  void add_probes(const Run& run);
  Tagger learn(Dataset rows, const CheckedOptions& settings, const LearnOptions& options, const Run& run) const;
  // Learns from rows whose labels have been joined with the known ones; there may be none of them.
  Tagger with_more(Dataset rows, const CheckedOptions& settings, const LearnOptions& options, const Run& run) const;

  std::shared_ptr<const Vectoriser> vectoriser_;  // of a tagger for texts; those that learn more have the same
  TextList label_names_;                          // one for each label, or none at all
  TextList label_ids_;                            // the same
  bool labels_are_numbers_ = true;                // in the data; where they also have names, texts may use either
  const Method* method_ = nullptr;
  std::unique_ptr<Model> model_;
  std::size_t n_features_ = 0;
  FirstIds first_ids_;
  TrainingCounts counts_;
  std::unique_ptr<Card> card_;
  std::string checksum_;
  MemoryPlan plan_;
};

}  // namespace xylem
