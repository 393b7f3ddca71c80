// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include "core/fail.h"
#include "core/parallel.h"
#include "core/text.h"
#include "metrics/bootstrap.h"
#include "metrics/cut.h"
#include "metrics/label_tallies.h"
#include "metrics/propensity.h"
#include "metrics/row_figures.h"
#include "metrics/tail_rows.h"
#include "xylem/metrics.h"

namespace xylem {
namespace {

void check_rows(const LabelLists& truth, const TopLabels& predictions) {
  if (truth.size() != predictions.size()) {
    fail(ErrorKind::kUsage, "predictions of {} rows, but the truth has {}", predictions.size(), truth.size());
  }
}

// The figures of rows that are added together take some hundred bytes per row.
constexpr std::size_t kRowsAtOnce = 8192;

LabelLists slice(const LabelLists& all, std::size_t begin, std::size_t end) {
  LabelLists rows;
  for (std::size_t i = begin; i < end; ++i) rows.push_back(all[i]);
  return rows;
}

TopLabels slice(const TopLabels& all, std::size_t begin, std::size_t end) {
  TopLabels rows;
  for (std::size_t i = begin; i < end; ++i) {
    for (std::size_t j = 0; j < all.row_labels(i).size(); ++j)
      rows.push_back(all.row_labels(i)[j], all.row_scores(i)[j]);
    rows.end_row();
  }
  return rows;
}

std::vector<Figure> with_intervals(const ResampledSums& sums) {
  std::vector<Figure> figures;
  const std::vector<double> values = sums.values();
  for (std::size_t f = 0; f < values.size(); ++f) {
    figures.push_back({.name = sums.names()[f], .value = values[f]});
  }
  std::vector<std::vector<double>> resampled = sums.resampled();
  for (std::size_t f = 0; f < values.size() && !resampled[f].empty(); ++f) {
    const Interval interval = middle_95(std::move(resampled[f]));
    figures[f].low = interval.low;
    figures[f].high = interval.high;
  }
  return figures;
}

}  // namespace

const Figure& Evaluation::figure(std::string_view name) const {
  const auto found = std::ranges::find(figures, name, &Figure::name);
  if (found != figures.end()) return *found;
  std::vector<std::string> names;
  for (const Figure& known : figures) names.push_back(known.name);
  fail(ErrorKind::kUsage, "no figure {}{} (there are {})", quote(name), nearest_name_hint(name, names),
       fmt::join(names, ", "));
}

struct Evaluator::Sums {
  Sums(const TrainingCounts& training_counts, const EvalOptions& options)
      : counts(training_counts),
        cuts(make_cuts(options)),
        worth(counts, options.propensity),
        figures(options.bootstrap, options.seed),
        tail_figures(options.bootstrap, options.seed),
        tallies(cuts.at_k.size() + (cuts.at_threshold ? 1 : 0)) {
    for (LabelTallies& of_cut : tallies) of_cut.known.resize(counts.labels.size());
  }
  void add(const LabelLists& truth, const TopLabels& predictions, const Run& run);
  const Cut& cut(std::size_t i) const { return i < cuts.at_k.size() ? cuts.at_k[i] : *cuts.at_threshold; }

