// SPDX-License-Identifier: Apache-2.0
#include "metrics/label_tallies.h"

#include <algorithm>
#include <limits>

#include "metrics/row_figures.h"

namespace xylem {
namespace {

// Calls visit(label, training_rows, tally) for every label there is, by id.
template <class Visit>
void for_each_label(const LabelTallies& tallies, const TrainingCounts& counts, Visit visit) {
  for (std::size_t i = 0; i < tallies.known.size(); ++i) {
    visit(static_cast<Label>(i), counts.labels[i], tallies.known[i]);
  }
  for (const auto& [label, tally] : tallies.beyond) visit(label, std::uint32_t{0}, tally);
}

// Fills precision, recall and f1 of a FrequencyGroup or LabelFigures from its counts.
template <class Counted>
void fill_ratios(Counted& of) {
  const auto correct = static_cast<double>(of.correct);
  const auto predicted = static_cast<double>(of.predicted);
  const auto positives = static_cast<double>(of.positives);
  of.precision = 100 * ratio_or_zero(correct, predicted);
  of.recall = 100 * ratio_or_zero(correct, positives);
  of.f1 = 100 * ratio_or_zero(2 * correct, predicted + positives);
}

template <class Visit>
void for_each_tally(const LabelTallies& tallies, Visit visit) {
  for (const LabelTally& tally : tallies.known) visit(tally);
  for (const auto& [label, tally] : tallies.beyond) visit(tally);
}

}  // namespace

void tally_labels(const LabelLists& truth, const TopLabels& predictions, const Cut& cut, LabelTallies& tallies) {
  for (std::size_t i = 0; i < truth.size(); ++i) {
    const std::span<const Label> labels = truth[i];
    for (const Label label : labels) ++tallies[label].positives;
    for (const Label label : cut.of(predictions, i)) {
      LabelTally& tally = tallies[label];
      ++tally.predicted;
      if (std::ranges::binary_search(labels, label)) ++tally.correct;
    }
  }
}

double macro_f1(const LabelTallies& tallies) {
  double sum = 0, n = 0;
  for_each_tally(tallies, [&](const LabelTally& tally) {
    if (!tally.occurs()) return;
    sum += 2.0 * tally.correct / (static_cast<double>(tally.predicted) + tally.positives);
    n += 1;
  });
  return 100 * ratio_or_zero(sum, n);
}

double coverage(const LabelTallies& tallies) {
  double found = 0, n = 0;
  for_each_tally(tallies, [&](const LabelTally& tally) {
    if (tally.positives > 0) n += 1;
    if (tally.correct > 0) found += 1;
  });
  return 100 * ratio_or_zero(found, n);
}

std::vector<FrequencyGroup> frequency_groups(const LabelTallies& tallies, const TrainingCounts& counts) {
  std::vector<FrequencyGroup> groups(4);
  groups[0].name = "head", groups[0].from = 101, groups[0].to = std::numeric_limits<std::uint32_t>::max();
  groups[1].name = "torso", groups[1].from = kTailTrainingRows + 1, groups[1].to = 100;
  groups[2].name = "tail", groups[2].from = 1, groups[2].to = kTailTrainingRows;
  groups[3].name = "unseen", groups[3].from = 0, groups[3].to = 0;

  for_each_label(tallies, counts, [&](Label, std::uint32_t training_rows, const LabelTally& tally) {
    FrequencyGroup& group =
        *std::ranges::find_if(groups, [&](const FrequencyGroup& g) { return training_rows >= g.from; });
    if (training_rows > 0 || tally.positives > 0) ++group.labels;
    group.positives += tally.positives;
    group.predicted += tally.predicted;
    group.correct += tally.correct;
  });
  for (FrequencyGroup& group : groups) fill_ratios(group);
  return groups;
}

std::vector<LabelFigures> label_figures(const LabelTallies& tallies, const TrainingCounts& counts) {
  std::vector<LabelFigures> figures;
  for_each_label(tallies, counts, [&](Label label, std::uint32_t training_rows, const LabelTally& tally) {
    if (!tally.occurs()) return;
    LabelFigures of_label{.label = label,
                          .training_rows = training_rows,
                          .positives = tally.positives,
                          .predicted = tally.predicted,
                          .correct = tally.correct};
    fill_ratios(of_label);
    figures.push_back(of_label);
  });
  return figures;
}

}  // namespace xylem
