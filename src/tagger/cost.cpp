// SPDX-License-Identifier: Apache-2.0
#include "tagger/cost.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <utility>

#include "core/parallel.h"
#include "core/random.h"
#include "core/stopwatch.h"
#include "data/ngram_counter.h"
#include "data/vectoriser.h"
#include "tagger/extrapolation.h"
#include "tagger/training.h"
#include "xylem/error.h"
#include "xylem/tagger.h"

namespace xylem {
namespace {

constexpr std::uint64_t kSampleStream = 0x73616d70;  // of the random numbers that choose sample rows
constexpr std::size_t kFirstSample = 250;
// Blocks of the file while it is read: what a large file adds to `xylem train` on ten rows until its rows outweigh it.
constexpr std::uint64_t kReadingBytes = 60'000'000;
constexpr double kLeastSeconds = 0.5;  // for a method, whatever those before it have used up
constexpr double kTextShare = 0.4;     // of the time, for making rows of texts

// Stops work that reports progress when its time is over, or when the user asks for it.
class Deadline {
 public:
  Deadline(const Run& outer, double seconds) : outer_(outer), end_(wall_seconds() + seconds) {}

  Run run() {
    Run run;
    run.seed = outer_.seed;
    run.threads = outer_.threads;
    run.cancel = &over_;
    run.keep_unfinished = false;
    run.on_progress = [this](const Progress&) {
      if (outer_.cancelled() || wall_seconds() > end_) over_ = true;
    };
    return run;
  }