  TrainingCounts counts;
  CutList cuts;
  InversePropensity worth;
  std::size_t rows = 0, rows_without_labels = 0;
  ResampledSums figures;
  TailRows tail;  // without figures
  ResampledSums tail_figures;
  std::vector<LabelTallies> tallies;  // for each cut
};

Evaluator::Evaluator(const TrainingCounts& counts, const EvalOptions& options)
    : sums_(std::make_unique<Sums>(counts, options)) {
  // No rows have the same figures as many.
  with_threads(1, [&] { sums_->add({}, {}, {}); });
}
Evaluator::~Evaluator() = default;
Evaluator::Evaluator(Evaluator&&) noexcept = default;
Evaluator& Evaluator::operator=(Evaluator&&) noexcept = default;

void Evaluator::Sums::add(const LabelLists& truth, const TopLabels& predictions, const Run& run) {
  rows += truth.size();
  for (std::size_t i = 0; i < truth.size(); ++i) rows_without_labels += truth[i].empty();
  const RowFigures of_rows = row_figures(truth, predictions, worth, cuts);
  figures.add(of_rows, run);

  const TailRowList of_tail = find_tail_rows(truth, counts);
  tail.rows += of_tail.rows.size();
  tail.rows_unseen += of_tail.rows_unseen;
  tail_figures.add(xylem::tail_figures(of_rows, of_tail.rows), run);
  for (std::size_t i = 0; i < tallies.size(); ++i) tally_labels(truth, predictions, cut(i), tallies[i]);
}

void Evaluator::add(const LabelLists& truth, const TopLabels& predictions, const Run& run) {
  check_rows(truth, predictions);
  with_threads(run.threads, [&] {
    if (truth.size() <= kRowsAtOnce) return sums_->add(truth, predictions, run);
    for (std::size_t begin = 0; begin < truth.size(); begin += kRowsAtOnce) {
      const std::size_t end = std::min(begin + kRowsAtOnce, truth.size());
      sums_->add(slice(truth, begin, end), slice(predictions, begin, end), run);
    }
  });
}

Evaluation Evaluator::result() const {
  const Sums& sums = *sums_;
  Evaluation result;
  result.rows = sums.rows;
  result.rows_without_labels = sums.rows_without_labels;
  result.figures = with_intervals(sums.figures);
  result.tail_rows = sums.tail;
  if (sums.tail.rows > 0) result.tail_rows.figures = with_intervals(sums.tail_figures);

  std::vector<Figure> coverages;
  for (std::size_t i = 0; i < sums.tallies.size(); ++i) {
    const LabelTallies& tallies = sums.tallies[i];
    const Cut& cut = sums.cut(i);
    result.figures.push_back({.name = "macroF1" + cut.name, .value = macro_f1(tallies)});
    if (i == sums.cuts.at_k.size()) continue;  // the threshold's
    coverages.push_back({.name = "coverage" + cut.name, .value = coverage(tallies)});
    if (&cut == &sums.cuts.largest_k()) {
      result.groups = frequency_groups(tallies, sums.counts);
      result.labels = label_figures(tallies, sums.counts);
    }
  }
  result.figures.insert(result.figures.end(), coverages.begin(), coverages.end());
  return result;
}

namespace {

Evaluator evaluator_of(const LabelLists& truth, const TopLabels& predictions, const TrainingCounts& counts,
                       const EvalOptions& options, const Run& run) {
  Evaluator evaluator(counts, options);
  evaluator.add(truth, predictions, run);
  return evaluator;
}

}  // namespace

Evaluation evaluate(const LabelLists& truth, const TopLabels& predictions, const TrainingCounts& counts,
                    const EvalOptions& options, const Run& run) {
  return evaluator_of(truth, predictions, counts, options, run).result();
}

std::vector<PairedFigure> compare(const Evaluator& first, const Evaluator& second) {
  const ResampledSums& a = first.sums_->figures;
  const ResampledSums& b = second.sums_->figures;
  const auto first_resampled = a.resampled(), second_resampled = b.resampled();
  if (first_resampled.front().empty()) {
    fail(ErrorKind::kUsage, "a comparison needs resamples: bootstrap must be 1 or more");
  }
  if (a.names() != b.names() || first.sums_->rows != second.sums_->rows) {
    fail(ErrorKind::kUsage, "only figures of the same rows, with the same options, can be compared");
  }
  const std::vector<double> first_values = a.values(), second_values = b.values();
  std::vector<PairedFigure> figures;
  for (std::size_t f = 0; f < first_values.size(); ++f) {
    std::vector<double> differences;
    for (std::size_t r = 0; r < first_resampled[f].size(); ++r) {
      differences.push_back(second_resampled[f][r] - first_resampled[f][r]);
    }
    const Interval interval = middle_95(differences);
    figures.push_back({.name = a.names()[f],
                       .first = first_values[f],
                       .second = second_values[f],
                       .difference = second_values[f] - first_values[f],
                       .low = interval.low,
                       .high = interval.high,
                       .p_value = two_sided_p(differences)});
  }
  return figures;
}

std::vector<PairedFigure> compare(const LabelLists& truth, const TopLabels& first, const TopLabels& second,
                                  const TrainingCounts& counts, const EvalOptions& options, const Run& run) {
  return compare(evaluator_of(truth, first, counts, options, run), evaluator_of(truth, second, counts, options, run));
}

}  // namespace xylem
