// SPDX-License-Identifier: Apache-2.0
#include "data/label_finder.h"

namespace xylem {

Label LabelFinder::named(LabelKey key) const {
  if (!key.id.empty()) {
    if (const auto found = by_id_.find(key.id); !found.empty()) return found[0];
  }
  const bool any_id = key.id.empty() || ids_.size() == 0;
  for (const Label label : by_name_.find(key.name)) {
    if (any_id || ids_[label].empty()) return label;
  }
  // One side may have identifiers for names: Annif's short texts have nothing else.
  if (key.id.empty() && key.name.empty()) return kNoLabel;
  const auto found = key.id.empty() ? by_id_.find(key.name) : by_name_.find(key.id);
  return found.empty() ? kNoLabel : found[0];
}

Label LabelFinder::find(LabelKey key) const {
  const Label label = named(key);
  return label != kNoLabel ? label : numbered(key.name);
}

Label LabelFinder::find_in_data(LabelKey key) const {
  const Label label = numbered(key.name);
  return label != kNoLabel ? label : named(key);
}

std::span<const Label> LabelFinder::called(std::string_view text) const {
  const auto found = by_name_.find(text);
  return found.empty() && !text.empty() ? by_id_.find(text) : found;
}

}  // namespace xylem
