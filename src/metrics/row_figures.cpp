// SPDX-License-Identifier: Apache-2.0
#include "metrics/row_figures.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "core/parallel.h"

namespace xylem {
namespace {

enum Metric : std::size_t { kPrecision, kNdcg, kPsp, kPsNdcg, kRecall, kMicroF1, kMetrics };
constexpr const char* kMetricNames[kMetrics] = {"P", "nDCG", "PSP", "PSnDCG", "R", "microF1"};

constexpr std::size_t kRowsPerChunk = 256;

// discounts[r] = 1 / log2(rank + 1) for rank r + 1, for all ranks that occur.
std::vector<double> make_discounts(const LabelLists& truth, const TopLabels& predictions) {
  std::size_t longest = 0;
  for (std::size_t i = 0; i < truth.size(); ++i) {
    longest = std::max({longest, truth[i].size(), predictions.row_labels(i).size()});
  }
  std::vector<double> discounts(longest);
  for (std::size_t r = 0; r < longest; ++r) discounts[r] = 1 / std::log2(static_cast<double>(r) + 2);
  return discounts;
}

// Sums over the first k places of a ranking.
struct RankingSums {
  double hits = 0;   // correct labels
  double dcg = 0;    // their discounts
  double worth = 0;  // their 1 / p
  double discounted_worth = 0;
};

// worths[r] is 1 / p of the label at place r if it is correct, 0 if not.
RankingSums sum_ranking(std::span<const double> worths, std::size_t k, std::span<const double> discounts) {
  RankingSums sums;
  for (std::size_t r = 0; r < std::min(k, worths.size()); ++r) {
    if (worths[r] == 0) continue;
    sums.hits += 1;
    sums.dcg += discounts[r];
    sums.worth += worths[r];
    sums.discounted_worth += worths[r] * discounts[r];
  }
  return sums;
}

// Writes what one row adds; keeps its buffers from row to row.
class RowWriter {
 public:
  RowWriter(const InversePropensity& worth, const CutList& cuts, std::span<const double> discounts)
      : worth_(worth), cuts_(cuts), discounts_(discounts) {}

  void write(const LabelLists& truth, const TopLabels& predictions, std::size_t row, double* parts) {
    const std::span<const Label> labels = truth[row];
    const auto n_labels = static_cast<double>(labels.size());
    rank_best(labels);
    rank_predicted(labels, predictions.row_labels(row));

    const std::size_t n_cuts = cuts_.at_k.size();
    for (std::size_t c = 0; c < n_cuts; ++c) {
      const std::size_t k = cuts_.at_k[c].k;
      const RankingSums got = sum_ranking(predicted_, k, discounts_);
      const RankingSums best = sum_ranking(best_, k, discounts_);
      const auto n_predicted = static_cast<double>(std::min(k, predicted_.size()));
      const auto set = [&](Metric metric, double numerator, double denominator) {
        parts[2 * (metric * n_cuts + c)] = numerator;
        parts[2 * (metric * n_cuts + c) + 1] = denominator;
      };
      set(kPrecision, got.hits / static_cast<double>(k), 1);
      set(kNdcg, ratio_or_zero(got.dcg, best.dcg), 1);
      set(kPsp, got.worth, best.worth);
      set(kPsNdcg, got.discounted_worth, best.discounted_worth);
      set(kRecall, ratio_or_zero(got.hits, n_labels), 1);
      set(kMicroF1, 2 * got.hits, n_predicted + n_labels);
    }
    if (cuts_.at_threshold) {
      const std::size_t n_predicted = cuts_.at_threshold->of(predictions, row).size();
      parts[2 * kMetrics * n_cuts] = 2 * sum_ranking(predicted_, n_predicted, discounts_).hits;
      parts[2 * kMetrics * n_cuts + 1] = static_cast<double>(n_predicted) + n_labels;
    }
  }

 private:
  // The ranking that no system can beat: all true labels, the rarest first.
  void rank_best(std::span<const Label> labels) {
    best_.clear();
    for (const Label label : labels) best_.push_back(worth_[label]);
    std::ranges::sort(best_, std::greater());
  }
  void rank_predicted(std::span<const Label> labels, std::span<const Label> predicted) {
    predicted_.clear();
    for (const Label label : predicted) {
      predicted_.push_back(std::ranges::binary_search(labels, label) ? worth_[label] : 0);
    }
  }

  const InversePropensity& worth_;
  const CutList& cuts_;
  std::span<const double> discounts_;
  std::vector<double> best_, predicted_;
};

}  // namespace

RowFigures row_figures(const LabelLists& truth, const TopLabels& predictions, const InversePropensity& worth,
                       const CutList& cuts) {
  RowFigures figures;
  figures.n_rows = truth.size();
  for (const char* metric : kMetricNames) {
    for (const Cut& cut : cuts.at_k) figures.names.push_back(metric + cut.name);
  }
  if (cuts.at_threshold) figures.names.push_back(kMetricNames[kMicroF1] + cuts.at_threshold->name);
  figures.parts.resize(figures.n_rows * figures.n_parts());

  const std::vector<double> discounts = make_discounts(truth, predictions);
  parallel_for(figures.n_rows, kRowsPerChunk, [&](std::size_t begin, std::size_t end) {
    RowWriter writer(worth, cuts, discounts);
    for (std::size_t i = begin; i < end; ++i) {
      writer.write(truth, predictions, i, figures.parts.data() + i * figures.n_parts());
    }
  });
  return figures;
}

double ndcg(const LabelLists& truth, const TopLabels& predictions, std::size_t k) {
  const auto discount = [](std::size_t place) { return 1 / std::log2(static_cast<double>(place) + 2); };
  double sum = 0;
  for (std::size_t row = 0; row < predictions.size(); ++row) {
    const auto predicted = predictions.row_labels(row);
    double got = 0, best = 0;
    for (std::size_t place = 0; place < std::min(k, predicted.size()); ++place) {
      if (std::ranges::binary_search(truth[row], predicted[place])) got += discount(place);
    }
    for (std::size_t place = 0; place < std::min(k, truth[row].size()); ++place) best += discount(place);
    sum += ratio_or_zero(got, best);
  }
  return 100 * ratio_or_zero(sum, static_cast<double>(predictions.size()));
}

}  // namespace xylem
