// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "methods/parabel/parabel.h"
#include "xylem/method.h"

namespace xylem::parabel {

// Never falls when a size or the number of threads grows.
MemoryPlan plan_memory(const DataShape& shape, const ParabelOptions& options, std::size_t threads);

}  // namespace xylem::parabel
