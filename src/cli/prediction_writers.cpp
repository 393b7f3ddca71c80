// SPDX-License-Identifier: Apache-2.0
#include "cli/prediction_writers.h"

#include <fmt/format.h>

#include <iterator>
#include <nlohmann/json.hpp>

#include "cli/labels.h"
#include "data/format.h"
#include "data/label_rules.h"
#include "data/predictions.h"

namespace xylem::cli {

PredictionWriter::PredictionWriter(std::string_view format, const Tagger& tagger) : format_(format), tagger_(tagger) {
  if (format == "fasttext") check_labels_fit(tagger.label_names(), format, ',');
}

std::string PredictionWriter::header(std::size_t n_rows) const {
  return format_ == "xmlrepo" ? xmlrepo_header(n_rows, tagger_.n_labels()) : "";
}

void PredictionWriter::append(const TopLabels& top, const TextList& document_ids, std::string& out) const {
  for (std::size_t row = 0; row < top.size(); ++row) {
    if (format_ == "xmlrepo") append_xmlrepo_row(top, row, tagger_.first_ids().label, out);
    if (format_ == "jsonl") append_jsonl(top, row, document_ids, out);
    if (format_ == "fasttext") append_fasttext(top, row, out);
  }
}

void PredictionWriter::append_jsonl(const TopLabels& top, std::size_t row, const TextList& document_ids,
                                    std::string& out) const {
  const auto end = std::back_inserter(out);
  out += '{';
  if (document_ids.size() > 0 && !document_ids[row].empty()) fmt::format_to(end, "\"id\":{},", document_ids[row]);
  out += "\"labels\":[";
  for (std::size_t i = 0; i < top.row_labels(row).size(); ++i) {
    fmt::format_to(end, "{}{{{},\"score\":{}}}", i == 0 ? "" : ",", label_members(tagger_, top.row_labels(row)[i]),
                   top.row_scores(row)[i]);
  }
  out += "]}\n";
}

void PredictionWriter::append_fasttext(const TopLabels& top, std::size_t row, std::string& out) const {
  for (std::size_t i = 0; i < top.row_labels(row).size(); ++i) {
    fmt::format_to(std::back_inserter(out), "{}{}{} {}", i == 0 ? "" : " ", kFasttextPrefix,
                   tagger_.label_name(top.row_labels(row)[i]), top.row_scores(row)[i]);
  }
  out += '\n';
}

}  // namespace xylem::cli