 private:
  const Run& outer_;
  double end_;
  std::atomic<bool> over_ = false;
};

// The labelled rows in random order: every prefix is a sample.
std::vector<std::size_t> sample_order(const LabelLists& labels, std::uint64_t seed) {
  std::vector<std::size_t> order;
  for (std::size_t row = 0; row < labels.size(); ++row) {
    if (!labels[row].empty()) order.push_back(row);
  }
  Random(seed, {kSampleStream}).shuffle(std::span(order));
  return order;
}

std::vector<std::size_t> first_sorted(const std::vector<std::size_t>& order, std::size_t n) {
  std::vector<std::size_t> rows(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(n));
  std::ranges::sort(rows);
  return rows;
}

// What all methods are estimated from.
struct Subject {
  const Dataset& sample;          // rows to train on, some or all
  DataShape shape;                // of all rows
  std::size_t labelled_rows = 0;  // of all rows
  std::uint64_t held = 0;         // by the program and the data that is read, all through training
  std::uint64_t before = 0;       // at most, beside that, before the method begins
  std::uint64_t model_extra = 0;  // in the model file, beside what the method saves
  double seconds_before = 0;      // that pass before the method begins
};

void estimate_time(const Method& method, const Subject& subject, double seconds, const Run& run, TrainingCost& cost) {
  const std::vector<std::size_t> order = sample_order(subject.sample.labels, run.seed);
  TrainOptions options;
  options.method = method.name;
  // As large a share as of all rows would be held out, so that choosing costs its share in a sample, too.
  if (method.chooses(method.parse({}))) {
    options.valid_fraction =
        std::min(kHeldOutFraction, static_cast<double>(kMaxHeldOut) / static_cast<double>(subject.labelled_rows));
  }
  Deadline deadline(run, 2 * seconds);
  const auto train = [&](std::size_t n) -> Step {
    Dataset rows = select_rows(subject.sample, first_sorted(order, n));
    const double begin = wall_seconds();
    try {
      Tagger::train(std::move(rows), options, deadline.run());
    } catch (const Error& error) {
      run.check();
      cost.problem = error.kind() == ErrorKind::kInterrupted
                         ? "training on " + std::to_string(n) + " rows takes too long to wait for"
                         : error.what();
      return {{}, false};
    }
    return {wall_seconds() - begin, true};
  };
  const std::vector<Measured> steps = climb(kFirstSample, order.size(), seconds, train);
  if (steps.empty()) {
    if (order.empty()) cost.problem = "no row has a label";
    return;
  }
  cost.problem.clear();
  cost.measured_rows = static_cast<std::size_t>(steps.back().rows);
  cost.seconds = subject.seconds_before + extrapolate_seconds(steps, static_cast<double>(subject.labelled_rows));
}

std::vector<TrainingCost> estimate_methods(const Subject& subject, const CostOptions& options, double seconds,
                                           const Run& run) {
  std::vector<TrainingCost> costs;
  const double end = wall_seconds() + seconds;
  for (std::size_t i = 0; i < options.methods.size(); ++i) {
    run.check();
    run.progress(
        {.stage = "estimate", .unit = "methods", .done = i, .total = options.methods.size(), .loss = {}, .metric = {}});
    const Method& method = *options.methods[i];
    const CheckedOptions defaults = method.parse({});
    const MemoryPlan plan = method.plan(subject.shape, defaults, thread_count(run.threads));
    TrainingCost cost;
    cost.method = &method;
    cost.labelled_rows = subject.labelled_rows;
    const std::uint64_t training =
        training_bytes(plan, subject.shape, {.holds_out = method.chooses(defaults), .refits = TrainOptions().refit});
    cost.memory = subject.held + std::max(subject.before, training);
    cost.model = plan.model + subject.shape.labels * sizeof(std::uint32_t) + subject.model_extra;
    // What cheap methods leave over goes to those behind them.
    const double share = (end - wall_seconds()) / static_cast<double>(options.methods.size() - i);
    estimate_time(method, subject, std::max(kLeastSeconds, share), run, cost);
    costs.push_back(std::move(cost));
  }
  return costs;
}

// Rows made of a sample of the texts, and what making them of all texts would give and take.
struct TextSample {
  Dataset rows;
  std::vector<Measured> seconds, features, nonzeros, ngrams;
  double word_bytes = 0;  // of a feature, on average
  std::string problem;
};

Corpus select_texts(const Corpus& corpus, const std::vector<std::size_t>& rows) {
  Corpus chosen;
  for (const std::size_t row : rows) {
    chosen.texts.push_back(corpus.texts[row]);
    chosen.labels.push_back(corpus.labels[row]);
  }
  return chosen;
}

TextSample sample_texts(const Corpus& corpus, double seconds, const Run& run) {
  const std::vector<std::size_t> order = sample_order(corpus.labels, run.seed);
  TextSample sample;
  sample.rows.n_labels = corpus.label_names.size();
  Deadline deadline(run, 2 * seconds);
  const auto vectorise = [&](std::size_t n) -> Step {
    Corpus part = select_texts(corpus, first_sorted(order, n));
    try {
      const double begin = wall_seconds();
      SparseMatrix made;
      const Vectoriser vectoriser(part.texts, {}, deadline.run(), &made);
      const double taken = wall_seconds() - begin;
      const std::size_t ngrams =
          count_ngrams(part.texts, {.ngrams = TextOptions().ngrams, .stem_language = {}}, deadline.run()).size();
      std::size_t bytes = 0;
      for (Feature feature = 0; feature < vectoriser.n_features(); ++feature) bytes += vectoriser.word(feature).size();
      const auto rows = static_cast<double>(n);
      sample.word_bytes = static_cast<double>(bytes) / static_cast<double>(vectoriser.n_features());
      sample.features.push_back({rows, static_cast<double>(vectoriser.n_features())});
      sample.nonzeros.push_back({rows, static_cast<double>(made.ids.size())});
      sample.ngrams.push_back({rows, static_cast<double>(ngrams)});
      sample.rows.features = std::move(made);
      sample.rows.labels = std::move(part.labels);
      return {taken, true};
    } catch (const Error& error) {
      run.check();
      if (error.kind() == ErrorKind::kInterrupted) return {{}, false};
      sample.problem = error.what();  // that no word is left, which may be true of few texts only
      return {{}, true};
    }
  };
  with_threads(run.threads, [&] { sample.seconds = climb(kFirstSample, order.size(), seconds, vectorise); });
  if (order.empty()) sample.problem = "no row has a label";
  if (sample.seconds.empty() && sample.problem.empty()) sample.problem = "making rows of some texts takes too long";
  return sample;
}

std::uint64_t list_bytes(const TextList& list) {
  return list.bytes.size() + list.offsets.size() * sizeof(std::uint64_t);
}

// All but the texts themselves, which are read again and again.
std::uint64_t corpus_bytes(const Corpus& corpus) {
  return list_bytes(corpus.document_ids) + list_bytes(corpus.label_names) + corpus.labels.ids.size() * sizeof(Label) +
         corpus.labels.offsets.size() * sizeof(std::uint64_t);
}

// Of the vocabulary, in memory as in the file: see Vectoriser::save.
std::uint64_t vocabulary_bytes(std::size_t features, double word_bytes) {
  constexpr std::size_t kHashWeightOffset = sizeof(std::uint64_t) + sizeof(float) + sizeof(std::uint64_t);
  return features * kHashWeightOffset + std::bit_ceil(2 * features + 1) * sizeof(Feature) +
         static_cast<std::uint64_t>(static_cast<double>(features) * word_bytes);
}

// Of counting, as data/ngram_counter.cpp has it: tables between 3/8 and 3/4 full, and the hashes of a batch.
std::uint64_t counting_bytes(double ngrams, std::size_t text_bytes) {
  constexpr double kSlotBytes = 16, kSlots = 2, kHashesOfAByte = 2.8;
  constexpr std::size_t kBatchBytes = std::size_t{16} << 20;
  const double most = static_cast<double>(CountingOptions().max_counted);
  return static_cast<std::uint64_t>(kSlotBytes * kSlots * std::min(ngrams, most) +
                                    kHashesOfAByte * static_cast<double>(std::min(text_bytes, kBatchBytes)));
}

}  // namespace

std::vector<TrainingCost> estimate_costs(const Dataset& data, const CostOptions& options, const Run& run) {
  const DataShape shape = shape_of(data);
  const Subject subject{.sample = data,
                        .shape = shape,
                        .labelled_rows = sample_order(data.labels, run.seed).size(),
                        .held = kProgramBytes + data_bytes(shape),
                        .before = std::min(kReadingBytes, data_bytes(shape))};
  return estimate_methods(subject, options, options.seconds, run);
}

std::vector<TrainingCost> estimate_costs(const Corpus& corpus, const CostOptions& options, const Run& run) {
  const double begin = wall_seconds();
  const TextSample sample = sample_texts(corpus, kTextShare * options.seconds, run);
  if (sample.seconds.empty()) {
    std::vector<TrainingCost> costs;
    for (const Method* method : options.methods)
      costs.push_back({.method = method, .seconds = {}, .problem = sample.problem});
    return costs;
  }
  // A word must be in three texts to count: features grow slower than the texts, what is found in a text a bit faster.
  constexpr double kNonzeroGrowth = 1.3;
  const auto all = static_cast<double>(corpus.size());
  const double features =
      std::min(static_cast<double>(TextOptions().max_features), extrapolate_power(sample.features, all, 0, 1));
  const DataShape shape{corpus.size(), static_cast<std::size_t>(features), corpus.label_names.size(),
                        static_cast<std::size_t>(extrapolate_power(sample.nonzeros, all, 1, kNonzeroGrowth)),
                        corpus.labels.ids.size()};
  const std::uint64_t vocabulary = vocabulary_bytes(shape.features, sample.word_bytes);
  const std::uint64_t rows = data_bytes(shape);
  const std::uint64_t reading = std::min<std::uint64_t>(kReadingBytes, 3 * corpus.texts.bytes.size());
  const std::uint64_t counting = counting_bytes(extrapolate_power(sample.ngrams, all, 0, 1), corpus.texts.bytes.size());
  const Subject subject{.sample = sample.rows,
                        .shape = shape,
                        .labelled_rows = sample_order(corpus.labels, run.seed).size(),
                        .held = kProgramBytes + corpus_bytes(corpus) + vocabulary + rows,
                        // Nothing of the rows is there while words are counted.
                        .before = reading + counting - std::min(counting, vocabulary + rows),
                        .model_extra = vocabulary + list_bytes(corpus.label_names),
                        .seconds_before = extrapolate_seconds(sample.seconds, all)};
  return estimate_methods(subject, options, options.seconds - (wall_seconds() - begin), run);
}

}  // namespace xylem
