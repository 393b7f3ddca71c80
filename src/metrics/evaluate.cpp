// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include "core/fail.h"
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

std::vector<Figure> with_intervals(const RowFigures& rows, const EvalOptions& options, const Run& run) {
  std::vector<Figure> figures;
  const std::vector<double> values = rows.values();
  for (std::size_t f = 0; f < values.size(); ++f) {
    figures.push_back({.name = rows.names[f], .value = values[f]});
  }
  if (options.bootstrap == 0) return figures;
  std::vector<std::vector<double>> resampled = resample(rows, options.bootstrap, options.seed, run);
  for (std::size_t f = 0; f < values.size(); ++f) {
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

Evaluation evaluate(const LabelLists& truth, const TopLabels& predictions, const TrainingCounts& counts,
                    const EvalOptions& options, const Run& run) {
  check_rows(truth, predictions);
  const CutList cuts = make_cuts(options);
  const InversePropensity worth(counts, options.propensity);

  Evaluation result;
  result.rows = truth.size();
  for (std::size_t i = 0; i < truth.size(); ++i) result.rows_without_labels += truth[i].empty();
  const RowFigures rows = row_figures(truth, predictions, worth, cuts);
  result.figures = with_intervals(rows, options, run);

  const TailRowList tail = find_tail_rows(truth, counts);
  result.tail_rows.rows = tail.rows.size();
  result.tail_rows.rows_unseen = tail.rows_unseen;
  if (!tail.rows.empty()) result.tail_rows.figures = with_intervals(tail_figures(rows, tail.rows), options, run);

  const auto add_macro_f1 = [&](const Cut& cut, const LabelTallies& tallies) {
    result.figures.push_back({.name = "macroF1" + cut.name, .value = macro_f1(tallies)});
  };
  std::vector<Figure> coverages;
  for (const Cut& cut : cuts.at_k) {
    const LabelTallies tallies = tally_labels(truth, predictions, cut, counts);
    add_macro_f1(cut, tallies);
    coverages.push_back({.name = "coverage" + cut.name, .value = coverage(tallies)});
    if (&cut == &cuts.largest_k()) {
      result.groups = frequency_groups(tallies, counts);
      result.labels = label_figures(tallies, counts);
    }
  }
  if (cuts.at_threshold) {
    add_macro_f1(*cuts.at_threshold, tally_labels(truth, predictions, *cuts.at_threshold, counts));
  }
  result.figures.insert(result.figures.end(), coverages.begin(), coverages.end());
  return result;
}

std::vector<PairedFigure> compare(const LabelLists& truth, const TopLabels& first, const TopLabels& second,
                                  const TrainingCounts& counts, const EvalOptions& options, const Run& run) {
  check_rows(truth, first);
  check_rows(truth, second);
  if (options.bootstrap == 0) fail(ErrorKind::kUsage, "a comparison needs resamples: bootstrap must be 1 or more");
  const CutList cuts = make_cuts(options);
  const InversePropensity worth(counts, options.propensity);
  const RowFigures first_rows = row_figures(truth, first, worth, cuts);
  const RowFigures second_rows = row_figures(truth, second, worth, cuts);
  const std::vector<double> first_values = first_rows.values();
  const std::vector<double> second_values = second_rows.values();
  const auto first_resampled = resample(first_rows, options.bootstrap, options.seed, run);
  const auto second_resampled = resample(second_rows, options.bootstrap, options.seed, run);

  std::vector<PairedFigure> figures;
  for (std::size_t f = 0; f < first_values.size(); ++f) {
    std::vector<double> differences;
    for (std::size_t r = 0; r < options.bootstrap; ++r) {
      differences.push_back(second_resampled[f][r] - first_resampled[f][r]);
    }
    const Interval interval = middle_95(differences);
    figures.push_back({.name = first_rows.names[f],
                       .first = first_values[f],
                       .second = second_values[f],
                       .difference = second_values[f] - first_values[f],
                       .low = interval.low,
                       .high = interval.high,
                       .p_value = two_sided_p(differences)});
  }
  return figures;
}

}  // namespace xylem
