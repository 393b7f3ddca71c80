// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "methods/parabel/parabel.h"
#include "methods/parabel/search.h"
#include "xylem/dataset.h"
#include "xylem/run.h"

namespace xylem::parabel {

// Grows the trees and trains the classifiers of all their nodes. Throws kInterrupted.
Forest train_forest(const Dataset& data, const ParabelOptions& options, const Run& run);

}  // namespace xylem::parabel
