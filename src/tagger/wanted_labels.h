// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>

#include "xylem/run.h"
#include "xylem/tagger.h"

namespace xylem {

// Which labels of a row are wanted. A threshold may be reached by any number of them, but only these are kept.
struct WantedLabels {
  std::size_t candidates = 0;  // the best labels, among which the threshold chooses
  std::optional<double> threshold = {};
  std::size_t at_least = 0;  // of the best ones, also below the threshold
};

// Scores are compared with the threshold as floats, so that 0.7 reaches a threshold of 0.7.
TopLabels tag(const Tagger& tagger, const RowBlock& rows, const WantedLabels& wanted, const Run& run,
              const LabelFilter* allowed = nullptr);

}  // namespace xylem
