// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "cli/findings.h"

namespace xylem::cli {

// All that `xylem doctor` has to say.
struct Diagnosis {
  ExaminedFile train;
  std::optional<ExaminedFile> test;
  TestComparison comparison;  // where there is a test file
  std::vector<Finding> findings;
  std::vector<TrainingCost> costs;
  std::size_t threads = 0;  // that the costs were measured with
};

std::string diagnosis_text(const Diagnosis& diagnosis);
std::string diagnosis_json(const Diagnosis& diagnosis);

}  // namespace xylem::cli
