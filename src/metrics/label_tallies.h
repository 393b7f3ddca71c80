// SPDX-License-Identifier: Apache-2.0
// What happened to each label, and the figures that need it: they are no sums over rows.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "metrics/cut.h"
#include "xylem/metrics.h"

namespace xylem {

// A label of the tail has 1 to this many training rows.
constexpr std::uint32_t kTailTrainingRows = 5;

struct LabelTally {
  std::uint32_t positives = 0;  // rows that have it
  std::uint32_t predicted = 0;
  std::uint32_t correct = 0;

  bool occurs() const { return positives > 0 || predicted > 0; }
};

struct LabelTallies {
  std::vector<LabelTally> known;       // of the labels that the training counts list
  std::map<Label, LabelTally> beyond;  // of ids above; a map, because a strange file may hold any number

  LabelTally& operator[](Label label) { return label < known.size() ? known[label] : beyond[label]; }
};

// Adds some rows.
void tally_labels(const LabelLists& truth, const TopLabels& predictions, const Cut& cut, LabelTallies& tallies);

// In percent. Macro F1 is the mean over labels that occur in truth or predictions; coverage the share of the labels in
// the truth that were found at least once.
double macro_f1(const LabelTallies& tallies);
double coverage(const LabelTallies& tallies);

// Head, torso, tail, unseen.
std::vector<FrequencyGroup> frequency_groups(const LabelTallies& tallies, const TrainingCounts& counts);

// Of the labels that occur in truth or predictions, by id.
std::vector<LabelFigures> label_figures(const LabelTallies& tallies, const TrainingCounts& counts);

}  // namespace xylem
