// SPDX-License-Identifier: Apache-2.0
// How good predictions are. All figures are in percent; docs/metrics.md defines each.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "xylem/run.h"
#include "xylem/sparse.h"

namespace xylem {

// Constants of the propensity model p_l = 1 / (1 + C (N_l + b)^-a), C = (ln N - 1)(b + 1)^a.
struct Propensity {
  double a = 0.55;
  double b = 1.5;
};

// What evaluation must know of the training set: how many rows it had, and how many of them carried each label.
// Labels beyond the end of the list never occurred.
struct TrainingCounts {
  std::size_t rows = 0;
  std::vector<std::uint32_t> labels;
};

struct EvalOptions {
  std::vector<std::size_t> ks{1, 3, 5};
  std::optional<double> threshold = {};  // also F1 of the predictions that score at least this
  Propensity propensity = {};
  std::size_t bootstrap = 1000;  // resamples for the 95 % intervals; 0: no intervals
  std::uint64_t seed = 1;        // of the resampling
};

// One figure with its 95 % bootstrap interval over rows, where it has one.
struct Figure {
  std::string name;  // "P@1", "nDCG@5", ...
  double value = 0;
  std::optional<double> low = {}, high = {};
};

// The labels of one range of training frequency, and how the predictions at the largest k do on them.
struct FrequencyGroup {
  std::string name;        // "head", "torso", "tail", "unseen"
  std::uint32_t from = 0;  // training rows of its labels, from .. to
  std::uint32_t to = 0;
  std::size_t labels = 0;     // that occur in training or in the truth
  std::size_t positives = 0;  // true (row, label) pairs
  std::size_t predicted = 0;  // predicted pairs
  std::size_t correct = 0;
  double precision = 0, recall = 0, f1 = 0;
};

// The rows that have labels, all of them of the tail or unseen, as if they were the whole test set.
struct TailRows {
  std::size_t rows = 0;
  std::size_t rows_unseen = 0;  // of them, those whose labels are all unseen: nothing could be learned of these
  std::vector<Figure> figures;  // P, PSP and R; empty if there are no such rows
};

// One label at the largest k.
struct LabelFigures {
  Label label = 0;
  std::uint32_t training_rows = 0;
  std::uint32_t positives = 0;
  std::uint32_t predicted = 0;
  std::uint32_t correct = 0;
  double precision = 0, recall = 0, f1 = 0;
};

struct Evaluation {
  std::size_t rows = 0;
  std::size_t rows_without_labels = 0;  // they stay in the denominators, with 0
  std::vector<Figure> figures;
  std::vector<FrequencyGroup> groups;
  TailRows tail_rows;
  std::vector<LabelFigures> labels;  // those that occur in the truth or in the predictions, by id

  // The figure called `name`; throws an Error of kind kUsage that names the nearest one if there is none.
  const Figure& figure(std::string_view name) const;
};

struct PairedFigure;

// Evaluates rows that come block by block, and keeps none of them. Where the blocks end makes no difference.
class Evaluator {
 public:
  // Throws kUsage for options that make no sense.
  Evaluator(const TrainingCounts& counts, const EvalOptions& options);
  ~Evaluator();
  Evaluator(Evaluator&&) noexcept;
  Evaluator& operator=(Evaluator&&) noexcept;

  // `truth` and `predictions` have the same number of rows. The result does not depend on run.threads. Throws
  // kInterrupted when `run` asks to stop.
  void add(const LabelLists& truth, const TopLabels& predictions, const Run& run = {});
  Evaluation result() const;

 private:
  friend std::vector<PairedFigure> compare(const Evaluator& first, const Evaluator& second);
  struct Sums;
  std::unique_ptr<Sums> sums_;
};

// The same for rows that are all there.
Evaluation evaluate(const LabelLists& truth, const TopLabels& predictions, const TrainingCounts& counts,
                    const EvalOptions& options = {}, const Run& run = {});

// The same figure of two systems on the same rows.
struct PairedFigure {
  std::string name;
  double first = 0, second = 0;
  double difference = 0;     // second - first
  double low = 0, high = 0;  // 95 % interval of the difference, paired bootstrap over rows
  double p_value = 1;        // two-sided, of "no difference"
};

// Every figure that has an interval, of two systems that were evaluated on the same rows with the same options.
// options.bootstrap must not be 0.
std::vector<PairedFigure> compare(const Evaluator& first, const Evaluator& second);
std::vector<PairedFigure> compare(const LabelLists& truth, const TopLabels& first, const TopLabels& second,
                                  const TrainingCounts& counts, const EvalOptions& options = {}, const Run& run = {});

}  // namespace xylem
