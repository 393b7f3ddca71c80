// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "xylem/run.h"

namespace xylem::cli {

// Units done, with the part of the one under way.
inline double position(const Progress& state) {
  return static_cast<double>(state.done) + state.part;
}

// How fast it went: so many units in so many seconds. What was done before somebody looked is not among them.
struct Pace {
  double units = 0;
  double seconds = 0;
};

// The stage in a line: how far it is, how fast, how long it takes still, and what is known of the model.
std::string progress_text(const Progress& state, const Pace& pace, bool with_bar);

}  // namespace xylem::cli
