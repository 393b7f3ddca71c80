// SPDX-License-Identifier: Apache-2.0
#include "data/text_labels.h"

#include <algorithm>

namespace xylem {

LabelLists TextLabels::ids(const LabelLists& rows, const TextList& keys) {
  learn_keys(keys);
  return renumbered(rows, id_of_);
}

void TextLabels::learn_keys(const TextList& keys) {
  const std::size_t n_known = known_names_.size();
  if (keys.size() > id_of_.size() && !finder_) finder_.emplace(known_names_, known_ids_, n_known, first_number_);
  for (std::size_t i = id_of_.size(); i < keys.size(); ++i) {
    const Label known = finder_->find_in_data(split_label_key(keys[i]));
    id_of_.push_back(known != kNoLabel ? known : static_cast<Label>(n_known + unknown_.number(keys[i])));
  }
}

TextList TextLabels::names() const {
  TextList names = known_names_;
  names.append(unknown_.names());
  return names;
}

TextList TextLabels::label_ids() const {
  TextList ids = known_ids_;
  const TextList others = unknown_.ids();
  if (others.size() > 0) ids.pad(known_names_.size());
  ids.append(others);
  if (ids.size() > 0) ids.pad(known_names_.size() + unknown_.size());
  return ids;
}

}  // namespace xylem
