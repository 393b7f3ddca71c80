// SPDX-License-Identifier: Apache-2.0
// What a user should know of data, a sentence for each.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "cli/input_options.h"
#include "data/examine.h"
#include "tagger/cost.h"
#include "xylem/input.h"

namespace xylem::cli {

// One data file, read without stopping at bad lines, and what was seen in it.
struct ExaminedFile {
  std::string path;
  Input input;
  Examination found;
  double read_seconds = 0;
};

struct Finding {
  std::string name;  // for scripts
  std::string data;  // "train" or "test"
  std::size_t count = 0;
  std::string text;
  std::vector<std::string> examples;  // the first of them: messages, names
  bool list_examples = false;         // for people too, below the text
};

// Only what there is. `options` are those that `xylem train` would get: they decide what it would do.
std::vector<Finding> find_in_train(const ExaminedFile& train, const InputOptions& options);
std::vector<Finding> find_in_test(const ExaminedFile& test, const TestComparison& comparison,
                                  const InputOptions& options);
// Methods that need more memory than the machine had to give before anything was read.
std::vector<Finding> find_in_costs(const std::vector<TrainingCost>& costs, std::optional<std::uint64_t> memory);

// Characters U+FFFD that are in the texts of the file, and not there because of this reading.
std::size_t earlier_replacements(const ExaminedFile& file);

}  // namespace xylem::cli
