// SPDX-License-Identifier: Apache-2.0
// Probe rows: a few rows made up from the seed that a model file keeps with their predictions, so that any machine and
// any later program can show that it predicts the same.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "tagger/card.h"
#include "xylem/run.h"
#include "xylem/tagger.h"

namespace xylem {

inline constexpr std::size_t kProbeRows = 4, kProbeLabels = 5;  // labels that are predicted for each

// The same for the same tagger and card, however many threads there are. Never looks at training data.
Probes make_probes(const Tagger& tagger, std::uint64_t seed, const Run& run);

// Throws kModel for probes that no program has written.
ProbeOutcome run_probes(const Tagger& tagger, const Probes& probes, const Run& run);

}  // namespace xylem
