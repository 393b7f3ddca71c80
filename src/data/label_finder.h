// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

#include "data/label_key.h"
#include "data/name_index.h"
#include "xylem/corpus.h"

namespace xylem {

// Finds the labels that others speak of: by identifier, name or number.
class LabelFinder {
 public:
  // `names` and `ids` have one for each of `n_labels` labels, or none at all; they must outlive the finder. `first` is
  // what data call the first label, if numbers may stand for labels.
  LabelFinder(const TextList& names, const TextList& ids, std::size_t n_labels, std::optional<Label> first)
      : ids_(ids), by_name_(names), by_id_(ids), n_labels_(n_labels), first_(first) {}

  // kNoLabel if there is none. A label with another identifier is another label, even if it has the same name. Of
  // labels that share a name, the first. An identifier may be the name of a label, and the reverse.
  Label find(LabelKey key) const;
  // The same for data, in which a number is that of the label, not its name.
  Label find_in_data(LabelKey key) const;
  // All labels with this name, or else the label with this identifier.
  std::span<const Label> called(std::string_view text) const;

 private:
  Label numbered(std::string_view text) const { return first_ ? label_of_number(text, *first_, n_labels_) : kNoLabel; }
  Label named(LabelKey key) const;

  const TextList& ids_;
  NameIndex by_name_, by_id_;
  std::size_t n_labels_;
  std::optional<Label> first_;
};

}  // namespace xylem
