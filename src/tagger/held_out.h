// SPDX-License-Identifier: Apache-2.0
// Which training rows are held out for validation.
#pragma once

#include <cstdint>
#include <optional>

#include "xylem/dataset.h"

namespace xylem {

struct Split {
  Dataset train;
  Dataset valid;
};

// Holds out `fraction` of the rows, or without one kHeldOutFraction, at most kMaxHeldOut. Throws kData if no row would
// be left.
Split hold_out(const Dataset& data, std::optional<double> fraction, std::uint64_t seed);

}  // namespace xylem
