// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "data/text_labels.h"
#include "xylem/tagger.h"

namespace xylem {

// For the labels of texts as a tagger, which must outlive it, numbers them: by their numbers if it knows numbers, by
// their identifiers or by their names. `first_label` is Corpus::first_label: labels that have got their names are
// numbers no more.
inline TextLabels text_labels(const Tagger& tagger, std::optional<Label> first_label = {}) {
  std::optional<Label> first_number;
  if (tagger.labels_are_numbers() && !first_label) first_number = tagger.first_ids().label;
  return {tagger.label_names(), tagger.label_ids(), first_number};
}

}  // namespace xylem
