// SPDX-License-Identifier: Apache-2.0
#include "data/name_index.h"

#include <algorithm>
#include <numeric>

#include "core/fail.h"
#include "core/numbers.h"

namespace xylem {

Label label_of_number(std::string_view text, Label first, std::size_t n_labels) {
  const std::uint64_t number = parse_number<std::uint64_t>(text).value_or(UINT64_MAX);
  return number >= first && number - first < n_labels ? static_cast<Label>(number - first) : kNoLabel;
}

void fail_first_label_open(const LabelNames& names, const std::string& numbers) {
  fail(ErrorKind::kUsage,
       "{}: {} names for {}: the first name may be that of label 0 or 1; --first-id says which, and so do lines "
       "`number<TAB>name`",
       names.file, names.names.size(), numbers);
}

NameIndex::NameIndex(const TextList& names) : names_(names), order_(names.size()) {
  std::iota(order_.begin(), order_.end(), Label{0});
  std::ranges::stable_sort(order_, {}, [&](Label label) { return names_[label]; });
}

std::span<const Label> NameIndex::find(std::string_view name) const {
  const auto by_name = [&](Label label) { return names_[label]; };
  return {std::ranges::lower_bound(order_, name, {}, by_name), std::ranges::upper_bound(order_, name, {}, by_name)};
}

std::size_t NameIndex::shared() const {
  std::size_t count = 0;
  for (std::size_t i = 1; i < order_.size(); ++i) {
    const std::string_view name = names_[order_[i]];
    const bool second = name == names_[order_[i - 1]] && (i == 1 || name != names_[order_[i - 2]]);
    count += second ? 1 : 0;
  }
  return count;
}

}  // namespace xylem
