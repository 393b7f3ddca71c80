// SPDX-License-Identifier: Apache-2.0
#include "results/label_json.h"

#include <fmt/format.h>

#include <iterator>

namespace xylem {

nlohmann::ordered_json label_json(const Tagger& tagger, Label label) {
  if (tagger.has_label_names()) return tagger.label_name(label);
  return std::uint64_t{label} + tagger.first_ids().label;
}

std::string label_members(const Tagger& tagger, Label label) {
  std::string members = fmt::format("\"label\":{}", label_json(tagger, label).dump());
  const std::string_view id = tagger.label_id(label);
  if (!id.empty()) members += fmt::format(",\"id\":{}", nlohmann::json(id).dump());
  return members;
}

void append_labels_json(const Tagger& tagger, const TopLabels& top, std::size_t row, std::string_view score,
                        std::string& out) {
  out += '[';
  for (std::size_t i = 0; i < top.row_labels(row).size(); ++i) {
    fmt::format_to(std::back_inserter(out), "{}{{{},\"{}\":{}}}", i == 0 ? "" : ",",
                   label_members(tagger, top.row_labels(row)[i]), score, top.row_scores(row)[i]);
  }
  out += ']';
}

}  // namespace xylem
