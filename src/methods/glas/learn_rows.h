// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "methods/glas/model.h"
#include "xylem/dataset.h"

namespace xylem::glas {

// A model that knows the labels of these rows, too, as the mean of their rows, and with label_text by their names. φ
// and the labels that it was trained with stay as they are.
std::unique_ptr<GlasModel> learn_rows(const GlasModel& old, const Dataset& rows, const Run& run);

}  // namespace xylem::glas
