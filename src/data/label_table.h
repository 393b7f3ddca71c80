// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "data/label_key.h"
#include "data/name_table.h"
#include "xylem/corpus.h"

namespace xylem {

// Numbers labels in the order in which they first come. Labels with the same identifier are the same, whatever their
// names; the first name counts. A label without an identifier is the first with that name, or that identifier. The same
// key always gets the same number.
class LabelTable {
 public:
  // `key` as in label_key.h.
  Label number(std::string_view key);

  std::size_t size() const { return name_of_.size(); }
  TextList names() const;
  // One for each label, empty for a label without; none at all if no label has one.
  TextList ids() const;
  void clear() { *this = {}; }
  std::size_t held() const;

 private:
  // Texts, each with the label that it stands for.
  class Index {
   public:
    Label find(std::string_view text) const;
    // The place of `text`, which stands for `label` unless it stands for another already.
    std::uint32_t add(std::string_view text, Label label);
    std::string_view operator[](std::uint32_t place) const { return texts_.names()[place]; }
    std::size_t held() const;

   private:
    NameTable texts_;
    std::vector<Label> labels_;
  };

  Label number_without_id(std::string_view name);
  Label number_with_id(LabelKey key);
  Label add(std::string_view name);

  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  Index by_name_, by_id_;
  std::vector<std::uint32_t> name_of_;  // of each label: its place in by_name_
  std::vector<std::uint32_t> id_of_;    // its place in by_id_, or kNone
};

// The keys of labels with these names and identifiers, of which there may be none at all.
TextList label_keys(const TextList& names, const TextList& ids);

// Names the labels of a corpus, whose ids are places in `keys`, which are all different. Keys that mean the same label
// become one.
void name_labels_by_keys(TextList keys, Corpus& corpus);

// The rows with each label replaced by its number in `numbers`; labels that become the same are one.
LabelLists renumbered(const LabelLists& rows, const std::vector<Label>& numbers);

// How many rows have a label.
std::size_t count_labelled(const LabelLists& rows);

}  // namespace xylem
