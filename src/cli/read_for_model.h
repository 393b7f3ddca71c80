// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "cli/input_options.h"
#include "cli/session.h"
#include "tagger/model_rows.h"

namespace xylem::cli {

enum class LabelsMatter { kNo, kYes };

// Rows at the begin of the input that an earlier run has done.
struct DoneRows {
  std::uint64_t rows = 0;
  std::uint64_t input_hash = 0;
};

// read_model_rows() for all that -i names, with progress as that of `stage`. Warns of what the model never saw; of
// labels only if they matter. `done` rows are passed over; throws kUsage if the input begins with others.
AllLabels read_for_model(Session& session, const Tagger& tagger, const InputOptions& options,
                         LabelsMatter labels_matter, const char* stage, const UseModelRows& use,
                         const DoneRows& done = {});

}  // namespace xylem::cli
