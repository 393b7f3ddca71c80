// SPDX-License-Identifier: Apache-2.0
// What may be wrong with the names of labels.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "xylem/corpus.h"

namespace xylem {

// How many, and the first of them.
struct NameFault {
  static constexpr std::size_t kMaxExamples = 10;
  std::size_t count = 0;
  std::vector<std::string> examples;

  void add(std::string_view name) {
    if (count++ < kMaxExamples) examples.emplace_back(name);
  }
};

struct SeparatorFault {
  char separator;
  NameFault names;  // that contain it
};

struct NameFaults {
  std::vector<SeparatorFault> separators;  // those that occur of ',', ';', '|', TAB and the reader's own
  NameFault blank;                         // names without a single visible character
  NameFault alike;  // names that an earlier one equals but for case, blanks at the ends and composed characters
  std::vector<std::string> alike_to;  // for each example of `alike`: the first such name
};

NameFaults find_name_faults(const TextList& names, char label_separator);

}  // namespace xylem
