// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "xylem/corpus.h"

namespace xylem {

constexpr Label kNoLabel = ~Label{0};

// The label that data which count from `first` call `text`: a whole number. kNoLabel where it is none or too large.
Label label_of_number(std::string_view text, Label first, std::size_t n_labels);

// Throws kUsage: the first of `names` may be that of label 0 or 1 of `numbers`, which may be "3 labels".
[[noreturn]] void fail_first_label_open(const LabelNames& names, const std::string& numbers);

// Finds labels by their names, which must outlive it. Several labels may have the same name.
class NameIndex {
 public:
  explicit NameIndex(const TextList& names);

  // In rising order; none where nobody is called so.
  std::span<const Label> find(std::string_view name) const;
  // How many names belong to several labels.
  std::size_t shared() const;

 private:
  const TextList& names_;
  std::vector<Label> order_;  // by name, of equal names by label
};

}  // namespace xylem
