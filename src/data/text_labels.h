// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "data/label_finder.h"
#include "data/label_table.h"
#include "xylem/sparse.h"
#include "xylem/text_list.h"

namespace xylem {

// The labels of texts among labels that are known already. Those that are not get ids behind them, in the order in
// which they come.
class TextLabels {
 public:
  // `names` and `label_ids` have one for each known label, the second may have none at all; they must outlive it.
  // `first_number` is what data call the first label, if numbers may stand for labels.
  TextLabels(const TextList& names, const TextList& label_ids, std::optional<Label> first_number)
      : known_names_(names), known_ids_(label_ids), first_number_(first_number) {}

  // The labels of some rows, whose ids are places in `keys`, which are as in label_key.h. `keys` may grow from call to
  // call.
  LabelLists ids(const LabelLists& rows, const TextList& keys);

  // Of all labels: the known ones, and behind them the others. Identifiers: none at all if no label has one.
  TextList names() const;
  TextList label_ids() const;

 private:
  void learn_keys(const TextList& keys);

  const TextList& known_names_;
  const TextList& known_ids_;
  std::optional<Label> first_number_;
  std::optional<LabelFinder> finder_;  // made when the first label comes
  LabelTable unknown_;
  std::vector<Label> id_of_;  // of each key so far
};

}  // namespace xylem
